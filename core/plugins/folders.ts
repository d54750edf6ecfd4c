/** Finds plugins: folders of the data directory's `plugins` that have a manifest. Links are ignored. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { createDisk } from '../files/disk.ts'
import { bytesOfText } from '../files/names.ts'
import type { Log } from '../kernel/log.ts'
import { folderName, type PluginManifest, parseManifest } from './manifest.ts'

export interface FoundPlugin {
  folder: string
  /** Null if there is a problem. */
  manifest: PluginManifest | null
  problem: string | null
  /** Part of the URLs of the plugin's files. It changes whenever one of them changes. */
  reloads: string
}

const manifestName = 'plugin.json'

export function createPluginFolders({ data, log }: { data: string; log: Log }) {
  const root = join(data, 'plugins')
  const disk = createDisk()
  const placeOf = (folder: string, file: string) => ({ root, path: bytesOfText(`${folder}/${file}`) })

  function stamp(folder: string, file: string): string {
    const facts = disk.stat(placeOf(folder, file))
    if (facts?.kind !== 'file') throw new Error(`'${file}' is not there.`)
    return `${file} ${facts.size} ${facts.mtimeSeconds}.${facts.mtimeNanoseconds}`
  }

  function read(folder: string): FoundPlugin {
    try {
      const bytes = disk.read(placeOf(folder, manifestName), limits.plugins.manifestBytes)
      const manifest = parseManifest(new TextDecoder().decode(bytes))
      const files = new Set(manifest.elements.flatMap(element => element.files))
      if (manifest.server !== null) files.add(manifest.server)
      const hasher = new Bun.CryptoHasher('sha256').update(bytes)
      for (const file of files) hasher.update(stamp(folder, file))
      return { folder, manifest, problem: null, reloads: hasher.digest('hex').slice(0, 12) }
    } catch (error) {
      return { folder, manifest: null, problem: reasonOf(error), reloads: '' }
    }
  }

  return {
    /** All installed plugins, by folder. Blocks while it reads. */
    find(): Map<string, FoundPlugin> {
      let names: string[] = []
      try {
        const entries = readdirSync(root, { withFileTypes: true })
        names = entries.filter(entry => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
      } catch {
        // Without this directory, no plugin is installed.
      }
      const valid = names.filter(name => folderName.test(name)).sort()
      if (valid.length < names.length) {
        log.warn('folders are ignored: a plugin folder has a name of letters, digits, - and _', {
          others: names.filter(name => !folderName.test(name)),
        })
      }
      return new Map(valid.map(folder => [folder, read(folder)]))
    },

    /** Bytes of a file that the manifest names; null if it is gone, too large or not a regular file. */
    async bytesOf(folder: string, file: string): Promise<Uint8Array | null> {
      try {
        const opened = await disk.openAsync(placeOf(folder, file))
        try {
          return opened.size > limits.plugins.fileBytes ? null : opened.read(0, opened.size)
        } finally {
          opened.close()
        }
      } catch {
        return null
      }
    },

    /** Path of a file, and a text that changes with the file. Throws if it does not exist or is a link. */
    moduleAt: (folder: string, file: string) => ({ path: join(root, folder, file), stamp: stamp(folder, file) }),

    pathOf: (folder: string): string => join(root, folder),
  }
}

export type PluginFolders = ReturnType<typeof createPluginFolders>
