/** All files of an item on the disk: those that a move takes along, and those that it must leave for other items. */
import { displayName, displayRaw, rawOf } from '../files/names.ts'
import type { DirectoryViews } from '../journal/directory-views.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { mediaKindOfName, presumedKind } from '../media/formats/sniff.ts'
import { groupSidecars } from '../metadata/xmp/sidecar-names.ts'
import type { DiskFile } from '../survey/found-unit.ts'
import { isSame } from '../survey/reconcile.ts'
import { type NamedMember, stemAndExtension } from '../survey/unit-names.ts'
import { fileOnDisk, filesOfItem } from './item-files.sql.ts'

export interface ItemFile extends NamedMember {
  file: DiskFile
  /** Id of the file's row, if it belongs to this item. */
  rowId: number | null
  /** Whether a scan has read the file in this state; false for a newer sidecar. */
  isKnown: boolean
  /** Whether another picture needs the file too, so that it has to stay (a shared sidecar). */
  stays: boolean
  /** For a file that stays: the item to which its row belongs afterwards. */
  newOwner: number | null
}

export interface ItemFiles {
  itemId: number
  dirId: number
  /** The item's directory, relative to the collection. */
  dir: Buffer
  /** The main file first. */
  files: ItemFile[]
  /** Rows of files that no longer exist. */
  staleRows: number[]
  /** The item's variants, in the same directory below the variants path. `shared`: may belong to another item. */
  variants: { file: DiskFile; shared: boolean }[]
}

const factsOf = ({ size, mtime, mtimeNs }: Pick<RowOfQuery<typeof filesOfItem>, 'size' | 'mtime' | 'mtimeNs'>) => ({
  size,
  mtimeSeconds: mtime,
  mtimeNanoseconds: mtimeNs,
})

type ByStem = ReadonlyMap<string, readonly DiskFile[]>

/** Files that belong to the media files of a directory. */
interface Companions {
  directory: string
  generation: number
  /** Sidecars by media file. */
  of: Map<string, string[]>
  /** Media files by sidecar. */
  users: Map<string, string[]>
  /** The media files, and the files in the variants path, by stem; both empty if there is no such path. */
  media: ByStem
  variants: ByStem
}

function byStem(files: Iterable<DiskFile>): ByStem {
  return Map.groupBy(files, ({ raw }) => stemAndExtension(raw).stem)
}

function companionsIn(views: DirectoryViews, variants: DirectoryViews | null, dir: Buffer): Companions {
  const files = views.files(dir)
  const mediaFiles = [...files.values()].filter(({ name }) => presumedKind(name) !== null)
  const media = mediaFiles.map(({ raw }) => raw)
  const of = new Map<string, string[]>()
  const users = new Map<string, string[]>()
  for (const [raw, sidecars] of groupSidecars([...files.keys()], media)) {
    const names = sidecars.map(({ name }) => name)
    of.set(raw, names)
    for (const name of names) users.set(name, [...(users.get(name) ?? []), raw])
  }
  return {
    directory: rawOf(dir),
    generation: views.generation(),
    of,
    users,
    media: byStem(variants === null ? [] : mediaFiles),
    variants: byStem(variants === null ? [] : variants.files(dir).values()),
  }
}

/** Finds the files of items of one collection. */
export function createItemFiles(db: LibraryDatabase, views: DirectoryViews, variants: DirectoryViews | null) {
  let known: Companions | null = null

  /** Computes a directory's companions once for all its items. Files that are moved in later do not change them. */
  function companions(dir: Buffer): Companions {
    if (known?.directory !== rawOf(dir) || known.generation !== views.generation())
      known = companionsIn(views, variants, dir)
    return known
  }

  const rowOf = (dirId: number, raw: string) => db.get(fileOnDisk, dirId, Buffer.from(raw, 'latin1'))

  function variantsOf(dir: Buffer, members: ReadonlySet<string>, type: 'image' | 'video'): ItemFiles['variants'] {
    const [main] = members
    if (main === undefined) return []
    const { stem } = stemAndExtension(main)
    const inDir = companions(dir)
    const found = (inDir.variants.get(stem) ?? []).filter(({ name }) => mediaKindOfName(name) === type)
    // If two pictures have the same stem, the variant may belong to either.
    const shared = (inDir.media.get(stem) ?? []).some(
      ({ raw, name }) => !members.has(raw) && mediaKindOfName(name) === type && views.file(dir, raw) !== null,
    )
    return found.map(file => ({ file, shared }))
  }

  return {
    /** The item's files, or a sentence that explains why they can't be moved now. */
    of(itemId: number, type: 'image' | 'video'): ItemFiles | string {
      const rows = db.all(filesOfItem, itemId)
      const [main] = rows
      if (main === undefined || main.role !== 'main') return 'Its file is missing.'
      const dir = Buffer.from(main.dirBytes)
      const found: ItemFile[] = []
      const staleRows: number[] = []
      for (const row of rows) {
        const raw = rawOf(row.nameBytes)
        const file = row.dirId === main.dirId ? views.file(dir, raw) : null
        if (file === null && row.role === 'main') return 'Its file is not where the last scan found it.'
        if (file === null) staleRows.push(row.id)
        else if (!isSame(file, factsOf(row))) return `${file.name} has changed since the last scan.`
        else if (row.role !== 'none')
          found.push({ raw, role: row.role, file, rowId: row.id, isKnown: true, stays: false, newOwner: null })
      }
      const members = new Set(found.map(({ raw }) => raw))
      const { of: sidecarsOf, users } = companions(dir)
      const wanted = new Set([...members].flatMap(raw => [raw, ...(sidecarsOf.get(raw) ?? [])]))
      for (const raw of wanted) {
        const others = (users.get(raw) ?? []).filter(user => !members.has(user) && views.file(dir, user) !== null)
        const file = views.file(dir, raw)
        const mine = found.find(one => one.raw === raw)
        if (file === null || (mine !== undefined && others.length === 0)) continue
        const owners = others.flatMap(user => rowOf(main.dirId, user)?.itemId ?? [])
        const shared = { stays: others.length > 0, newOwner: owners.find(id => id !== itemId) ?? null }
        if (mine !== undefined) {
          Object.assign(mine, shared)
          continue
        }
        const row = rowOf(main.dirId, raw)
        found.push({
          raw,
          role: 'sidecar',
          file,
          rowId: null,
          isKnown: row !== null && isSame(file, factsOf(row)),
          ...shared,
        })
      }
      const variants = variantsOf(dir, members, type)
      return { itemId, dirId: main.dirId, dir, files: found, staleRows, variants }
    },

    /** Path of the item's main file in its collection, for messages. */
    display: ({ dir, files }: ItemFiles): string => {
      const name = displayRaw(files[0]?.raw ?? '')
      return dir.length === 0 ? name : `${displayName(dir)}/${name}`
    },
  }
}

export type FilesOfItems = ReturnType<typeof createItemFiles>
