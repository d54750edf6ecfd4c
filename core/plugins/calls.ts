/** Calls about plugins. */
import type { CallHandlers } from '../accounts/caller.ts'
import type { Plugins } from './plugins.ts'

export function pluginCalls({ plugins }: { plugins: Plugins }): CallHandlers<'plugins'> {
  return {
    list: ({ viewer }) => plugins.list(viewer),
    options: ({ viewer }, { params }) => plugins.options(viewer, params.id),
    setOptions: ({ viewer }, { params, body }) => plugins.setOptions(viewer, params.id, body.options),
    toggle: ({ viewer }, { params, body }) => plugins.toggle(viewer, params.id, body.active),
  }
}
