/** For a filter without results: finds a change of it that has results. */
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

/** The suggested change; undefined while searching; null if no single change has results. */
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

/** Searches a change for the present filter. A failure is not shown, because this is only a suggestion. */
export async function findWayOut(): Promise<void> {
  const of = filter.value
  const take = (way: WayOutWithCount | null) => {
    found.value = { of, way }
  }
  if (!(await load(signal => firstWayOut(of, signal), take, { quiet: true }))) take(null)
}
