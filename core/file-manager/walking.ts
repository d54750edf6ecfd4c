/** Walks what is below a folder, without what nobody is shown. */
import type { Viewer } from '../accounts/access.ts'
import type { Disk } from '../files/disk.ts'
import { bytesOfText, componentsOf, joinPath, rawOf } from '../files/names.ts'
import { isWithin } from '../files/overlap.ts'
import { type WalkedDirectory, walk } from '../survey/walk.ts'
import { isDotRaw } from './dot-names.ts'
import { absoluteRaw, type FilePlace, type Places } from './places.ts'
import { nameOnWire } from './virtual-path.ts'

export interface VisibleDirectory extends WalkedDirectory {
  /** As the protocol writes it. */
  virtual: string
}

export function createWalking({ disk, places }: { disk: Disk; places: Places }) {
  function identityOf(place: FilePlace, path: Uint8Array): string | null {
    try {
      const facts = disk.stat({ root: place.at.root, path })
      return facts === null ? null : `${facts.device}:${facts.inode}`
    } catch {
      // Gone since it was walked.
      return null
    }
  }

  /** Tells the data directory from others, by its path and by what it is: it may be mounted elsewhere too. */
  async function ownDirectory(place: FilePlace): Promise<(path: Uint8Array) => boolean> {
    const own = await places.dataDirectory()
    if (own === null) return () => false
    const { root } = place.at
    const raw = rawOf(bytesOfText(own.path))
    return path => isWithin(absoluteRaw({ root, path }), raw) || identityOf(place, path) === own.identity
  }

  return {
    /**
     * The folder and those below it, each with its entries: neither names that begin with a dot, nor the data directory, nor
     * files of items that are hidden from the viewer. Links are told and not followed. Others get their turn.
     */
    async *below(
      viewer: Viewer,
      place: FilePlace,
      signal?: AbortSignal,
    ): AsyncGenerator<VisibleDirectory, void, undefined> {
      const isOwn = await ownDirectory(place)
      const hiddenFiles = await places.hidden(viewer)
      const hidden = new Set<string>()
      const options = {
        below: place.at.path,
        ignored: isDotRaw,
        endMarkers: new Set<string>(),
        without: (path: Uint8Array) => hidden.has(rawOf(path)),
        ...(signal === undefined ? {} : { signal }),
      }
      for await (const directory of walk(place.at.root, options)) {
        const isHidden = await hiddenFiles.namesIn(absoluteRaw({ root: place.at.root, path: directory.path }))
        const entries = directory.entries.filter(({ kind, name, raw }) => {
          const path = joinPath(directory.path, name)
          if (kind !== 'dir') return isHidden?.(raw) !== true
          if (!isOwn(path)) return true
          hidden.add(rawOf(path))
          return false
        })
        yield { ...directory, entries, virtual: virtualFolder(place, directory.path) }
      }
    },

    /** The roots that are in no other one: what is in two is met once. */
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
