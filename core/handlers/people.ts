/** Calls about people, their names over time, and their faces. */
import { startMerge } from '../vocabulary/merge-jobs.ts'
import type { Core, GroupHandlers } from './caller.ts'

export function peopleHandlers({ db, jobs, people, faces }: Core): GroupHandlers<'people'> {
  return {
    list: ({ viewer }, { query }) => people.list(viewer, query),
    names: ({ viewer }, { query }) => people.names(viewer, query),
    faces: ({ viewer }) => faces.list(viewer),
    create: ({ viewer }, { body }) => people.create(viewer, body),
    update: ({ viewer }, { params, body }) => people.update(viewer, params.id, body),
    unused: async ({ viewer }) => people.unusedIds(viewer),
    removeUnused: async ({ viewer }) => ({ removed: await people.removeUnused(viewer) }),
    async merge({ viewer }, { params }) {
      const step = crypto.randomUUID()
      return { taskid: await startMerge({ db, jobs }, viewer, 'merge-people', params, step), step }
    },
    addName: ({ viewer }, { params, body }) => people.addName(viewer, params.id, body),
    updateName: ({ viewer }, { params, body }) => people.updateName(viewer, params, body),
    async removeName({ viewer }, { params }) {
      await people.removeName(viewer, params)
      return {}
    },
    addFace: ({ viewer }, { params, body }) => faces.add(viewer, params.id, body),
    updateFace: ({ viewer }, { params, body }) => faces.update(viewer, params, body),
    async removeFace({ viewer }, { params }) {
      await faces.remove(viewer, params)
      return {}
    },
  }
}
