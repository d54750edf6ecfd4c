/** Calls about what was done, and undoing it. */
import type { Core, GroupHandlers } from './caller.ts'

export function historyHandlers({ history, jobs }: Core): GroupHandlers<'history'> {
  return {
    list: ({ viewer }, { params, query }) => history.list(viewer, params, query),
    undo: async ({ viewer }, { params }) => ({
      taskid: await jobs.enqueue(viewer, 'undo', history.plannedUndo(viewer, params.step)),
    }),
  }
}
