/** Calls about objects and what is noted of them. */
import type { Core, GroupHandlers } from './caller.ts'

export function objectHandlers({ objects }: Core): GroupHandlers<'objects'> {
  return {
    list: ({ viewer }, { query }) => objects.list(viewer, query),
    propertyNames: ({ viewer }, { query }) => objects.propertyNames(viewer, query),
    create: ({ viewer }, { body }) => objects.create(viewer, body),
    update: ({ viewer }, { params, body }) => objects.update(viewer, params.id, body),
    async remove({ viewer }, { params, query }) {
      await objects.remove(viewer, params.id, { force: query.force === true })
      return {}
    },
    addProperty: ({ viewer }, { params, body }) => objects.addProperty(viewer, params.id, body),
    async removeProperty({ viewer }, { params }) {
      await objects.removeProperty(viewer, params)
      return {}
    },
  }
}
