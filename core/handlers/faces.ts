/** Calls about faces that the server has found, and their groups. */
import type { Core, GroupHandlers } from './caller.ts'

export function faceHandlers({ clock, foundFaces, faceGroups }: Core): GroupHandlers<'faces'> {
  return {
    ofItem: ({ viewer }, { params }) => foundFaces.ofItem(viewer, params.id),
    suggest: ({ viewer }, { params, body }) => foundFaces.suggest(viewer, params.id, body),
    status: ({ viewer }) => foundFaces.status(viewer),
    groups: ({ viewer }, { query }) => faceGroups.list(viewer, query),
    group: ({ viewer }, { params, query }) => faceGroups.get(viewer, params.id, query.includeHidden),
    nameGroup: ({ viewer }, { params, body }) => faceGroups.name(viewer, params.id, body),
    mergeGroups: ({ viewer }, { params, body }) => faceGroups.merge(viewer, params.id, body.groups),
    splitGroup: ({ viewer }, { params, body }) => faceGroups.split(viewer, params.id, body.faces),
    ignoreGroup: ({ viewer }, { params, body }) => faceGroups.ignore(viewer, params.id, body.ignored),
    index: async ({ viewer }, { body }) => ({
      taskid: await foundFaces.index(viewer, body, { now: clock.now() }),
    }),
    due: async ({ viewer }, { query }) => foundFaces.outlook(viewer, query),
    regroup: async ({ viewer }) => ({ taskid: await foundFaces.regroup(viewer) }),
    gone: ({ viewer }) => foundFaces.gone(viewer),
    forget: ({ viewer }, { query }) => foundFaces.forget(viewer, query),
  }
}
