/** Runs one thing at a time, such as saving a form: `busy` is true meanwhile, and another call does nothing. */
import { useCallback, useRef, useState } from 'react'

export function useBusy() {
  const [busy, setBusy] = useState(false)
  // Two calls within one render see the same `busy`.
  const running = useRef(false)
  const run = useCallback(async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      return await act()
    } finally {
      running.current = false
      setBusy(false)
    }
  }, [])
  return { busy, run }
}
