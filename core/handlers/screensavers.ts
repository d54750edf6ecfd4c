/** Calls about screen savers. */
import type { Core, GroupHandlers } from './caller.ts'

export function screensaverHandlers({ screensavers }: Core): GroupHandlers<'screensavers'> {
  return {
    list: ({ viewer }) => screensavers.list(viewer),
    create: ({ viewer }, { query }) => screensavers.create(viewer, query),
    save: ({ viewer }, { params, query }) => screensavers.save(viewer, params.id, query),
    async remove({ viewer }, { params }) {
      await screensavers.remove(viewer, params.id)
      return {}
    },
    next: ({ viewer }, { params }) => screensavers.next(viewer, params.id),
  }
}
