/** The button that retries a failed load. While it is shown, the page also retries every two seconds. */
import { baseTexts } from '../texts/base.ts'
import { Button } from './button.tsx'
import { useRetry } from './time/use-retry.ts'

/** `quiet`: an automatic attempt, whose failure is not reported. */
export interface Retry {
  quiet: boolean
}

export function TryAgain({
  again,
  className = 'btn btn-quiet',
}: {
  /** Awaited before the next attempt. */
  again: (how: Retry) => unknown
  className?: string
}) {
  useRetry(true, () => again({ quiet: true }))
  return <Button className={className} text={baseTexts.tryAgain} onClick={() => void again({ quiet: false })} />
}
