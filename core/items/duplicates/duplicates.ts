/** Items of the same content, and items that look alike: groups to review. */
import type { z } from 'zod'
import type { Duplicate, itemCalls } from '../../../schema/api/items.ts'
import { limits } from '../../../schema/limits.ts'
import { itemState } from '../../../schema/tables/items.ts'
import { collectionsWith, requireSignedIn, type Viewer } from '../../accounts/access.ts'
import { allOf, type BoundStatement } from '../../filter/bound.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { idsIn, joined, raw, sql } from '../../kernel/database/sql-fragment.ts'
import type { Items } from '../items.ts'
import { changesOfItems, exactGroups, lastSearch, nearGroups, sizesOfItems } from './duplicates.sql.ts'

type Duplicates = z.output<(typeof itemCalls)['duplicates']['output']>

interface Found {
  change: string
  groups: readonly string[]
}

/** Number of queries whose groups are cached until something changes. */
const maxCached = 5

export function createDuplicates({ db, items }: { db: LibraryDatabase; items: Items }) {
  const remembered = new Map<string, Found>()

  const searched = () => db.get(lastSearch)?.id ?? null

  /** All groups are computed and cached until something changes: computing one page would cost as much. */
  function groupsOf(statement: BoundStatement<{ ids: string }>): readonly string[] {
    // Near groups depend on the items, and on the result of the last job.
    const change = `${db.get(changesOfItems)?.items}.${searched()}`
    const key = JSON.stringify([statement.text, statement.values])
    const known = remembered.get(key)
    if (known?.change === change) return known.groups
    const groups = allOf(db, statement).map(({ ids }) => ids)
    if (remembered.size >= maxCached) remembered.clear()
    remembered.set(key, { change, groups })
    return groups
  }

  return {
    /**
     * Lists groups of at least two items that the viewer may edit and sees without unlocking; those with most bytes
     * first, since there the most can be saved. The kind `near` lists the groups that the last `duplicates` job found.
     */
    list(
      viewer: Viewer,
      { collectionId }: { collectionId: number },
      query: { kind?: 'exact' | 'near' | undefined; page?: number | undefined; limit?: number | undefined },
    ): Duplicates {
      requireSignedIn(viewer)
      const { kind = 'exact', page = 1, limit = limits.pageSize } = query
      const mine = collectionsWith(viewer, 'update')
      const conditions = [
        sql`i.state = ${raw(String(itemState.shown))}`,
        ...(mine === 'all' ? [] : [sql`i.collection_id IN ${idsIn(mine)}`]),
        ...(collectionId === 0 ? [] : [sql`i.collection_id = ${collectionId}`]),
      ]
      const where = joined(conditions, ' AND ')
      const found = groupsOf(kind === 'exact' ? exactGroups(where) : nearGroups(where))
      const groups = found.slice((page - 1) * limit, page * limit).map(ids => ids.split(',').map(Number))
      const ids = groups.flat()
      const sizes = new Map(db.all(sizesOfItems, JSON.stringify(ids)).map(({ id, size }) => [id, size]))
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
        searched: searched() !== null,
      }
    },
  }
}

export type DuplicateGroups = ReturnType<typeof createDuplicates>
