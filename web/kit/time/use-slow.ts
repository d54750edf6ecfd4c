/** True when something takes longer than users notice: time for a skeleton. */
import { useEffect, useState } from 'react'

const slowAfterMs = 300

export function useSlow(waiting: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!waiting) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), slowAfterMs)
    return () => clearTimeout(timer)
  }, [waiting])
  return waiting && slow
}
