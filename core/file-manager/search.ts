/** Finds names below a folder. */
import type { FileNode } from '../../schema/api/file-manager.ts'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import { foldForSearch } from '../../schema/search-text.ts'
import { requireGlobalAdmin, type Viewer } from '../accounts/access.ts'
import { noFolder } from './file-failures.ts'
import { nodeOf, wireNameOf } from './nodes.ts'
import type { FilePlace, FilePlaces } from './places.ts'
import type { Walking } from './walking.ts'

const normalized = (text: string) => foldForSearch(text).toLowerCase()

/** Returns a test for names: they contain the filter, or match it if it has `*` or `?`. Case is ignored. */
function matcher(filter: string): (name: string) => boolean {
  const wanted = normalized(filter)
  if (!/[*?]/.test(wanted)) return name => normalized(name).includes(wanted)
  // In a Glob, other characters are special too, and '**' has another meaning.
  const glob = new Bun.Glob(wanted.replace(/\*+/g, '*').replace(/[[\](){}!\\]/g, '\\$&'))
  return name => glob.match(normalized(name))
}

export function createFileSearch({ places, walking }: { places: FilePlaces; walking: Walking }) {
  async function* searchBelow(
    viewer: Viewer,
    folder: FilePlace | null,
    filter: string,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<FileNode[], boolean, undefined> {
    const matches = matcher(filter)
    let left: number = limits.maxFileSearch
    for (const place of folder === null ? await walking.outermost(viewer) : [folder]) {
      for await (const { virtual, entries } of walking.below(viewer, place, signal)) {
        const matching = entries.filter(entry => matches(wireNameOf(entry.raw)))
        if (matching.length > 0) yield matching.slice(0, left).map(entry => nodeOf(virtual, entry))
        if (matching.length > left) return true
        left -= matching.length
      }
    }
    return false
  }

  return {
    /** Yields entries below a folder (null: below all roots) whose names match. Returns whether there are more. */
    search(viewer: Viewer, folder: FilePlace | null, filter: string, signal?: AbortSignal) {
      requireGlobalAdmin(viewer)
      if (filter.trim() === '') throw new Failure('invalid', 'The search text is missing.', { field: 'filter' })
      if (folder !== null && places.requireEntry(folder).kind !== 'dir') throw noFolder(folder)
      return searchBelow(viewer, folder, filter.trim(), signal)
    },
  }
}
