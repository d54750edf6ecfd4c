/** True if something takes long enough to be noticed, so that a skeleton should be shown. */
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
