/** Finds the items of a collection that correspond to those of an export: by content, otherwise by path. */
import { bytesOfText } from '../../files/names.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { splitPath } from '../../moving/paths.ts'
import { itemOfMainFile, itemsWithContent } from '../exchange.sql.ts'
import type { ItemLine } from '../exporting/export-format.ts'

export type MatchedBy = 'content' | 'path'

export interface ItemMatch {
  id: number
  by: MatchedBy
}

export function createItemMatcher(db: LibraryDatabase, collectionId: number) {
  /** Items that are matched already, so that each copy of a picture is matched once. */
  const taken = new Set<number>()

  function withContent(content: string): number[] {
    return content === '' ? [] : db.all(itemsWithContent, content, collectionId).map(({ id }) => id)
  }

  function itemAtPath(path: string): number | null {
    const { dir, name } = splitPath(bytesOfText(path))
    return db.get(itemOfMainFile, collectionId, dir, name)?.id ?? null
  }

  function exact({ content, path }: ItemLine): number | null {
    const here = itemAtPath(path)
    return here !== null && withContent(content).includes(here) ? here : null
  }

  return {
    /** Reserves the item with the same path and content for its line. Call it with all lines before calling `find`. */
    reserve(line: ItemLine): void {
      const id = exact(line)
      if (id !== null) taken.add(id)
    },

    /** Returns the item of a line; null when the collection has none. */
    find(line: ItemLine): ItemMatch | null {
      const same = exact(line)
      if (same !== null) return { id: same, by: 'content' }
      const copy = withContent(line.content).find(id => !taken.has(id))
      const here = copy === undefined ? itemAtPath(line.path) : null
      const id = copy ?? (here !== null && !taken.has(here) ? here : null)
      if (id === null) return null
      taken.add(id)
      return { id, by: copy === undefined ? 'path' : 'content' }
    },
  }
}
