/** The present page of the recycle bin or the missing items, reloaded whenever items may have changed. */
import { useEffect, useState } from 'react'
import { limits } from '../../../schema/limits.ts'
import { collections } from '../../app/collections.ts'
import { includeHidden } from '../../app/hidden.ts'
import { versionOf } from '../../app/loading/stale.ts'
import { pageForNewSize } from '../../kit/table/pages.ts'
import type { Retry } from '../../kit/try-again.tsx'
import { type GoneKind, goneFailed, gonePages, loadGoneItems } from './gone-items.ts'

/** Reads signals: the caller uses useSignals() first. */
export function useGoneItems(which: GoneKind) {
  const [view, setView] = useState({ collection: 0, page: 1, size: limits.pageSize as number })
  const known = gonePages[which].value
  const version = versionOf('items')
  const hidden = includeHidden.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes when the items have changed
  useEffect(() => void loadGoneItems(which, view), [which, view, version, hidden])
  // Rows of another collection are hidden; rows of another page stay until the new ones are loaded.
  const shown = known?.collection === view.collection ? known : null
  return {
    shown,
    /** Also true when the shown page was emptied and other pages have items. */
    loading: (shown === null && !goneFailed.value) || (shown !== null && shown.items.length === 0 && shown.total > 0),
    failed: shown === null && goneFailed.value,
    collection: view.collection,
    chooseCollection: (collection: number) => setView({ ...view, collection, page: 1 }),
    retry: (how: Retry) => loadGoneItems(which, view, how),
    nameOf: (id: number) => collections.value?.find(one => one.id === id)?.name ?? '',
    rightsOn: (id: number) => collections.value?.find(one => one.id === id)?.rights,
    isReadonly: (id: number) => collections.value?.find(one => one.id === id)?.readonly === true,
    paging: {
      total: shown?.total ?? 0,
      page: shown?.page ?? view.page,
      size: view.size,
      onPage: (page: number) => setView({ ...view, page }),
      onSize: (size: number) => setView({ ...view, size, page: pageForNewSize(view.page, view.size, size) }),
    },
  }
}
