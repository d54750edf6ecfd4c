/** Loads the elements of active plugins, and removes what deactivated plugins had added. */
import { type Plugin, pluginFileAddress } from '../../schema/api/plugins.ts'
import { base } from '../api.ts'
import { fetchParts } from '../kit/fetch-parts.ts'
import { createHost, pluginFailed } from './host.ts'

interface Loaded {
  /** Another version counts as another plugin. */
  reloads: string
  end: () => void
}

/** By id. Failed plugins are kept, too, until they are activated again or have changed. */
const loaded = new Map<number, Loaded>()

async function loadElement(plugin: Plugin, name: string, file: string, isOver: () => boolean): Promise<() => void> {
  const { host, end } = createHost(plugin, name)
  try {
    const address = pluginFileAddress(plugin, name, file, base.peek())
    await fetchParts([address])
    const module: unknown = await import(address)
    const register: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, 'register') : null
    if (typeof register !== 'function') throw new Error(`${file} exports no register(host).`)
    if (!isOver()) await register(host)
  } catch (error) {
    end()
    if (!isOver()) pluginFailed(plugin, error)
  }
  return end
}

async function load(plugin: Plugin): Promise<void> {
  const ends: (() => void)[] = []
  let hasEnded = false
  loaded.set(plugin.id, {
    reloads: plugin.reloads,
    end() {
      hasEnded = true
      for (const end of ends.splice(0)) end()
    },
  })
  await Promise.all(
    plugin.elements.map(async ({ name, files: [file] }) => {
      if (file === undefined) return
      const end = await loadElement(plugin, name, file, () => hasEnded)
      // The plugin was deactivated while loading.
      if (hasEnded) end()
      else ends.push(end)
    }),
  )
}

/** Updates the page to the active plugins. Resolves when all of them have loaded or failed. */
export async function loadAndUnloadPlugins(active: readonly Plugin[]): Promise<void> {
  for (const [id, { reloads, end }] of loaded) {
    if (active.some(plugin => plugin.id === id && plugin.reloads === reloads)) continue
    loaded.delete(id)
    end()
  }
  await Promise.all(active.filter(({ id }) => !loaded.has(id)).map(load))
}
