/** A plugin's screen, which appears and disappears with the plugin. */
import { useSignals } from '@preact/signals-react/runtime'
import { Puzzle } from 'lucide-react'
import { Suspense } from 'react'
import { address, go } from '../app/address.ts'
import { PluginBoundary } from '../app/plugin-boundary.tsx'
import { pluginScreenAt, pluginsReady, pluginVersions } from '../app/plugin-slots.ts'
import { user } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { baseTexts } from '../texts/base.ts'
import { shellTexts } from '../texts/shell.ts'

function Gone() {
  return (
    <Empty
      icon={Puzzle}
      title={shellTexts.thisScreenDoesNotExist}
      actions={<Button look="primary" text={shellTexts.goToThePictures} onClick={() => go('/')} />}
    >
      {shellTexts.itsPluginIsNotActive}
    </Empty>
  )
}

export function PluginScreen() {
  useSignals()
  const screen = pluginScreenAt(address.value.path)
  if (screen === null) return pluginsReady.value ? <Gone /> : null
  const { key, plugin, host, component: Shown } = screen
  // Reload data for another user or other options.
  const turn = `${key} ${user.value?.id ?? 0} ${pluginVersions.value.get(plugin.id) ?? 0}`
  return (
    <div className="h-full overflow-y-auto">
      <PluginBoundary
        key={turn}
        name={plugin.name}
        renderFailure={again => (
          <Empty
            icon={Puzzle}
            title={shellTexts.doesNotWork({ name: plugin.name })}
            actions={<Button look="primary" text={baseTexts.tryAgain} onClick={again} />}
          >
            {shellTexts.errorInPlugin}
          </Empty>
        )}
      >
        <Suspense fallback={null}>
          <Shown host={host} />
        </Suspense>
      </PluginBoundary>
    </div>
  )
}
