/** Plugins: which are installed, whether they are active, their options, files, and methods. */
import { asc, eq } from 'drizzle-orm'
import type { Calls } from '../../schema/api/calls.ts'
import type { Client } from '../../schema/api/contract.ts'
import { treeOfOptions } from '../../schema/api/parts/option-tree.ts'
import type { OptionTree, Plugin, PluginOptions } from '../../schema/api/plugins.ts'
import { Failure, reasonOf, sentence } from '../../schema/errors.ts'
import { limits, product } from '../../schema/limits.ts'
import { channels, type PluginReply, type PluginRpc } from '../../schema/realtime.ts'
import { plugins } from '../../schema/tables/plugins.ts'
import { notFound, requireGlobalAdmin, requireSignedIn, type Viewer } from '../accounts/access.ts'
import { version } from '../kernel/build-info.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'
import { createPluginFolders, type FoundPlugin, type PluginFolders } from './folders.ts'
import { type BaseHost, type MethodHost, methodHost } from './host.ts'
import type { Method, PluginManifest } from './manifest.ts'
import { changedOptions, effectiveOptions, shownOptions, storedOptions, storedSecrets } from './options.ts'
import { createServerModules, type ServerModules } from './server-modules.ts'

type PluginRow = typeof plugins.$inferSelect

/** A usable plugin: its row and the contents of its folder. */
interface UsablePlugin {
  row: PluginRow
  manifest: PluginManifest
  reloads: string
}

/** Differs between a method that runs at once, for a waiting caller, and one that runs as a job. */
type RunContext = Pick<MethodHost, 'progress' | 'signal'>

interface Dependencies {
  db: LibraryDatabase
  log: Log
  /** The library's calls with a user's rights. */
  as(viewer: Viewer): Client<Calls>
  /** Starts a method as a job. */
  enqueue(viewer: Viewer, input: PluginRpc): Promise<number>
}

interface PluginStore extends Dependencies {
  folders: PluginFolders
  modules: ServerModules
  /** Whether this is the server, which keeps modules loaded; other processes import a module for one job. */
  hosting: boolean
  found: Map<string, FoundPlugin> | null
}

/** The rule of methods that the manifest does not list. */
const defaultMethod: Method = { who: 'signedIn', long: false }

function requireCaller({ who }: Method, viewer: Viewer) {
  if (who === 'all') return
  requireSignedIn(viewer)
  if (viewer.globalAdmin || who === 'signedIn') return
  const edits = [...viewer.rights.values()].some(({ update }) => update)
  if (who === 'globalAdmin' || !edits) throw new Failure('denied', 'Permission Denied')
}

function findPlugins(store: PluginStore): Map<string, FoundPlugin> {
  store.found ??= store.folders.find()
  return store.found
}

const rowsOf = ({ db }: PluginStore) => db.orm.select().from(plugins).orderBy(asc(plugins.folder)).all()
const rowOf = ({ db }: PluginStore, id: number) => db.orm.select().from(plugins).where(eq(plugins.id, id)).get()

/** Reads the folders again: adds rows for new ones, and deletes rows without data whose folders are gone. */
async function rescan(store: PluginStore): Promise<void> {
  const now = store.folders.find()
  store.found = now
  const before = rowsOf(store)
  const fresh = [...now.keys()].filter(folder => !before.some(row => row.folder === folder))
  const gone = before.filter(row => !now.has(row.folder) && !row.active && row.options === '{}')
  if (fresh.length === 0 && gone.length === 0) return
  await store.db.transact({ userId: null }, tx => {
    for (const folder of fresh) {
      const { changes, lastInsertRowid: id } = tx.orm.insert(plugins).values({ folder }).onConflictDoNothing().run()
      if (changes > 0) tx.event(channels.plugins, { action: 'create', plugin: { id } })
    }
    for (const { id } of gone) {
      tx.orm.delete(plugins).where(eq(plugins.id, id)).run()
      tx.event(channels.plugins, { action: 'delete', plugin: { id } })
    }
  })
}

function json(store: PluginStore, viewer: Viewer, row: PluginRow): Plugin {
  const plugin = findPlugins(store).get(row.folder)
  const manifest = plugin?.manifest ?? null
  const types = viewer.globalAdmin ? manifest?.options : undefined
  return {
    id: row.id,
    module: row.folder,
    name: manifest?.name ?? row.folder,
    description: manifest?.description ?? '',
    version: manifest?.version ?? '',
    active: row.active,
    elements: manifest?.elements ?? [],
    options: types === undefined ? {} : treeOfOptions(shownOptions(types, storedOptions(types, row.options))),
    server: manifest !== null && manifest.server !== null,
    problem: plugin === undefined ? 'Its folder is not there.' : plugin.problem,
    reloads: plugin?.reloads ?? '',
  }
}

function usable(store: PluginStore, row: PluginRow | undefined): UsablePlugin | null {
  const plugin = row === undefined ? undefined : findPlugins(store).get(row.folder)
  if (row === undefined || plugin === undefined || plugin.manifest === null) return null
  return { row, manifest: plugin.manifest, reloads: plugin.reloads }
}

function hostOf(store: PluginStore, { row, manifest: { options: types } }: UsablePlugin): BaseHost {
  const options = () =>
    treeOfOptions(effectiveOptions(types, storedOptions(types, rowOf(store, row.id)?.options ?? '{}')))
  const { debug, info, warn, error } = store.log.with({ plugin: row.folder })
  return { product, version, options, log: { debug, info, warn, error } }
}

/** Loads active plugins that are not loaded, and unloads inactive ones. Failures are logged, and reported on calls. */
async function refresh(store: PluginStore): Promise<void> {
  const { hosting, modules } = store
  if (!hosting) return
  const active = rowsOf(store).filter(row => row.active)
  for (const folder of modules.loaded()) {
    if (!active.some(row => row.folder === folder)) await modules.unload(folder)
  }
  for (const row of active) {
    const plugin = usable(store, row)
    const file = plugin?.manifest.server ?? null
    if (plugin === null || file === null) continue
    await modules.load(row.folder, file, hostOf(store, plugin)).catch(() => null)
  }
}

function requirePlugin(store: PluginStore, viewer: Viewer, id: number): PluginRow {
  requireGlobalAdmin(viewer)
  const row = rowOf(store, id)
  if (row === undefined) throw notFound()
  return row
}

function requireManifest(store: PluginStore, row: PluginRow): PluginManifest {
  const plugin = findPlugins(store).get(row.folder)
  if (plugin?.manifest != null) return plugin.manifest
  throw new Failure(
    'conflict',
    sentence`The plugin '${row.folder}' cannot be used: ${plugin?.problem ?? 'its folder is not there.'}`,
  )
}

function optionsJson(row: PluginRow, { options: types }: PluginManifest): PluginOptions {
  const stored = storedOptions(types, row.options)
  return {
    types: Object.fromEntries(types),
    values: treeOfOptions(shownOptions(types, stored)),
    secrets: storedSecrets(types, stored),
  }
}

function createSettings(store: PluginStore) {
  const { db, folders, modules } = store
  return {
    options(viewer: Viewer, id: number): PluginOptions {
      const row = requirePlugin(store, viewer, id)
      return optionsJson(row, requireManifest(store, row))
    },

    async setOptions(viewer: Viewer, id: number, change: OptionTree): Promise<PluginOptions> {
      const manifest = requireManifest(store, requirePlugin(store, viewer, id))
      const row = await db.transact(viewer, tx => {
        const now = tx.orm.select().from(plugins).where(eq(plugins.id, id)).get()
        if (now === undefined) throw notFound()
        const types = manifest.options
        const values = changedOptions(types, storedOptions(types, now.options), change)
        const options = JSON.stringify(Object.fromEntries(values))
        tx.orm.update(plugins).set({ options }).where(eq(plugins.id, id)).run()
        tx.event(channels.plugins, { action: 'update', plugin: { id } })
        return { ...now, options }
      })
      return optionsJson(row, manifest)
    },

    /** Switches a plugin on, off, or to the other state. An unusable one is not switched on. */
    async toggle(viewer: Viewer, id: number, wanted: boolean | undefined): Promise<Plugin> {
      const row = requirePlugin(store, viewer, id)
      const active = wanted ?? !row.active
      if (active) {
        store.found = folders.find()
        const { server } = requireManifest(store, row)
        const plugin = usable(store, row)
        if (store.hosting && plugin !== null && server !== null) {
          await modules.load(row.folder, server, hostOf(store, plugin))
        }
      }
      await db.transact(viewer, tx => {
        tx.orm.update(plugins).set({ active }).where(eq(plugins.id, id)).run()
        tx.event(channels.plugins, { action: 'update', plugin: { id, active } })
      })
      if (!active) await modules.unload(row.folder)
      return json(store, viewer, rowOf(store, id) ?? row)
    },
  }
}

function createMethods(store: PluginStore) {
  const { db, log, as, enqueue, modules } = store

  /** An active plugin's method with its rule; `notFound` for everything else. */
  function requireMethod(viewer: Viewer, { module, method: name }: PluginRpc) {
    const row = db.orm.select().from(plugins).where(eq(plugins.folder, module)).get()
    const plugin = row?.active === true ? usable(store, row) : null
    const file = plugin?.manifest.server ?? null
    if (plugin === null || file === null) throw notFound()
    const method = plugin.manifest.methods.get(name) ?? defaultMethod
    requireCaller(method, viewer)
    return { plugin, file, method }
  }

  async function start(viewer: Viewer, call: PluginRpc): Promise<number> {
    requireSignedIn(viewer)
    const { plugin } = requireMethod(viewer, call)
    try {
      return await enqueue(viewer, call)
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy')) throw error
      throw new Failure('busy', sentence`'${call.method}' of ${plugin.manifest.name} is already running for you.`, {
        current: error.current,
      })
    }
  }

  /** Runs a method to its end; returns its result in JSON form. */
  async function perform(viewer: Viewer, call: PluginRpc, context: RunContext): Promise<unknown> {
    const { plugin, file } = requireMethod(viewer, call)
    const base = hostOf(store, plugin)
    try {
      const method = await modules.method(plugin.row.folder, file, call.method, store.hosting ? base : null)
      if (method === null) throw notFound()
      const host = methodHost(base, viewer, {
        library: as(viewer),
        start: (name, data) => start(viewer, { module: call.module, method: name, data }),
        ...context,
      })
      const text = JSON.stringify((await method(call.data, host)) ?? null)
      if (text.length > limits.plugins.resultBytes) throw new Error('the result is too large')
      return JSON.parse(text)
    } catch (error) {
      if (error instanceof Failure || context.signal.aborted) throw error
      log.error('a plugin failed', { plugin: plugin.row.folder, method: call.method, error })
      throw new Failure('unavailable', sentence`The plugin ${plugin.manifest.name} failed; the log says why.`, {
        cause: error,
      })
    }
  }

  return {
    perform,

    /** Calls a method: returns its result, or the job of a long one. */
    async call(viewer: Viewer, call: PluginRpc): Promise<PluginReply> {
      const { method } = requireMethod(viewer, call)
      if (method.long) return { job: await start(viewer, call) }
      const abort = new AbortController()
      const timeout = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        const failure = new Failure('unavailable', 'The plugin takes too long to answer.')
        abort.abort(failure)
        timeout.reject(failure)
      }, limits.plugins.answerMs)
      try {
        const context = { progress: () => {}, signal: abort.signal }
        return { result: await Promise.race([perform(viewer, call, context), timeout.promise]) }
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

export function createPlugins({ data, ...dependencies }: Dependencies & { /** The data directory. */ data: string }) {
  const { log } = dependencies
  const folders = createPluginFolders({ data, log })
  const modules = createServerModules({ folders, log })
  const store: PluginStore = { ...dependencies, folders, modules, hosting: false, found: null }
  return {
    ...createSettings(store),
    ...createMethods(store),
    refresh: () => refresh(store),

    /** Finds installed plugins, and loads the active ones. For the server, once. */
    async start(): Promise<void> {
      store.hosting = true
      try {
        await rescan(store)
        await refresh(store)
      } catch (error) {
        log.error('plugins could not be started', { error: reasonOf(error) })
      }
    },

    async stop(): Promise<void> {
      store.hosting = false
      for (const folder of modules.loaded()) await modules.unload(folder)
    },

    /** Active plugins. For a global admin, reads the folders again, and returns the other installed ones too. */
    async list(viewer: Viewer): Promise<Plugin[]> {
      if (viewer.globalAdmin) await rescan(store)
      return rowsOf(store)
        .filter(row => {
          if (viewer.globalAdmin) return row.active || findPlugins(store).has(row.folder)
          return row.active && usable(store, row) !== null
        })
        .map(row => json(store, viewer, row))
    },

    /** Bytes of a file that an active plugin's manifest names under that element; `notFound` for everything else. */
    async file(
      _viewer: Viewer,
      { id, element, file }: { id: number; element: string; file: string },
    ): Promise<{ bytes: Uint8Array; reloads: string }> {
      const plugin = usable(store, rowOf(store, id))
      const files = plugin?.manifest.elements.find(({ name }) => name === element)?.files ?? []
      if (plugin === null || !plugin.row.active || !files.includes(file)) throw notFound()
      const bytes = await folders.bytesOf(plugin.row.folder, file)
      if (bytes === null) throw notFound()
      return { bytes, reloads: plugin.reloads }
    },
  }
}

export type Plugins = ReturnType<typeof createPlugins>
