/** Calls about access groups. */
import type { Core, GroupHandlers } from './caller.ts'

export function accessHandlers({ groups, accessExplained }: Core): GroupHandlers<'access'> {
  return {
    explain: ({ viewer }, { query }) => accessExplained.explain(viewer, query),
    matrix: ({ viewer }) => accessExplained.matrix(viewer),
    loose: async ({ viewer }) => groups.loose(viewer),
    create: ({ viewer }, { body }) => groups.create(viewer, body.group),
    update: ({ viewer }, { params, body }) => groups.update(viewer, params.id, body.group),
    members: ({ viewer }, { params }) => groups.members(viewer, params.accessId),
    addMember: ({ viewer }, { params }) => groups.addMember(viewer, params),
    removeMember: ({ viewer }, { params }) => groups.removeMember(viewer, params),
    async attach({ viewer }, { params, body }) {
      await groups.attach(viewer, { ...params, ...body })
      return {}
    },
    async detach({ viewer }, { params }) {
      await groups.detach(viewer, params)
      return {}
    },
  }
}
