/** Calls about long work and the files it had trouble with. */
import type { Core, GroupHandlers } from './caller.ts'

export function jobHandlers({ jobs, problems }: Core): GroupHandlers<'jobs'> {
  return {
    list: ({ viewer }, { query }) => jobs.list(viewer, query.state ?? 'active'),
    get: ({ viewer }, { params }) => jobs.get(viewer, params.id),
    cancel: ({ viewer }, { params }) => jobs.cancel(viewer, params.id),
    problems: ({ viewer }, { params }) => problems.list(viewer, params.collectionId),
  }
}
