/** Composes items of the API from rows. Data that the rows refer to is loaded once for a whole page. */
import type { Item } from '../../schema/api/items.ts'
import { rightsOn, type Viewer } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import { type ItemView, itemJson } from './item-json.ts'
import type { StoredTags } from './item-row.ts'
import { type ListedRow, pathsOfDirectories, regionsOfItems } from './items.sql.ts'

export function createItemComposer({ db, words }: { db: LibraryDatabase; words: Vocabulary }) {
  /** Paths of the directories of these rows. The items of a page lie in few directories. */
  function dirsOf(rows: readonly ListedRow[]): Map<number, string> {
    const ids = new Set(rows.flatMap(({ dirId }) => dirId ?? []))
    if (ids.size === 0) return new Map()
    return new Map(db.all(pathsOfDirectories, JSON.stringify([...ids])).map(({ id, path }) => [id, path]))
  }

  function viewFor(viewer: Viewer, showsHidden: boolean, rows: readonly ListedRow[]): ItemView {
    return {
      words,
      dirs: dirsOf(rows),
      rightsOn: id => rightsOn(viewer, id),
      globalAdmin: viewer.globalAdmin,
      showsHidden,
      privateCollections: words.privateCollections(viewer),
    }
  }

  function regionsOf(ids: readonly number[]): Map<number, RowOfQuery<typeof regionsOfItems>[]> {
    return ids.length === 0
      ? new Map()
      : Map.groupBy(db.all(regionsOfItems, JSON.stringify(ids)), ({ itemId }) => itemId)
  }

  /** Composes items from rows; keystrings and regions are loaded once for all of them. */
  function compose(rows: readonly ListedRow[], view: ItemView): Item[] {
    // One text is parsed much faster than a hundred.
    const stored: StoredTags[] = JSON.parse(`[${rows.map(({ tags }) => tags).join(',')}]`)
    const unknown: number[] = []
    const boxed: number[] = []
    for (const [n, tags] of stored.entries()) {
      for (const tag of [tags.Keywords, tags.Category, tags.Author]) {
        for (const id of tag?.d ?? []) if (!words.hasCachedKeystring(id)) unknown.push(id)
      }
      const row = rows[n]
      if (row !== undefined && (tags.People?.d === true || tags.Object?.d === true)) boxed.push(row.id)
    }
    words.preloadKeystrings(unknown)
    const regions = regionsOf(boxed)
    return rows.map((row, n) => itemJson(row, stored[n] ?? {}, regions.get(row.id) ?? [], view))
  }

  return { viewFor, regionsOf, compose }
}

export type ItemComposer = ReturnType<typeof createItemComposer>
