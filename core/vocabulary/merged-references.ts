/** Albums, screen savers and links that refer to a person or keystring by id: a merge updates them, undo restores them. */
import { and, eq, like } from 'drizzle-orm'
import { z } from 'zod'
import type { FilterEntry } from '../../schema/api/items.ts'
import { albums } from '../../schema/tables/albums.ts'
import { screensavers } from '../../schema/tables/screensavers.ts'
import { links } from '../../schema/tables/sharing.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { Merge, MergedPair } from './merge-jobs.ts'

const changedFilters = z.array(z.object({ id: z.int(), before: z.string(), after: z.string() }))
export const updatedReferences = z.object({ albums: changedFilters, savers: changedFilters, links: z.array(z.int()) })
export type UpdatedReferences = z.output<typeof updatedReferences>

const storedFilters = { albums: [albums, albums.query], savers: [screensavers, screensavers.filters] } as const

/** The stored parameters of a filter with the other id replaced in its groups; null if it does not contain that id. */
function replacedFilter(text: string, type: FilterEntry['type'], { id, otherId }: MergedPair): string | null {
  const parameters: { filtergroups: string } = JSON.parse(text)
  const groups: FilterEntry[][] = JSON.parse(parameters.filtergroups)
  const isOther = (entry: FilterEntry) => entry.type === type && entry.id === otherId
  if (!groups.flat().some(isOther)) return null
  const replaced = groups.map(group => group.map(entry => (isOther(entry) ? { ...entry, id } : entry)))
  return JSON.stringify({ ...parameters, filtergroups: JSON.stringify(replaced) })
}

function setFilter(tx: Transaction, kind: keyof typeof storedFilters, id: number, from: string, to: string): void {
  if (kind === 'albums')
    tx.orm
      .update(albums)
      .set({ query: to })
      .where(and(eq(albums.id, id), eq(albums.query, from)))
      .run()
  else
    tx.orm
      .update(screensavers)
      .set({ filters: to })
      .where(and(eq(screensavers.id, id), eq(screensavers.filters, from)))
      .run()
}

function updateFilters(tx: Transaction, kind: keyof typeof storedFilters, type: FilterEntry['type'], pair: MergedPair) {
  const [table, column] = storedFilters[kind]
  const rows = tx.orm.select({ id: table.id, before: column }).from(table).where(like(column, '%"filtergroups"%')).all()
  return rows.flatMap(({ id, before }) => {
    const after = before === null ? null : replacedFilter(before, type, pair)
    if (before === null || after === null) return []
    setFilter(tx, kind, id, before, after)
    return [{ id, before, after }]
  })
}

/** Makes everything that refers to the other person or keystring refer to the first one. */
export function updateReferences(tx: Transaction, kind: Merge['kind'], pair: MergedPair): UpdatedReferences {
  const type = kind === 'person' ? 'Person' : 'Keyword'
  const ofOther = and(eq(links.kind, 'person'), eq(links.subject, pair.otherId))
  const linked =
    kind === 'person'
      ? tx.orm.update(links).set({ subject: pair.id }).where(ofOther).returning({ id: links.id }).all()
      : []
  return {
    albums: updateFilters(tx, 'albums', type, pair),
    savers: updateFilters(tx, 'savers', type, pair),
    links: linked.map(({ id }) => id),
  }
}

/** Undoes `updateReferences`. A filter that was edited since stays as it is. */
export function restoreReferences(tx: Transaction, updated: UpdatedReferences, { id, otherId }: MergedPair): void {
  for (const kind of ['albums', 'savers'] as const)
    for (const { id: row, before, after } of updated[kind]) setFilter(tx, kind, row, after, before)
  for (const link of updated.links)
    tx.orm
      .update(links)
      .set({ subject: otherId })
      .where(and(eq(links.id, link), eq(links.subject, id)))
      .run()
}
