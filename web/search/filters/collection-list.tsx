/** The list of collections, with their counts; 'All' first. */
import { useSignals } from '@preact/signals-react/runtime'
import { figure } from '../../../schema/figures.ts'
import { collections, collectionsFailed, loadCollections } from '../../app/collections.ts'
import { filter, setFilter } from '../../app/current-filter.ts'
import { TryAgain } from '../../kit/try-again.tsx'
import { baseTexts } from '../../texts/base.ts'
import { searchTexts } from '../../texts/search.ts'

export function CollectionList() {
  useSignals()
  return (
    <section aria-label={baseTexts.collections} className="grid gap-0.5">
      <h2 className="eyebrow px-2.5 pb-1.5">{baseTexts.collections}</h2>
      {collections.value === null && collectionsFailed.value && <TryAgain again={loadCollections} />}
      {(collections.value ?? []).map(({ id, name, itemcount }) => (
        <button
          key={id}
          type="button"
          className="row-nav"
          aria-current={filter.value.collection === id ? 'true' : undefined}
          aria-label={searchTexts.namedItems({ name, count: itemcount })}
          title={name}
          onClick={() => setFilter({ collection: id })}
        >
          <span className="truncate" dir="auto" aria-hidden="true">
            {name}
          </span>{' '}
          <span className="n" aria-hidden="true">
            {figure(itemcount)}
          </span>
        </button>
      ))}
    </section>
  )
}
