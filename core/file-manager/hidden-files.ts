/** Files of hidden items, which the file manager does not show to a session that is not unlocked. */
import { showsHiddenTo, type Viewer } from '../accounts/access.ts'
import { bytesOfRaw, rawOf } from '../files/names.ts'
import { isWithin } from '../files/overlap.ts'
import { hidesAnything } from '../filter/hidden-items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { mayBeSidecarOf, sidecarKey, sidecarKeyLength } from '../metadata/xmp/sidecar-names.ts'
import { stemAndExtension } from '../survey/unit-names.ts'
import {
  fileOfShownItem,
  hiddenBelow,
  hiddenFilesBetween,
  hiddenMissingBetween,
  nameAfterSome,
} from './file-manager.sql.ts'

/** The directory of a collection, or of the edited versions of its files; absolute, one character per byte. */
export interface HidingDirectory {
  id: number
  path: string
  isVariants: boolean
}

/** Finds hidden files in directories. Directories are absolute; they and names are bytes, one character each. */
export interface HiddenFiles {
  /** Whether this name is hidden. */
  has(directory: string, name: string): boolean
  /** A test for the hidden names of a directory; null if there are none. Yields to other work. */
  namesIn(directory: string): Promise<((name: string) => boolean) | null>
  /** Whether a file of a hidden item is in the directory or below it. */
  isBelow(directory: string): boolean
}

const nothingHidden: HiddenFiles = { has: () => false, namesIn: async () => null, isBelow: () => false }

/** Bytes that sort after all names in UTF-8. */
const afterAllNames = Buffer.from([0xff, 0xff])

type HiddenRow = RowOfQuery<typeof hiddenMissingBetween>

/** A hiding directory, or one below it; `dir` is the path from there. */
interface HidingPlace extends Omit<HidingDirectory, 'path'> {
  db: LibraryDatabase
  dir: Buffer
}

/** The relative path of a directory below one that contains it; '' if both are the same. */
export function pathBelow(inner: string, outer: string): Buffer {
  return bytesOfRaw(inner.slice(outer.length).replace(/^\//, ''))
}

/** Whether files of hidden items are in or below a directory of a collection; `dir` is its path in the collection. */
export function hasHiddenBelow(db: LibraryDatabase, collectionId: number, dir: Buffer): boolean {
  return db.get(hiddenBelow, collectionId, dir, dir.length + 1, Buffer.concat([dir, bytesOfRaw('/')])) !== null
}

/** Hidden items' files to which this name may belong, as a file or sidecar: they begin with its sidecar key. */
function hiddenRowsLike({ db, id, dir }: HidingPlace, name: string): HiddenRow[] {
  const key = sidecarKey(name)
  const from = bytesOfRaw(key)
  // The key is followed by '(', '-' or '.', which sort before '/'. A truncated key may be followed by any character.
  const to = Buffer.concat([from, key.length < sidecarKeyLength ? bytesOfRaw('/') : afterAllNames])
  return [
    ...db.all(hiddenFilesBetween, id, dir, from, to),
    ...db.all(hiddenMissingBetween, id, dir, from.toString(), to.toString()),
  ]
}

/** The files of hidden items in a directory. Queries 2,000 files at a time, and yields to other work. */
async function hiddenIn({ db, id, dir }: HidingPlace): Promise<HiddenRow[]> {
  const found = db.all(hiddenMissingBetween, id, dir, '', '\u{10ffff}')
  for (let from: Uint8Array = Buffer.of(); ; ) {
    const next = db.get(nameAfterSome, id, dir, from)
    found.push(...db.all(hiddenFilesBetween, id, dir, from, next?.name ?? afterAllNames))
    if (next === null) return found
    from = next.name
    await Bun.sleep(0)
  }
}

/** Returns a test for hidden names: the files, their sidecars (even unscanned), or edited versions with their stem. */
function hiddenTest({ db, id, dir, isVariants }: HidingPlace, rows: readonly HiddenRow[]): (name: string) => boolean {
  const ofMedia = rows.filter(({ role }) => role !== 'sidecar').map(({ name }) => rawOf(name))
  if (isVariants) {
    const stems = new Set(ofMedia.map(name => stemAndExtension(name).stem))
    return name => stems.has(stemAndExtension(name).stem)
  }
  const names = new Set(rows.map(({ name }) => rawOf(name)))
  const media = Map.groupBy(ofMedia, name => sidecarKey(name).toLowerCase())
  return name => {
    if (names.has(name)) return true
    if (!/\.(xmp|json)$/i.test(name)) return false
    const isAbout = media.get(sidecarKey(name).toLowerCase())?.some(one => mayBeSidecarOf(name, one)) ?? false
    // A sidecar of an item that is not hidden is not hidden either.
    return isAbout && db.get(fileOfShownItem, id, dir, bytesOfRaw(name)) === null
  }
}

export function hiddenFilesFor(
  db: LibraryDatabase,
  viewer: Viewer,
  directories: readonly HidingDirectory[],
): HiddenFiles {
  if (showsHiddenTo(viewer) || !hidesAnything(db)) return nothingHidden

  const placesOf = (directory: string): HidingPlace[] =>
    directories.flatMap(({ id, path, isVariants }) =>
      isWithin(directory, path) ? { db, id, dir: pathBelow(directory, path), isVariants } : [],
    )

  return {
    has: (directory, name) => placesOf(directory).some(place => hiddenTest(place, hiddenRowsLike(place, name))(name)),
    async namesIn(directory) {
      const tests: ((name: string) => boolean)[] = []
      for (const place of placesOf(directory)) {
        const rows = await hiddenIn(place)
        if (rows.length > 0) tests.push(hiddenTest(place, rows))
      }
      return tests.length === 0 ? null : name => tests.some(test => test(name))
    },
    isBelow: directory =>
      directories.some(({ id, path }) =>
        isWithin(path, directory)
          ? hasHiddenBelow(db, id, Buffer.of())
          : isWithin(directory, path) && hasHiddenBelow(db, id, pathBelow(directory, path)),
      ),
  }
}
