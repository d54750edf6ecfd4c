/** Shown when the server does not respond and there is nothing else to show. */
import { CloudOff } from 'lucide-react'
import { product } from '../../schema/limits.ts'
import { baseTexts } from '../texts/base.ts'
import { Empty } from './empty.tsx'
import { type Retry, TryAgain } from './try-again.tsx'

export function OutOfReach({ again }: { again: (how: Retry) => unknown }) {
  return (
    <Empty
      icon={CloudOff}
      title={baseTexts.isNotResponding({ product })}
      actions={<TryAgain className="btn btn-primary" again={again} />}
    >
      {baseTexts.outOfReachHint}
    </Empty>
  )
}
