/** Shown when the server does not respond and there is nothing else to show. */
import { CloudOff } from 'lucide-react'
import { product } from '../../schema/limits.ts'
import { Empty } from './empty.tsx'
import { type Retry, TryAgain } from './try-again.tsx'

export function OutOfReach({ again }: { again: (how: Retry) => unknown }) {
  return (
    <Empty
      icon={CloudOff}
      title={`${product} is not answering`}
      actions={<TryAgain className="btn btn-primary" again={again} />}
    >
      The server may be starting, or the connection is gone. Nothing is lost.
    </Empty>
  )
}
