/** For a filter without results: the first of several changes that gives results, and how many. */
import { computed, signal } from '@preact/signals-react'
import { api } from '../api.ts'
import { filter } from '../app/current-filter.ts'
import { type Filter, queryOf } from '../app/filter.ts'
import { includeHidden } from '../app/hidden.ts'
import { createLoading } from '../app/loading/resource.ts'
import { widerFilters } from '../search/no-items.ts'

interface WayOutWithCount {
  text: string
  filter: Filter
  count: number
}

const found = signal<{ of: Filter; way: WayOutWithCount | null } | null>(null)

/** Undefined while searching; null if no single change helps. */
export const wayOut = computed(() => (found.value?.of === filter.value ? found.value.way : undefined))

async function firstWayOut(of: Filter, signal: AbortSignal): Promise<WayOutWithCount | null> {
  for (const way of widerFilters(of)) {
    const response = await api.items.list({
      params: { collectionId: way.filter.collection },
      query: { ...queryOf(way.filter, includeHidden.value), limit: 1 },
    })
    const count = response._meta.total_records
    if (count > 0) return { ...way, count }
    if (signal.aborted) break
  }
  return null
}

const { load } = createLoading('')

/** Tries one change after another until one has results. A failure is not shown, because this is only a suggestion. */
export async function findWayOut(): Promise<void> {
  const of = filter.value
  const take = (way: WayOutWithCount | null) => {
    found.value = { of, way }
  }
  if (!(await load(signal => firstWayOut(of, signal), take, { quiet: true }))) take(null)
}
