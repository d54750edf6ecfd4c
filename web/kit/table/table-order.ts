/** Which rows of a table are shown, and in what order. Pure. */
import { pageCount } from './pages.ts'

export interface Order {
  /** Name of the column; '' is the original order. */
  by: string
  descending: boolean
}

/** The order after a press on a column's head: ascending, then descending, then ascending again. */
export function nextOrder(order: Order, by: string): Order {
  return { by, descending: order.by === by && !order.descending }
}

/** Sorts rows; equal rows keep their original order in both directions. */
export function inOrder<Row>(
  rows: readonly Row[],
  compare: ((a: Row, b: Row) => number) | undefined,
  descending: boolean,
): readonly Row[] {
  if (compare === undefined) return rows
  return [...rows].sort((a, b) => (descending ? compare(b, a) : compare(a, b)))
}

/** The rows of a page; if the page no longer exists, those of the last one. */
export function pageOf<Row>(rows: readonly Row[], page: number, size: number): { rows: readonly Row[]; page: number } {
  const now = Math.max(1, Math.min(page, pageCount(rows.length, size)))
  return { rows: rows.slice((now - 1) * size, now * size), page: now }
}
