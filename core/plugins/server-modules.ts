/** Server modules of plugins: imported while the plugin is active, and kept from crashing the process. */
import { sep } from 'node:path'
import { Failure, reasonOf, sentence } from '../../schema/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { PluginFolders } from './folders.ts'
import type { BaseHost } from './host.ts'

/** Exports that are not methods: `activate` and `deactivate` are called on loading and unloading. */
const reserved = new Set(['activate', 'deactivate', 'default', 'then'])

interface Loaded {
  exports: object
  stamp: string
}

function exported(module: object, name: string): ((...given: unknown[]) => unknown) | null {
  const found: unknown = Object.hasOwn(module, name) ? Reflect.get(module, name) : undefined
  return typeof found === 'function' ? (...given) => Reflect.apply(found, undefined, given) : null
}

/** The log for each guarded plugin directory. Error handlers belong to the process, so all libraries share this map. */
const guarded = new Map<string, Log>()

function onUncaught(error: unknown) {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  for (const [directory, log] of guarded) {
    if (!stack.includes(directory + sep)) continue
    log.error('a plugin did not catch an error', { plugin: directory, error })
    return
  }
  const [log] = guarded.values()
  log?.error('an error was not caught', { error })
  // The error seems not to come from a plugin: the process ends, as it would without plugins.
  if (stack !== '') {
    console.error(error)
    process.exit(1)
  }
}

/** Registers a directory: from now on, uncaught errors of its modules are only logged. */
function guard(directory: string, log: Log) {
  if (guarded.size === 0) {
    process.on('uncaughtException', onUncaught)
    process.on('unhandledRejection', onUncaught)
  }
  guarded.set(directory, log)
}

export function createServerModules({ folders, log }: { folders: PluginFolders; log: Log }) {
  const loaded = new Map<string, Promise<Loaded>>()

  async function importModule(folder: string, file: string, host: BaseHost | null): Promise<Loaded> {
    const { path, stamp } = folders.moduleAt(folder, file)
    // In a job's process (`host` null), an uncaught error fails only the job.
    if (host !== null) guard(folders.pathOf(folder), log)
    // A module is imported once per address: another version has another address.
    const exports: object = await import(`${path}?v=${encodeURIComponent(stamp)}`)
    if (host !== null) await exported(exports, 'activate')?.(host)
    return { exports, stamp }
  }

  async function unload(folder: string): Promise<void> {
    const module = loaded.get(folder)
    loaded.delete(folder)
    try {
      if (module !== undefined) await exported((await module).exports, 'deactivate')?.()
    } catch (error) {
      log.warn('a plugin could not be switched off cleanly', { plugin: folder, error })
    }
  }

  /** Imports a module once per version. `host` is passed to `activate`; null in a job's process, which skips that. */
  async function load(folder: string, file: string, host: BaseHost | null): Promise<Loaded> {
    const known = loaded.get(folder)
    if (known !== undefined) {
      const module = await known.catch(() => null)
      if (module !== null && module.stamp === folders.moduleAt(folder, file).stamp) return module
      // Another call may have loaded the new version meanwhile.
      if (loaded.get(folder) === known) await unload(folder)
      else return load(folder, file, host)
    }
    const loading = importModule(folder, file, host)
    loaded.set(folder, loading)
    try {
      return await loading
    } catch (error) {
      if (loaded.get(folder) === loading) loaded.delete(folder)
      log.error('a plugin could not be loaded', { plugin: folder, error })
      throw new Failure('conflict', sentence`Its server module cannot be loaded: ${reasonOf(error)}`, { cause: error })
    }
  }

  return {
    load,
    unload,
    loaded: (): string[] => [...loaded.keys()],
    /** A method of the module; null if it has none with this name. */
    async method(folder: string, file: string, name: string, host: BaseHost | null) {
      const { exports } = await load(folder, file, host)
      return reserved.has(name) ? null : exported(exports, name)
    },
  }
}

export type ServerModules = ReturnType<typeof createServerModules>
