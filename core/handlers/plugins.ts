/** Calls about plugins. */
import type { Core, GroupHandlers } from './caller.ts'

export function pluginHandlers({ plugins }: Core): GroupHandlers<'plugins'> {
  return {
    list: ({ viewer }) => plugins.list(viewer),
    options: ({ viewer }, { params }) => plugins.options(viewer, params.id),
    setOptions: ({ viewer }, { params, body }) => plugins.setOptions(viewer, params.id, body.options),
    toggle: ({ viewer }, { params, body }) => plugins.toggle(viewer, params.id, body.active),
  }
}
