/** Calls about jobs, and about problems with files. */
import type { CallHandlers } from '../accounts/caller.ts'
import type { Jobs } from './jobs.ts'
import type { Problems } from './problems.ts'

export function jobCalls({ jobs, problems }: { jobs: Jobs; problems: Problems }): CallHandlers<'jobs'> {
  return {
    list: ({ viewer }, { query }) => jobs.list(viewer, query.state ?? 'active'),
    get: ({ viewer }, { params }) => jobs.get(viewer, params.id),
    cancel: ({ viewer }, { params }) => jobs.cancel(viewer, params.id),
    problems: ({ viewer }, { params }) => problems.list(viewer, params.collectionId),
  }
}
