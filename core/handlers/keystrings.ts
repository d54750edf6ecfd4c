/** Calls about keystrings, and about unlocking what they hide. */
import { startMerge } from '../vocabulary/merge-jobs.ts'
import type { Core, GroupHandlers } from './caller.ts'

export function keystringHandlers({ db, jobs, keystrings, unlock }: Core): GroupHandlers<'keystrings'> {
  return {
    list: ({ viewer }, { query }) => keystrings.list(viewer, query),
    byTag: ({ viewer }, { params, query }) => keystrings.byTag(viewer, params.tag, query),
    listAll: ({ viewer }, { query }) => keystrings.listAll(viewer, query),
    update: ({ viewer }, { params, body }) => keystrings.update(viewer, params.id, body),
    async merge({ viewer }, { params }) {
      const step = crypto.randomUUID()
      return { taskid: await startMerge({ db, jobs }, viewer, 'merge-keystrings', params, step), step }
    },
    unlock: ({ viewer }, { body }) => unlock.unlock(viewer, body.pin),
    async lock({ viewer }) {
      await unlock.lock(viewer)
      return {}
    },
  }
}
