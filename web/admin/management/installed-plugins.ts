/** Plugins: all of them for a global admin, only active ones for others. */
import type { OptionTree, Plugin, PluginOptions } from '../../../schema/api/plugins.ts'
import { api } from '../../api.ts'
import { createResource } from '../../app/loading/resource.ts'
import { markStale } from '../../app/loading/stale.ts'
import { attempt } from '../../app/messages.ts'
import { updatePlugins } from '../../plugins/active-plugins.ts'
import { managementTexts } from '../../texts/admin/management.ts'

export const {
  value: installed,
  failed: installedFailed,
  load: loadInstalled,
} = createResource<readonly Plugin[]>(managementTexts.failedToLoadPlugins, () => api.plugins.list())

export async function togglePlugin({ id, active }: Pick<Plugin, 'id' | 'active'>): Promise<void> {
  await attempt(managementTexts.failedToTogglePlugin, async () => {
    const now = await api.plugins.toggle({ params: { id }, body: { active: !active } })
    installed.value = (installed.peek() ?? []).map(plugin => (plugin.id === id ? now : plugin))
    void updatePlugins()
  })
  markStale('plugins')
}

/** Resource with the options of a plugin. */
export function optionsOfPlugin(id: number) {
  return createResource<PluginOptions>(managementTexts.failedToLoadPluginOptions, () =>
    api.plugins.options({ params: { id } }),
  )
}

export async function saveOptions(id: number, options: OptionTree): Promise<boolean> {
  return attempt(managementTexts.failedToSavePluginOptions, () =>
    api.plugins.setOptions({ params: { id }, body: { options } }),
  )
}
