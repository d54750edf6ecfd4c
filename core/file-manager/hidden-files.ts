/** Files of hidden items, which do not exist in the file manager for a session that is not unlocked. */
import { keyKinds } from '../../schema/keys.ts'
import { itemState } from '../../schema/tables/items.ts'
import { showsHiddenTo, type Viewer } from '../accounts/access.ts'
import { isWithin } from '../files/overlap.ts'
import { hidesAnything, isHiddenItem } from '../filter/hidden-items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { mayBeSidecarOf, sidecarKey, sidecarKeyLength } from '../metadata/xmp/sidecar-names.ts'
import { stemAndExtension } from '../survey/unit-names.ts'

/** A directory of a collection, and where the edited versions of its files lie; absolute, one character a byte. */
export interface HidingCollection {
  id: number
  directory: string
  /** null: there is no variants path, or it is not there. */
  variants: string | null
}

/** What is hidden in directories. Directories are absolute; they and names are bytes, one character each. */
export interface HiddenFiles {
  /** Is this one name hidden? */
  has(directory: string, name: string): boolean
  /** The hidden names of a directory, or null when there are none. Yields to other work. */
  namesIn(directory: string): Promise<((name: string) => boolean) | null>
  /** Does any file of a hidden item lie in the directory or below it? */
  isBelow(directory: string): boolean
}

const nothingHidden: HiddenFiles = { has: () => false, namesIn: async () => null, isBelow: () => false }

/** Names that are checked before yielding to other work. */
const namesAtOnce = 2_000
/** No name has such bytes. */
const afterAllNames = Buffer.from([0xff, 0xff])

interface HiddenRow {
  name: Uint8Array
  role: string
}

const bytesOf = (text: string) => Buffer.from(text, 'latin1')
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** The path of a directory below another one that holds it or is it. */
function pathBelow(inner: string, outer: string): Buffer {
  return bytesOf(inner.slice(outer.length).replace(/^\//, ''))
}

/** Whether files of hidden items lie in a directory of a collection or below it; `dir` is its path in the collection. */
export function hasHiddenBelow(db: LibraryDatabase, collectionId: number, dir: Buffer): boolean {
  const inDirectory = `FROM items AS i JOIN dirs AS d ON d.id = i.dir_id WHERE i.collection_id = ?1
    AND (?2 = X'' OR d.path_bytes = ?2 OR substr(d.path_bytes, 1, ?3) = ?4)`
  return (
    db.get(
      `SELECT 1 ${inDirectory} AND i.state = ${itemState.hidden}
       UNION ALL SELECT 1 ${inDirectory} AND i.state = ${itemState.deleted} AND ${isHiddenItem}
       UNION ALL SELECT 1 ${inDirectory} AND i.missing IS NULL AND i.id IN (SELECT k.item_id
         FROM pending_hide AS p JOIN keyed AS k ON k.key = p.keystring_id * 4 + ${keyKinds.keystring})
       LIMIT 1`,
      collectionId,
      dir,
      dir.length + 1,
      Buffer.concat([dir, bytesOf('/')]),
    ) !== null
  )
}

export function hiddenFilesFor(
  db: LibraryDatabase,
  viewer: Viewer,
  collections: readonly HidingCollection[],
): HiddenFiles {
  if (showsHiddenTo(viewer) || !hidesAnything(db)) return nothingHidden

  /** Files of hidden items in a directory of a collection whose names are at least `from` and before `to`. */
  function hiddenBetween(collectionId: number, dir: Buffer, from: Uint8Array, to: Uint8Array): HiddenRow[] {
    return db.all<HiddenRow>(
      `SELECT f.name_bytes AS name, f.role FROM dirs AS d CROSS JOIN files AS f ON f.dir_id = d.id
         CROSS JOIN items AS i ON i.id = f.item_id
       WHERE d.collection_id = ? AND d.path_bytes = ? AND f.name_bytes >= ? AND f.name_bytes < ? AND ${isHiddenItem}`,
      collectionId,
      dir,
      from,
      to,
    )
  }

  /** Missing hidden items have no files, but one may have come back since the last scan. */
  function missingBetween(collectionId: number, dir: Buffer, from: string, to: string): HiddenRow[] {
    return db.all<HiddenRow>(
      `SELECT CAST(i.name AS BLOB) AS name, 'main' AS role FROM items AS i JOIN dirs AS d ON d.id = i.dir_id
       WHERE i.collection_id = ? AND i.state = ${itemState.missing} AND d.path_bytes = ?
         AND i.name COLLATE NOCASE >= ? AND i.name COLLATE NOCASE < ? AND ${isHiddenItem}`,
      collectionId,
      dir,
      from,
      to,
    )
  }

  /** Hidden items whose files may have this name, or a sidecar of this name: all whose names have its key. */
  function hiddenLike(collectionId: number, dir: Buffer, name: string): HiddenRow[] {
    const key = sidecarKey(name)
    const from = bytesOf(key)
    // What follows the key is one of '(', '-' and '.', and '/' follows those in ASCII; after a key that was cut, anything.
    const to = Buffer.concat([from, key.length < sidecarKeyLength ? bytesOf('/') : afterAllNames])
    return [
      ...hiddenBetween(collectionId, dir, from, to),
      ...missingBetween(collectionId, dir, from.toString(), to.toString()),
    ]
  }

  /** All of a directory, some thousand names at a time. */
  async function hiddenIn(collectionId: number, dir: Buffer): Promise<HiddenRow[]> {
    const found = missingBetween(collectionId, dir, '', '\u{10ffff}')
    for (let from: Uint8Array = Buffer.of(); ; ) {
      const next = db.get<{ name: Uint8Array }>(
        `SELECT f.name_bytes AS name FROM dirs AS d CROSS JOIN files AS f ON f.dir_id = d.id
         WHERE d.collection_id = ? AND d.path_bytes = ? AND f.name_bytes >= ?
         ORDER BY f.name_bytes LIMIT 1 OFFSET ${namesAtOnce}`,
        collectionId,
        dir,
        from,
      )
      found.push(...hiddenBetween(collectionId, dir, from, next?.name ?? afterAllNames))
      if (next === null) return found
      from = next.name
      await Bun.sleep(0)
    }
  }

  /** A sidecar that the library knows as another item's is that one's. */
  function isOfShownItem(collectionId: number, dir: Buffer, name: string): boolean {
    return (
      db.get(
        `SELECT 1 FROM dirs AS d JOIN files AS f ON f.dir_id = d.id JOIN items AS i ON i.id = f.item_id
         WHERE d.collection_id = ? AND d.path_bytes = ? AND f.name_bytes = ? AND NOT ${isHiddenItem}`,
        collectionId,
        dir,
        bytesOf(name),
      ) !== null
    )
  }

  /** The files themselves, and sidecars beside them that no scan has seen yet. */
  function inCollection(collectionId: number, dir: Buffer, rows: readonly HiddenRow[]): (name: string) => boolean {
    const names = new Set(rows.map(({ name }) => textOf(name)))
    const media = Map.groupBy(
      rows.filter(({ role }) => role !== 'sidecar').map(({ name }) => textOf(name)),
      name => sidecarKey(name).toLowerCase(),
    )
    return name => {
      if (names.has(name)) return true
      if (!/\.(xmp|json)$/i.test(name)) return false
      const isAbout = media.get(sidecarKey(name).toLowerCase())?.some(one => mayBeSidecarOf(name, one)) ?? false
      return isAbout && !isOfShownItem(collectionId, dir, name)
    }
  }

  /** Edited versions have the stem of the file that they are of. */
  function inVariants(rows: readonly HiddenRow[]): (name: string) => boolean {
    const stems = new Set(
      rows.filter(({ role }) => role !== 'sidecar').map(({ name }) => stemAndExtension(textOf(name)).stem),
    )
    return name => stems.has(stemAndExtension(name).stem)
  }

  /** Where files of collections lie in a directory: in their own ones, and in those of edited versions. */
  function placesOf(directory: string) {
    return collections.flatMap(({ id, directory: own, variants }) => [
      ...(isWithin(directory, own) ? [{ id, dir: pathBelow(directory, own), isVariants: false }] : []),
      ...(variants !== null && isWithin(directory, variants)
        ? [{ id, dir: pathBelow(directory, variants), isVariants: true }]
        : []),
    ])
  }

  function judgeOf({ id, dir, isVariants }: ReturnType<typeof placesOf>[number], rows: readonly HiddenRow[]) {
    return isVariants ? inVariants(rows) : inCollection(id, dir, rows)
  }

  function isBelowPlace(collectionId: number, directory: string, own: string): boolean {
    if (isWithin(own, directory)) return hasHiddenBelow(db, collectionId, Buffer.of())
    return isWithin(directory, own) && hasHiddenBelow(db, collectionId, pathBelow(directory, own))
  }

  return {
    has: (directory, name) =>
      placesOf(directory).some(place => judgeOf(place, hiddenLike(place.id, place.dir, name))(name)),
    async namesIn(directory) {
      const judges: ((name: string) => boolean)[] = []
      for (const place of placesOf(directory)) {
        const rows = await hiddenIn(place.id, place.dir)
        if (rows.length > 0) judges.push(judgeOf(place, rows))
      }
      return judges.length === 0 ? null : name => judges.some(judge => judge(name))
    },
    isBelow: directory =>
      collections.some(
        ({ id, directory: own, variants }) =>
          isBelowPlace(id, directory, own) || (variants !== null && isBelowPlace(id, directory, variants)),
      ),
  }
}
