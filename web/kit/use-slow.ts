/** True when something has been under way for longer than a wait that nobody notices: time for a skeleton. */
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
