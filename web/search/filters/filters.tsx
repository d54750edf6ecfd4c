/** The filters besides the search: collections, date and place. */
import { useSignals } from '@preact/signals-react/runtime'
import { hasDates } from '../../items/timeline.ts'
import { CollectionList } from './collection-list.tsx'
import { DateFilter } from './date-filter.tsx'
import { LocationFilter } from './location-filter.tsx'

export function Filters() {
  useSignals()
  return (
    <>
      <CollectionList />
      {hasDates.value && <DateFilter />}
      <LocationFilter />
    </>
  )
}
