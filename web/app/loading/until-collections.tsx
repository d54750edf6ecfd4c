/** What screens that need the collections show until these are loaded: nothing, or the failure. */
import { useSignals } from '@preact/signals-react/runtime'
import { TryAgain } from '../../kit/try-again.tsx'
import { baseTexts } from '../../texts/base.ts'
import { collectionsFailed, loadCollections } from '../collections.ts'

export function UntilCollections() {
  useSignals()
  if (!collectionsFailed.value) return null
  return (
    <div className="grid place-items-center gap-4 py-16 text-center">
      <p className="soft">{baseTexts.unableToLoadCollection}</p>
      <TryAgain again={loadCollections} />
    </div>
  )
}
