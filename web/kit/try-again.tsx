/** The button that tries a failed load again. While it is shown, the page also retries every two seconds. */
import { useEffect, useRef } from 'react'
import { baseTexts } from '../texts/base.ts'
import { Button } from './button.tsx'

/** `quiet`: an automatic attempt, whose failure is not reported. */
export interface Retry {
  quiet: boolean
}

const everyMs = 2_000

export function TryAgain({
  again,
  className = 'btn btn-quiet',
}: {
  /** Awaited before the next attempt. */
  again: (how: Retry) => unknown
  className?: string
}) {
  const latest = useRef(again)
  latest.current = again
  useEffect(() => {
    let isAsking = false
    const retry = async () => {
      if (isAsking || document.visibilityState !== 'visible') return
      isAsking = true
      await latest.current({ quiet: true })
      isAsking = false
    }
    const timer = setInterval(() => void retry(), everyMs)
    return () => clearInterval(timer)
  }, [])
  return <Button className={className} text={baseTexts.tryAgain} onClick={() => void again({ quiet: false })} />
}
