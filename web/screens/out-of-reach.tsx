/** Shown when the server does not answer and there is nothing else to show. */
import { CloudOff } from 'lucide-react'
import { product } from '../../schema/limits.ts'
import { Empty } from '../parts/empty.tsx'
import { tryAgain } from '../state/start.ts'

export function OutOfReach() {
  return (
    <Empty
      icon={CloudOff}
      title={`${product} is not answering`}
      actions={
        <button type="button" className="btn btn-primary" onClick={() => void tryAgain()}>
          Try again
        </button>
      }
    >
      The server may be starting, or the connection is gone. Nothing is lost.
    </Empty>
  )
}
