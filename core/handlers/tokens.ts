/** Calls about tokens: of devices that show a screen saver, and of scripts. */
import type { Core, GroupHandlers } from './caller.ts'

export function tokenHandlers({ tokens }: Core): GroupHandlers<'tokens'> {
  return {
    issued: ({ viewer }) => tokens.listIssued(viewer),
    async revoke({ viewer }, { params }) {
      await tokens.revoke(viewer, params.id)
      return {}
    },
    list: ({ viewer }) => tokens.list(viewer),
    create: ({ viewer }, { body }) => tokens.create(viewer, body),
    save: ({ viewer }, { params, body }) => tokens.save(viewer, params.id, body.token),
    async remove({ viewer }, { params }) {
      await tokens.remove(viewer, params.id)
      return {}
    },
  }
}
