/** Shown when the server does not answer and there is nothing else to show. */
import { CloudOff } from 'lucide-react'
import { product } from '../../schema/limits.ts'
import { Empty } from './empty.tsx'

export function OutOfReach({ again }: { again: () => void }) {
  return (
    <Empty
      icon={CloudOff}
      title={`${product} is not answering`}
      actions={
        <button type="button" className="btn btn-primary" onClick={again}>
          Try again
        </button>
      }
    >
      The server may be starting, or the connection is gone. Nothing is lost.
    </Empty>
  )
}
