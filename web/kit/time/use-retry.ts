/** Retries every two seconds while the page is visible; each attempt waits for the previous one. */
import { useEffect, useRef } from 'react'

const everyMs = 2_000

export function useRetry(isOn: boolean, retry: () => unknown): void {
  const latest = useRef(retry)
  latest.current = retry
  useEffect(() => {
    if (!isOn) return
    let isRunning = false
    const attempt = async () => {
      if (isRunning || document.visibilityState !== 'visible') return
      isRunning = true
      try {
        await latest.current()
      } finally {
        isRunning = false
      }
    }
    const timer = setInterval(() => void attempt(), everyMs)
    return () => clearInterval(timer)
  }, [isOn])
}
