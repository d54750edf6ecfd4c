/** Plugins: which there are, whether they are on, their options, their files, and their methods. */

import type { Calls } from '../../schema/api/calls.ts'
import type { Client } from '../../schema/api/contract.ts'
import { treeOfOptions } from '../../schema/api/option-tree.ts'
import type { OptionTree, Plugin, PluginOptions } from '../../schema/api/plugins.ts'
import { Failure, reasonOf } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { channels, type PluginReply, type PluginRpc } from '../../schema/realtime.ts'
import { demandGlobalAdmin, demandSignedIn, notFound, type Viewer } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'
import type { Progress } from '../work/jobs.ts'
import { createPluginFolders, type FoundPlugin } from './folders.ts'
import { type BaseHost, baseHost, methodHost } from './host.ts'
import type { Manifest, Method } from './manifest.ts'
import { changedOptions, effectiveOptions, setSecrets, shownOptions, storedOptions } from './options.ts'
import { createServerModules } from './server-modules.ts'

interface PluginRow {
  id: number
  folder: string
  active: number
  options: string
}

/** A plugin that works: its row and what its folder says. */
interface Usable {
  row: PluginRow
  manifest: Manifest
  reloads: string
}

/** How a method runs: at once for somebody who waits, or as a job. */
interface Running {
  progress(now: Progress): void
  signal: AbortSignal
}

const ordinary: Method = { who: 'signedIn', long: false }

function demandWho({ who }: Method, viewer: Viewer) {
  if (who === 'all') return
  demandSignedIn(viewer)
  if (viewer.globalAdmin || who === 'signedIn') return
  const edits = [...viewer.rights.values()].some(({ update }) => update)
  if (who === 'globalAdmin' || !edits) throw new Failure('denied', 'Permission Denied')
}

export function createPlugins({
  db,
  data,
  log,
  as,
  enqueue,
}: {
  db: LibraryDatabase
  /** The data directory. */
  data: string
  log: Log
  /** The library's calls as somebody. */
  as(viewer: Viewer): Client<Calls>
  /** Starts a method as a job. */
  enqueue(viewer: Viewer, input: PluginRpc): Promise<number>
}) {
  const folders = createPluginFolders({ data, log })
  const modules = createServerModules({ folders, log })
  /** Only the server keeps modules running; other processes import one for a job. */
  let hosting = false
  let found: Map<string, FoundPlugin> | null = null
  const known = () => {
    found ??= folders.find()
    return found
  }

  const rows = () => db.all<PluginRow>('SELECT id, folder, active, options FROM plugins ORDER BY folder')
  const rowOf = (id: number) => db.get<PluginRow>('SELECT id, folder, active, options FROM plugins WHERE id = ?', id)

  /** Looks into the folders again: new ones get a row, and rows that say nothing of folders that are gone are forgotten. */
  async function rescan(): Promise<void> {
    const now = folders.find()
    found = now
    const before = rows()
    const fresh = [...now.keys()].filter(folder => !before.some(row => row.folder === folder))
    const gone = before.filter(row => !now.has(row.folder) && row.active === 0 && row.options === '{}')
    if (fresh.length === 0 && gone.length === 0) return
    await db.transact({ userId: null }, tx => {
      for (const folder of fresh) {
        const { changes, lastInsertRowid: id } = tx.run('INSERT OR IGNORE INTO plugins (folder) VALUES (?)', folder)
        if (changes > 0) tx.event(channels.plugins, { action: 'create', plugin: { id } })
      }
      for (const { id } of gone) {
        tx.run('DELETE FROM plugins WHERE id = ?', id)
        tx.event(channels.plugins, { action: 'delete', plugin: { id } })
      }
    })
  }

  function json(viewer: Viewer, row: PluginRow): Plugin {
    const plugin = known().get(row.folder)
    const manifest = plugin?.manifest ?? null
    const types = viewer.globalAdmin ? manifest?.options : undefined
    return {
      id: row.id,
      module: row.folder,
      name: manifest?.name ?? row.folder,
      description: manifest?.description ?? '',
      version: manifest?.version ?? '',
      active: row.active === 1,
      elements: manifest?.elements ?? [],
      options: types === undefined ? {} : treeOfOptions(shownOptions(types, storedOptions(types, row.options))),
      server: manifest !== null && manifest.server !== null,
      problem: plugin === undefined ? 'Its folder is not there.' : plugin.problem,
      reloads: plugin?.reloads ?? '',
    }
  }

  function usable(row: PluginRow | null): Usable | null {
    const plugin = row === null ? undefined : known().get(row.folder)
    if (row === null || plugin === undefined || plugin.manifest === null) return null
    return { row, manifest: plugin.manifest, reloads: plugin.reloads }
  }

  function optionsOf({ id }: PluginRow, { options: types }: Manifest): OptionTree {
    return treeOfOptions(effectiveOptions(types, storedOptions(types, rowOf(id)?.options ?? '{}')))
  }

  function hostOf({ row, manifest }: Usable): BaseHost {
    return baseHost(() => optionsOf(row, manifest), log.with({ plugin: row.folder }))
  }

  /** Loads what is on and not loaded, unloads what is off. What fails is logged, and told when it is called. */
  async function refresh(): Promise<void> {
    if (!hosting) return
    const active = rows().filter(row => row.active === 1)
    for (const folder of modules.loaded()) {
      if (!active.some(row => row.folder === folder)) await modules.unload(folder)
    }
    for (const row of active) {
      const plugin = usable(row)
      const file = plugin?.manifest.server ?? null
      if (plugin === null || file === null) continue
      await modules.load(row.folder, file, hostOf(plugin)).catch(() => null)
    }
  }

  function demandPlugin(viewer: Viewer, id: number): PluginRow {
    demandGlobalAdmin(viewer)
    const row = rowOf(id)
    if (row === null) throw notFound()
    return row
  }

  function demandManifest(row: PluginRow): Manifest {
    const plugin = known().get(row.folder)
    if (plugin?.manifest != null) return plugin.manifest
    throw new Failure(
      'conflict',
      `The plugin '${row.folder}' cannot be used: ${plugin?.problem ?? 'its folder is not there.'}`,
    )
  }

  function optionsJson(row: PluginRow, { options: types }: Manifest): PluginOptions {
    const stored = storedOptions(types, row.options)
    return {
      types: Object.fromEntries(types),
      values: treeOfOptions(shownOptions(types, stored)),
      secrets: setSecrets(types, stored),
    }
  }

  /** An active plugin's method with its rule; `notFound` for everything else. */
  function demandMethod(viewer: Viewer, { module, method: name }: PluginRpc) {
    const row = db.get<PluginRow>(
      'SELECT id, folder, active, options FROM plugins WHERE folder = ? AND active = 1',
      module,
    )
    const plugin = usable(row)
    const file = plugin?.manifest.server ?? null
    if (plugin === null || file === null) throw notFound()
    const method = plugin.manifest.methods.get(name) ?? ordinary
    demandWho(method, viewer)
    return { plugin, file, method }
  }

  async function start(viewer: Viewer, call: PluginRpc): Promise<number> {
    demandSignedIn(viewer)
    const { plugin } = demandMethod(viewer, call)
    try {
      return await enqueue(viewer, call)
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy')) throw error
      throw new Failure('busy', `'${call.method}' of ${plugin.manifest.name} is already running for you.`, {
        current: error.current,
      })
    }
  }

  /** Runs a method to its end; its answer as JSON knows it. */
  async function perform(viewer: Viewer, call: PluginRpc, running: Running): Promise<unknown> {
    const { plugin, file } = demandMethod(viewer, call)
    const base = hostOf(plugin)
    try {
      const method = await modules.method(plugin.row.folder, file, call.method, hosting ? base : null)
      if (method === null) throw notFound()
      const host = methodHost(base, viewer, {
        library: as(viewer),
        start: (name, data) => start(viewer, { module: call.module, method: name, data }),
        ...running,
      })
      const text = JSON.stringify((await method(call.data, host)) ?? null)
      if (text.length > limits.plugins.resultBytes) throw new Error('the answer is too large')
      return JSON.parse(text)
    } catch (error) {
      if (error instanceof Failure || running.signal.aborted) throw error
      log.error('a plugin failed', { plugin: plugin.row.folder, method: call.method, error })
      throw new Failure('unavailable', `The plugin ${plugin.manifest.name} failed; the log says why.`, { cause: error })
    }
  }

  return {
    perform,
    refresh,

    /** Looks which plugins there are, and loads those that are on. For the server, once. */
    async start(): Promise<void> {
      hosting = true
      try {
        await rescan()
        await refresh()
      } catch (error) {
        log.error('plugins could not be started', { error: reasonOf(error) })
      }
    },

    /** Switches all modules off: the server stops. */
    async stop(): Promise<void> {
      hosting = false
      for (const folder of modules.loaded()) await modules.unload(folder)
    },

    /** Active ones; a global admin sees all that are installed, and with him the folders are looked at again. */
    async list(viewer: Viewer): Promise<Plugin[]> {
      if (!viewer.globalAdmin)
        return rows().flatMap(row => (row.active === 1 && usable(row) !== null ? [json(viewer, row)] : []))
      await rescan()
      return rows()
        .filter(row => row.active === 1 || known().has(row.folder))
        .map(row => json(viewer, row))
    },

    options(viewer: Viewer, id: number): PluginOptions {
      const row = demandPlugin(viewer, id)
      return optionsJson(row, demandManifest(row))
    },

    async setOptions(viewer: Viewer, id: number, change: OptionTree): Promise<PluginOptions> {
      const row = demandPlugin(viewer, id)
      const manifest = demandManifest(row)
      await db.transact(viewer, tx => {
        const now = tx.get<{ options: string }>('SELECT options FROM plugins WHERE id = ?', id)
        if (now === null) throw notFound()
        const types = manifest.options
        const values = changedOptions(types, storedOptions(types, now.options), change)
        tx.run('UPDATE plugins SET options = ? WHERE id = ?', JSON.stringify(Object.fromEntries(values)), id)
        tx.event(channels.plugins, { action: 'update', plugin: { id } })
      })
      return optionsJson(rowOf(id) ?? row, manifest)
    },

    /** Switches a plugin on or off, or over. One that cannot be used is not switched on. */
    async toggle(viewer: Viewer, id: number, active: boolean | undefined): Promise<Plugin> {
      const row = demandPlugin(viewer, id)
      const on = active ?? row.active === 0
      if (on) {
        found = folders.find()
        const manifest = demandManifest(row)
        const plugin = usable(row)
        if (hosting && plugin !== null && manifest.server !== null) {
          await modules.load(row.folder, manifest.server, hostOf(plugin))
        }
      }
      await db.transact(viewer, tx => {
        tx.run('UPDATE plugins SET active = ? WHERE id = ?', on ? 1 : 0, id)
        tx.event(channels.plugins, { action: 'update', plugin: { id, active: on } })
      })
      if (!on) await modules.unload(row.folder)
      return json(viewer, rowOf(id) ?? row)
    },

    /** Bytes of a file that an active plugin's manifest names under that element; `notFound` for everything else. */
    async file(
      _viewer: Viewer,
      { id, element, file }: { id: number; element: string; file: string },
    ): Promise<{ bytes: Uint8Array; reloads: string }> {
      const plugin = usable(rowOf(id))
      const files = plugin?.manifest.elements.find(({ name }) => name === element)?.files ?? []
      if (plugin === null || plugin.row.active !== 1 || !files.includes(file)) throw notFound()
      const bytes = await folders.bytesOf(plugin.row.folder, file)
      if (bytes === null) throw notFound()
      return { bytes, reloads: plugin.reloads }
    },

    /** Calls a method: its answer, or for a long one the job that it has become. */
    async call(viewer: Viewer, call: PluginRpc): Promise<PluginReply> {
      const { method } = demandMethod(viewer, call)
      if (method.long) return { job: await start(viewer, call) }
      const abort = new AbortController()
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        const failure = new Failure('unavailable', 'The plugin takes too long to answer.')
        abort.abort(failure)
        late.reject(failure)
      }, limits.plugins.answerMs)
      try {
        const running = { progress: () => {}, signal: abort.signal }
        return { result: await Promise.race([perform(viewer, call, running), late.promise]) }
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

export type Plugins = ReturnType<typeof createPlugins>
