/** Items of the same content, and items that look alike: groups to review. */
import type { z } from 'zod'
import type { Duplicate, itemCalls } from '../../../schema/api/items.ts'
import { limits } from '../../../schema/limits.ts'
import { itemState } from '../../../schema/tables/items.ts'
import { collectionsWith, demandSignedIn, type Viewer } from '../../accounts/access.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { type Fragment, idsIn, joined, raw, sql } from '../../kernel/database/sql-fragment.ts'
import type { Items } from '../items.ts'

type Duplicates = z.output<(typeof itemCalls)['duplicates']['output']>

/** One group as it is found: ids of its items, joined by commas. */
interface GroupRow {
  ids: string
}

/** All groups of a question, in their order. */
interface Found {
  change: string
  groups: readonly string[]
}

/** Questions whose groups are remembered, while nothing changes. */
const mostRemembered = 5

export function createDuplicates({ db, items }: { db: LibraryDatabase; items: Items }) {
  const remembered = new Map<string, Found>()

  /** The last search for items that look alike; null where there was none. */
  function lastSearch(): number | null {
    return (
      db.get<{ id: number | null }>(`SELECT max(id) AS id FROM jobs WHERE kind = 'duplicates' AND state = 'done'`)
        ?.id ?? null
    )
  }

  /** What duplicates depend on: the items, and what the last job found. */
  function changeNow(): string {
    return `${db.get<{ items: number }>('SELECT items FROM change_counts')?.items}.${lastSearch()}`
  }

  /** Groups are found in one pass over all of them, once until something changes: a page at a time costs as much. */
  function groupsOf({ text, values }: Fragment): readonly string[] {
    const change = changeNow()
    const key = JSON.stringify([text, values])
    const known = remembered.get(key)
    if (known?.change === change) return known.groups
    const groups = db
      .all<GroupRow>(`SELECT ids FROM (${text}) ORDER BY bytes DESC, ids`, ...values)
      .map(({ ids }) => ids)
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(key, { change, groups })
    return groups
  }

  return {
    /**
     * Groups of at least two, of what the viewer may edit and sees without unlocking; the largest files first, as these
     * are worth most. `near` are the groups that the last `duplicates` job found.
     */
    list(
      viewer: Viewer,
      { collectionId }: { collectionId: number },
      query: { kind?: 'exact' | 'near' | undefined; page?: number | undefined; limit?: number | undefined },
    ): Duplicates {
      demandSignedIn(viewer)
      const { kind = 'exact', page = 1, limit = limits.pageSize } = query
      const mine = collectionsWith(viewer, 'update')
      const conditions = [
        sql`i.state = ${raw(String(itemState.shown))}`,
        ...(mine === 'all' ? [] : [sql`i.collection_id IN ${idsIn(mine)}`]),
        ...(collectionId === 0 ? [] : [sql`i.collection_id = ${collectionId}`]),
      ]
      const where = joined(conditions, ' AND ')
      const found = groupsOf(
        kind === 'exact'
          ? sql`SELECT group_concat(i.id) AS ids, sum(i.size) AS bytes
              FROM (SELECT content FROM items WHERE content <> '' GROUP BY content HAVING count(*) > 1) AS same
              CROSS JOIN items AS i INDEXED BY items_content ON i.content = same.content
              WHERE ${where} GROUP BY i.content HAVING count(*) > 1`
          : sql`SELECT group_concat(i.id) AS ids, sum(i.size) AS bytes FROM near_duplicates AS n
              CROSS JOIN items AS i ON i.id = n.item_id WHERE ${where} GROUP BY n.group_id HAVING count(*) > 1`,
      )
      const groups = found.slice((page - 1) * limit, page * limit).map(ids => ids.split(',').map(Number))
      const ids = groups.flat()
      const sizes = new Map(
        db
          .all<{ id: number; size: number }>(
            'SELECT id, size FROM items WHERE id IN (SELECT value FROM json_each(?))',
            JSON.stringify(ids),
          )
          .map(({ id, size }) => [id, size]),
      )
      const byId = new Map<number, Duplicate>(
        items.byIds(viewer, ids, undefined).map(item => [item.id, { ...item, size: sizes.get(item.id) ?? 0 }]),
      )
      return {
        _meta: { total_records: found.length, limit, page, count: groups.length },
        groups: groups.map(ids =>
          ids
            .sort((a, b) => a - b)
            .map(id => byId.get(id))
            .filter(item => item !== undefined),
        ),
        searched: lastSearch() !== null,
      }
    },
  }
}

export type DuplicateGroups = ReturnType<typeof createDuplicates>
