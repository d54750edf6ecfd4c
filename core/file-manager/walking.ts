/** Walks a folder recursively, without hidden files. */
import type { Viewer } from '../accounts/access.ts'
import type { Disk } from '../files/disk.ts'
import { bytesOfText, componentsOf, joinPath, rawOf } from '../files/names.ts'
import { isWithin } from '../files/overlap.ts'
import { type WalkedDirectory, walk } from '../survey/walk.ts'
import { isDotRaw } from './dot-names.ts'
import { absoluteRaw, type FilePlace, type FilePlaces } from './places.ts'
import { nameOnWire } from './virtual-path.ts'

export interface VisibleDirectory extends WalkedDirectory {
  /** Path in the encoding of the protocol. */
  virtual: string
}

export function createWalking({ disk, places }: { disk: Disk; places: FilePlaces }) {
  function identityOf(place: FilePlace, path: Uint8Array): string | null {
    try {
      const facts = disk.stat({ root: place.at.root, path })
      return facts === null ? null : `${facts.device}:${facts.inode}`
    } catch {
      // The entry's folder was replaced since it was listed, or cannot be entered.
      return null
    }
  }

  /** Returns a test for the data directory, by its path and by its identity, since it may also be mounted elsewhere. */
  async function dataDirectoryTest(place: FilePlace): Promise<(path: Uint8Array) => boolean> {
    const data = await places.dataDirectory()
    if (data === null) return () => false
    const { root } = place.at
    const raw = rawOf(bytesOfText(data.path))
    return path => isWithin(absoluteRaw({ root, path }), raw) || identityOf(place, path) === data.identity
  }

  return {
    /**
     * Yields the folder and all folders below it, each with its entries. Leaves out names that begin with a dot, the
     * data directory, and files of hidden items. Links are listed and not followed. Lets other work run in between.
     */
    async *below(
      viewer: Viewer,
      place: FilePlace,
      signal?: AbortSignal,
    ): AsyncGenerator<VisibleDirectory, void, undefined> {
      const isData = await dataDirectoryTest(place)
      const hiddenFiles = await places.hidden(viewer)
      const dataPaths = new Set<string>()
      const options = {
        below: place.at.path,
        ignored: isDotRaw,
        exclusionMarkers: new Set<string>(),
        isLeftOut: (path: Uint8Array) => dataPaths.has(rawOf(path)),
        ...(signal === undefined ? {} : { signal }),
      }
      for await (const directory of walk(place.at.root, options)) {
        const isHidden = await hiddenFiles.namesIn(absoluteRaw({ root: place.at.root, path: directory.path }))
        const entries = directory.entries.filter(({ kind, name, raw }) => {
          const path = joinPath(directory.path, name)
          if (kind !== 'dir') return isHidden?.(raw) !== true
          if (!isData(path)) return true
          dataPaths.add(rawOf(path))
          return false
        })
        yield { ...directory, entries, virtual: virtualFolder(place, directory.path) }
      }
    },

    /** The roots that are not inside another root, so that each entry is visited once. */
    async outermost(viewer: Viewer): Promise<FilePlace[]> {
      const roots = (await places.roots(viewer)).filter(root => root.isThere)
      const outer = roots.filter(
        root => !roots.some(other => other !== root && isWithin(root.directory, other.directory)),
      )
      return places.findAll(
        viewer,
        outer.map(({ name }) => `/${nameOnWire(bytesOfText(name))}`),
      )
    },
  }
}

export type Walking = ReturnType<typeof createWalking>

function virtualFolder(place: FilePlace, path: Uint8Array): string {
  const { length } = place.at.path
  const names = componentsOf(path.subarray(length === 0 ? 0 : length + 1)) ?? []
  return [place.virtual, ...names.map(nameOnWire)].join('/')
}
