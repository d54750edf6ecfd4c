/** Calls that read items. */
import { requireSignedIn, requireUpdateSomewhere } from '../accounts/access.ts'
import type { CallHandlers } from '../accounts/caller.ts'
import type { Jobs } from '../work/jobs.ts'
import type { DuplicateGroups } from './duplicates/duplicates.ts'
import type { Favourites } from './favourites/favourites.ts'
import type { Items } from './items.ts'
import type { OnThisDay } from './on-this-day.ts'

export function itemCalls({
  items,
  onThisDay,
  duplicates,
  jobs,
}: {
  items: Items
  onThisDay: OnThisDay
  duplicates: DuplicateGroups
  jobs: Jobs
}) {
  return {
    list: ({ viewer }, { params, query }) => items.list(viewer, params, query),
    timeline: ({ viewer }, { params, query }) => items.timeline(viewer, params, query),
    layout: ({ viewer }, { params, query }) => items.layout(viewer, params, query),
    get: ({ viewer }, { params, query }) => items.get(viewer, params, query),
    onThisDay: ({ viewer }, { params, query }) => onThisDay.list(viewer, params, query),
    duplicates: ({ viewer }, { params, query }) => duplicates.list(viewer, params, query),
    async findDuplicates({ viewer }) {
      requireUpdateSomewhere(viewer)
      return { taskid: await jobs.enqueue(viewer, 'duplicates', {}) }
    },
    missing({ viewer }, { params, query }) {
      requireSignedIn(viewer)
      return items.listOf(viewer, { ...params, path: '/v1/item/missing', which: 'missing' }, query)
    },
    deleted({ viewer }, { params, query }) {
      requireSignedIn(viewer)
      return items.listOf(viewer, { ...params, path: '/v1/item/deleted', which: 'deleted' }, query)
    },
    explain: ({ viewer }, { query }) => items.explain(viewer, query),
  } satisfies Partial<CallHandlers<'items'>>
}

export function favouriteCalls({ favourites }: { favourites: Favourites }): CallHandlers<'favourites'> {
  return {
    list: ({ viewer }, { query }) => favourites.list(viewer, query),
    set: ({ viewer }, { body }) => favourites.set(viewer, body),
  }
}
