/** Options that plugins have added. */

import { useSignals } from '@preact/signals-react/runtime'
import { PluginBoundary } from '../app/plugin-boundary.tsx'
import { pluginOptions, pluginVersions } from '../app/plugin-slots.ts'
import { shellTexts } from '../texts/shell.ts'

export function PluginOptions() {
  useSignals()
  return pluginOptions.value.map(({ key, plugin, host, component: Shown }) => (
    <section key={`${key} ${pluginVersions.value.get(plugin.id) ?? 0}`} aria-label={plugin.name}>
      <PluginBoundary
        name={plugin.name}
        renderFailure={() => <p className="soft text-xs">{shellTexts.optionsNotShown({ name: plugin.name })}</p>}
      >
        <Shown host={host} />
      </PluginBoundary>
    </section>
  ))
}
