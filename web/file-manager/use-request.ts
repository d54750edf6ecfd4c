/** Requests of dialogs and viewers. */
import { useRef, useState } from 'react'
import { useRetry } from '../kit/time/use-retry.ts'
import { useRun } from '../kit/time/use-run.ts'
import { useController } from './controller-context.ts'
import { NoResponse } from './driver.ts'

interface Handlers<T> {
  onLoaded: (response: T) => void
  /** Called with the message of a failure, and with '' when a retry has succeeded. */
  onFault: (message: string) => void
}

/** Loads a value, again whenever `key` changes; without a response it retries every two seconds. */
export function useRequest<T>(
  key: string,
  request: (signal: AbortSignal) => Promise<T>,
  { onLoaded, onFault }: Handlers<T>,
): void {
  const { messageOf } = useController()
  const [isAway, setAway] = useState(false)
  const latest = useRef({ request, onLoaded, onFault, messageOf })
  latest.current = { request, onLoaded, onFault, messageOf }
  const run = useRef<{ signal: AbortSignal; isAway: boolean } | null>(null)

  async function attempt(): Promise<void> {
    const { current: mine } = run
    if (mine === null) return
    try {
      const response = await latest.current.request(mine.signal)
      if (mine.signal.aborted) return
      if (mine.isAway) latest.current.onFault('')
      setAway(false)
      latest.current.onLoaded(response)
    } catch (error) {
      if (mine.signal.aborted) return
      const wasAway = mine.isAway
      mine.isAway = error instanceof NoResponse
      setAway(mine.isAway)
      // Not again for a retry without a response: its message is still shown, or the user has closed it.
      if (!wasAway || !mine.isAway) latest.current.onFault(latest.current.messageOf(error))
    }
  }
  useRun(
    signal => {
      run.current = { signal, isAway: false }
      return attempt()
    },
    [key],
  )
  useRetry(isAway, attempt)
}
