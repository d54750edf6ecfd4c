/** Where a collection wants an item that comes from elsewhere: by its own format where it is managed, else where it was. */
import { rawOf } from '../files/names.ts'
import { foldersOf, stemOf } from '../survey/folder-format.ts'
import { stemAndExtension } from '../survey/unit-names.ts'
import type { MoveSide } from './item-moves.ts'

export interface Arriving {
  /** Relative path of its directory where it comes from, bytes. */
  dir: Buffer
  /** Names of its files, a character each byte; the main file's first. */
  raws: readonly string[]
  taken: number
  /** A date that only the file's own time tells is none to sort by. */
  dated: boolean
  category: string | null
}

/** Directory and stem for it, with a number where the name is taken. Nothing is taken by asking. */
export function newPlace(
  side: MoveSide,
  { dir, raws, taken, dated, category }: Arriving,
): { dir: Buffer; stem: string } {
  const { collection, views } = side
  const [main = ''] = raws
  if (collection.managed === 1 && dated) {
    const facts = { taken, category }
    const into = views.spelled(foldersOf(collection.folder_format, facts))
    const stem = rawOf(Buffer.from(stemOf(collection.file_format, facts)))
    return { dir: into, stem: views.freeStem(into, stem, []) }
  }
  return { dir, stem: views.freeStem(dir, stemAndExtension(main).stem, raws) }
}
