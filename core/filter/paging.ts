/** Pages of a list: cursors, links and counts. */
import type { z } from 'zod'
import type { ItemSort, pageLinks } from '../../schema/api/items.ts'
import { Failure } from '../../schema/errors.ts'
import { albumSorts } from '../../schema/limits.ts'
import type { PagePosition } from './pages.sql.ts'
import { orderOf } from './pages.ts'

/** Where a page continues: after a position, or before it. */
export interface Cursor {
  sort: ItemSort
  side: 'after' | 'before'
  position: PagePosition
}

/** A cursor in its encoded form: opaque, but not secret. */
export function encodeCursor({ sort, side, position }: Cursor): string {
  return Buffer.from(JSON.stringify([sort, side === 'after' ? 1 : 0, position.value, position.id])).toString(
    'base64url',
  )
}

function invalidCursor(): Failure {
  return new Failure('invalid', 'This cursor does not belong to this list', { field: 'cursor' })
}

/** Decodes a cursor; `Failure('invalid')` when it is malformed, or of a list in another order. */
export function decodeCursor(text: string, sort: ItemSort): Cursor {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw invalidCursor()
  }
  if (!Array.isArray(parts) || parts.length !== 4) throw invalidCursor()
  const [ofSort, side, value, id]: unknown[] = parts
  const { column } = orderOf(sort)
  const isValue =
    column === 'name'
      ? typeof value === 'string'
      : column === 'hand'
        ? typeof value === 'number' && Number.isFinite(value)
        : Number.isSafeInteger(value)
  if (!albumSorts.some(allowed => allowed === ofSort) || ofSort !== sort || !isValue) throw invalidCursor()
  if ((side !== 0 && side !== 1) || typeof id !== 'number' || !Number.isSafeInteger(id)) throw invalidCursor()
  if (typeof value !== 'string' && typeof value !== 'number') throw invalidCursor()
  return { sort, side: side === 1 ? 'after' : 'before', position: { value, id } }
}

/** What is known of a page when its links are built. */
export interface PageFacts {
  /** Path and query that all links share, without page and cursor; it ends with '?', or has parameters. */
  base: string
  sort: ItemSort
  limit: number
  page: number
  total: number
  /** The cursor of the request. */
  cursor: string | null
  /** Positions of the page's first and last item; null when it has none. */
  first: PagePosition | null
  last: PagePosition | null
  hasNext: boolean
  hasPrevious: boolean
}

/** Links of a page; null if there is no such page. A cursor stays correct while items change; `page` is for display. */
export function linksOf(facts: PageFacts): z.output<typeof pageLinks> {
  const { base, sort, page, cursor } = facts
  const pages = Math.max(1, Math.ceil(facts.total / facts.limit))
  const separator = base.endsWith('?') ? '' : '&'
  const to = (number: number, at: string | null) =>
    `${base}${separator}page=${number}${at === null ? '' : `&cursor=${encodeURIComponent(at)}`}`
  const beside = (side: Cursor['side'], position: PagePosition | null) =>
    position === null ? null : encodeCursor({ sort, side, position })
  const previous = Math.max(1, page - 1)
  return {
    self: to(page, cursor),
    first: to(1, null),
    prev: facts.hasPrevious ? to(previous, beside('before', facts.first)) : null,
    next: facts.hasNext ? to(page + 1, beside('after', facts.last)) : null,
    last: to(pages, null),
  }
}
