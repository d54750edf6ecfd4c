/** Keeps the page in step with the active plugins. The loader itself is only loaded if there is one. */
import type { Plugin } from '../../schema/api/plugins.ts'
import { api } from '../api.ts'
import { fault } from '../app/messages.ts'
import { pluginsReady, pluginTurns } from '../app/plugin-slots.ts'
import { baseTexts } from '../texts/base.ts'

let following = false
/** Whether `loadPlugins` was called during a request. */
let again = false

const isOn = ({ active, problem, elements }: Plugin) => active && problem === null && elements.length > 0

/** After this many milliseconds, `pluginsReady` no longer waits for a plugin that does not load. */
const patience = 10_000

function setReady(): void {
  pluginsReady.value = true
}

async function follow(): Promise<void> {
  let active: Plugin[]
  try {
    active = (await api.plugins.list()).filter(isOn)
  } catch {
    // When the server is back, `loadPlugins` is called again.
    setTimeout(setReady, patience)
    return
  }
  if (active.length === 0 && !following) return setReady()
  following = true
  try {
    const { followPlugins } = await import('./loader.ts')
    // Not awaited, because it must be possible to deactivate a plugin that hangs.
    void followPlugins(active).then(setReady)
    setTimeout(setReady, patience)
  } catch (error) {
    fault(baseTexts.pluginsCouldNotBeLoaded, error instanceof Error ? error.message : '')
  }
}

let running: Promise<void> | null = null

/** Loads the active plugins, with one request at a time. Calls during a request cause one more. */
export function loadPlugins(): Promise<void> {
  if (running !== null) {
    again = true
    return running
  }
  running = follow().finally(() => {
    running = null
    if (again) {
      again = false
      void loadPlugins()
    }
  })
  return running
}

function idOf(message: unknown): number | null {
  const id: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'id') : null
  return typeof id === 'number' ? id : null
}

/** Called when a plugin was added, removed, activated, deactivated, or its options have changed. */
export function pluginChanged(message: unknown): void {
  const id = idOf(message)
  const isSwitched = typeof message === 'object' && message !== null && 'active' in message
  if (id !== null && !isSwitched) {
    pluginTurns.value = new Map(pluginTurns.peek()).set(id, (pluginTurns.peek().get(id) ?? 0) + 1)
  }
  void loadPlugins()
}
