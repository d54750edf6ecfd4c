/** Which items of a collection are those of an export: by content, else by where they lie. */

import { bytesOfText } from '../../files/names.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import type { ItemLine } from '../exporting/export-format.ts'

/** How an item was found. */
export type MatchedBy = 'content' | 'path'

export interface ItemMatch {
  id: number
  by: MatchedBy
}

export function createItemMatcher(db: LibraryDatabase, collectionId: number) {
  /** Items that have theirs: copies of one picture are not mistaken for each other. */
  const taken = new Set<number>()

  function withContent(content: string): number[] {
    if (content === '') return []
    return db
      .all<{ id: number }>(
        'SELECT id FROM items WHERE content = ? AND collection_id = ? ORDER BY missing IS NOT NULL, id',
        content,
        collectionId,
      )
      .map(({ id }) => id)
  }

  function at(path: string): number | null {
    const slash = path.lastIndexOf('/')
    const row = db.get<{ id: number | null }>(
      `SELECT f.item_id AS id FROM dirs AS d JOIN files AS f ON f.dir_id = d.id AND f.role = 'main'
       WHERE d.collection_id = ? AND d.path_bytes = ? AND f.name_bytes = ?`,
      collectionId,
      bytesOfText(path.slice(0, Math.max(0, slash))),
      bytesOfText(path.slice(slash + 1)),
    )
    return row?.id ?? null
  }

  function exact({ content, path }: ItemLine): number | null {
    const here = at(path)
    return here !== null && withContent(content).includes(here) ? here : null
  }

  return {
    /** Every line is shown to this first: what lies where it lay, and is what it was, is nobody else's. */
    claim(line: ItemLine): void {
      const id = exact(line)
      if (id !== null) taken.add(id)
    },

    /** The item of a line; null when the collection has none. */
    find(line: ItemLine): ItemMatch | null {
      const same = exact(line)
      if (same !== null) return { id: same, by: 'content' }
      const copy = withContent(line.content).find(id => !taken.has(id))
      const here = copy === undefined ? at(line.path) : null
      const id = copy ?? (here !== null && !taken.has(here) ? here : null)
      if (id === null) return null
      taken.add(id)
      return { id, by: copy === undefined ? 'path' : 'content' }
    },
  }
}
