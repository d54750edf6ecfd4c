/** Rows of items as the contract's items: what they name is read in one go for all of a page. */
import type { Item } from '../../schema/api/items.ts'
import { rightsOn, type Viewer } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { type ItemColumns, itemJson, type RegionColumns, type Teller } from './item-json.ts'
import type { StoredTags } from './item-row.ts'

export function createItemComposer({ db, words }: { db: LibraryDatabase; words: Vocabulary }) {
  /** Paths of the directories that these rows lie in. The items of a page lie in few. */
  function dirsOf(rows: readonly ItemColumns[]): Map<number, string> {
    const ids = new Set<number>()
    for (const { dir_id } of rows) if (dir_id !== undefined) ids.add(dir_id)
    if (ids.size === 0) return new Map()
    const found = db.all<{ id: number; path: string }>(
      'SELECT id, path FROM dirs WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify([...ids]),
    )
    return new Map(found.map(({ id, path }) => [id, path]))
  }

  function tellerFor(viewer: Viewer, showsHidden: boolean, rows: readonly ItemColumns[]): Teller {
    return {
      words,
      dirs: dirsOf(rows),
      rightsOn: id => rightsOn(viewer, id),
      globalAdmin: viewer.globalAdmin,
      showsHidden,
      privateCollections: words.privateFrom(viewer),
    }
  }

  /** Boxes of those items that have any, by item. */
  function regionsOf(ids: readonly number[]): Map<number, RegionColumns[]> {
    const byItem = new Map<number, RegionColumns[]>()
    if (ids.length === 0) return byItem
    const rows = db.all<RegionColumns>(
      `SELECT r.id, r.item_id, r.type, r.person_id, r.object_id, r.x, r.y, r.width, r.height,
         (SELECT min(f.id) FROM faces AS f WHERE f.region_id = r.id) AS face_id
       FROM json_each(?) AS j CROSS JOIN regions AS r INDEXED BY regions_item ON r.item_id = j.value`,
      JSON.stringify(ids),
    )
    for (const row of rows) {
      const list = byItem.get(row.item_id)
      if (list === undefined) byItem.set(row.item_id, [row])
      else list.push(row)
    }
    return byItem
  }

  /** Rows as items; what they name is read in one go. */
  function compose(rows: readonly ItemColumns[], teller: Teller): Item[] {
    // One text is parsed much faster than a hundred.
    const stored: StoredTags[] = JSON.parse(`[${rows.map(({ tags }) => tags).join(',')}]`)
    const unknown: number[] = []
    const boxed: number[] = []
    for (const [n, tags] of stored.entries()) {
      for (const tag of [tags.Keywords, tags.Category, tags.Author]) {
        for (const id of tag?.d ?? []) if (!words.knowsKeystring(id)) unknown.push(id)
      }
      const row = rows[n]
      if (row !== undefined && (tags.People?.d === true || tags.Object?.d === true)) boxed.push(row.id)
    }
    words.learnKeystrings(unknown)
    const regions = regionsOf(boxed)
    return rows.map((row, n) => itemJson(row, stored[n] ?? {}, regions.get(row.id) ?? [], teller))
  }

  return { tellerFor, regionsOf, compose }
}
