/**
 * Chooses the path of a new item in a collection. In a managed collection, items with a date get a path from its formats
 * for folders and names; all other items keep their relative path.
 */
import { rawOf } from '../files/names.ts'
import { foldersOf, stemOf } from '../survey/folder-format.ts'
import { stemAndExtension } from '../survey/unit-names.ts'
import type { MoveSide } from './item-moves.ts'

export interface NewItemFacts {
  /** Relative path of its directory at the source, bytes. */
  dir: Buffer
  /** Names of its files, one character per byte; the main file's first. */
  raws: readonly string[]
  taken: number
  /** Whether `taken` may be used for sorting. A file's own time is used only if the user asked for guesses. */
  sortsByDate: boolean
  category: string | null
}

/** Chooses directory and stem for an item, with a number if the name is taken. Reserves nothing. */
export function newPlace(
  side: MoveSide,
  { dir, raws, taken, sortsByDate, category }: NewItemFacts,
): { dir: Buffer; stem: string } {
  const { collection, views } = side
  const [main = ''] = raws
  if (collection.managed === 1 && sortsByDate) {
    const facts = { taken, category }
    const into = views.spelled(foldersOf(collection.folder_format, facts))
    const stem = rawOf(Buffer.from(stemOf(collection.file_format, facts)))
    return { dir: into, stem: views.freeStem(into, stem, []) }
  }
  return { dir, stem: views.freeStem(dir, stemAndExtension(main).stem, raws) }
}
