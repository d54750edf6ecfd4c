/** Keeps the page in step with the active plugins. `loader.ts` is imported only when a plugin is active. */
import type { Plugin } from '../../schema/api/plugins.ts'
import { api } from '../api.ts'
import { showError } from '../app/messages.ts'
import { pluginsReady, pluginVersions } from '../app/plugin-slots.ts'
import { baseTexts } from '../texts/base.ts'

/** Whether a plugin was active since the page was opened. Then the loader must also learn that none is active. */
let isLoaderNeeded = false
/** Whether `updatePlugins` was called during a request. */
let isUpdateDue = false

const isLoadable = ({ active, problem, elements }: Plugin) => active && problem === null && elements.length > 0

/** After this many milliseconds, `pluginsReady` no longer waits for a plugin that does not load. */
const maxWaitMs = 10_000

function setReady(): void {
  pluginsReady.value = true
}

async function requestActive(): Promise<void> {
  let active: Plugin[]
  try {
    active = (await api.plugins.list()).filter(isLoadable)
  } catch {
    // When the server is back, `updatePlugins` is called again.
    setTimeout(setReady, maxWaitMs)
    return
  }
  if (active.length === 0 && !isLoaderNeeded) return setReady()
  isLoaderNeeded = true
  try {
    const { loadAndUnloadPlugins } = await import('./loader.ts')
    // Not awaited: while a plugin hangs, the next `updatePlugins` must be able to deactivate it.
    void loadAndUnloadPlugins(active).then(setReady)
    setTimeout(setReady, maxWaitMs)
  } catch (error) {
    showError(baseTexts.pluginsCouldNotBeLoaded, error instanceof Error ? error.message : '')
  }
}

let running: Promise<void> | null = null

/**
 * Loads plugins that are active and ends others, with one request at a time; does not wait until they have loaded.
 * Calls during a request cause one more.
 */
export function updatePlugins(): Promise<void> {
  if (running !== null) {
    isUpdateDue = true
    return running
  }
  running = requestActive().finally(() => {
    running = null
    if (isUpdateDue) {
      isUpdateDue = false
      void updatePlugins()
    }
  })
  return running
}

function idOf(message: unknown): number | null {
  const id: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'id') : null
  return typeof id === 'number' ? id : null
}

/** Called when a plugin was added, removed, activated or deactivated, or when its options have changed. */
export function pluginChanged(message: unknown): void {
  const id = idOf(message)
  const isSwitched = typeof message === 'object' && message !== null && 'active' in message
  if (id !== null && !isSwitched) {
    pluginVersions.value = new Map(pluginVersions.peek()).set(id, (pluginVersions.peek().get(id) ?? 0) + 1)
  }
  void updatePlugins()
}
