/** The smallest change of an empty filter that has results, with their number. */
import { computed, signal } from '@preact/signals-react'
import { api } from '../api.ts'
import { filter } from '../app/current-filter.ts'
import { type Filter, queryOf } from '../app/filter.ts'
import { includeHidden } from '../app/hidden.ts'
import { waysOut } from '../search/no-items.ts'

interface WayOutWithCount {
  text: string
  filter: Filter
  count: number
}

const found = signal<{ of: Filter; way: WayOutWithCount | null } | null>(null)

/** Undefined while searching, null where no single change helps. */
export const wayOut = computed(() => (found.value?.of === filter.value ? found.value.way : undefined))

/** Tries one change after the other until one has results. */
export async function findWayOut(): Promise<void> {
  const of = filter.value
  for (const way of waysOut(of)) {
    try {
      const response = await api.items.list({
        params: { collectionId: way.filter.collection },
        query: { ...queryOf(way.filter, includeHidden.value), limit: 1 },
      })
      if (filter.value !== of) return
      const count = response._meta.total_records
      if (count > 0) {
        found.value = { of, way: { ...way, count } }
        return
      }
    } catch {
      break
    }
  }
  if (filter.value === of) found.value = { of, way: null }
}
