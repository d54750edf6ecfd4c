/** Calls about albums. */
import type { CallHandlers } from '../accounts/caller.ts'
import type { Albums } from './albums.ts'

export function albumCalls({ albums }: { albums: Albums }): CallHandlers<'albums'> {
  return {
    list: ({ viewer }, { query }) => ({ albums: albums.list(viewer, query) }),
    get: ({ viewer }, { params, query }) => albums.get(viewer, params.id, query),
    create: ({ viewer }, { body }) => albums.create(viewer, body),
    update: ({ viewer }, { params, body }) => albums.update(viewer, params.id, body),
    remove: ({ viewer }, { params }) => albums.remove(viewer, params.id),
    setItems: ({ viewer }, { params, body }) => albums.setItems(viewer, params.id, body),
    order: ({ viewer }, { params, body }) => albums.order(viewer, params.id, body),
    setMember: ({ viewer }, { params, body }) => albums.setMember(viewer, params.id, body),
  }
}
