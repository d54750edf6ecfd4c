/** What a screen that needs the collections shows until they are loaded: nothing, or that they could not be. */
import { useSignals } from '@preact/signals-react/runtime'
import { collectionsFailed, loadCollections } from '../state/collections.ts'
import { TryAgain } from './try-again.tsx'

export function UntilCollections() {
  useSignals()
  if (!collectionsFailed.value) return null
  return (
    <div className="grid place-items-center gap-4 py-16 text-center">
      <p className="soft">Unable to load collection</p>
      <TryAgain again={loadCollections} />
    </div>
  )
}
