/** Calls about shares. */
import type { Core, GroupHandlers } from './caller.ts'

export function shareHandlers({ shares }: Core): GroupHandlers<'shares'> {
  return {
    create: ({ viewer }, { params, body }) => shares.create(viewer, params.id, body.expires),
    get: (_caller, { params }) => shares.get(params.name),
    list: ({ viewer }) => shares.list(viewer),
    async remove({ viewer }, { params }) {
      await shares.remove(viewer, params)
      return {}
    },
  }
}
