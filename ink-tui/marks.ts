/** Marks in a list: single rows, an open range, or everything that matches the filter. Pure. */

export interface Marks {
  /** True if all rows except `ids` are marked. */
  all: boolean
  /** Marked ids or, with `all`, unmarked ones. */
  ids: ReadonlySet<number>
  /** Index where the range starts; the range extends to the cursor. */
  anchor: number | null
}

export const noMarks: Marks = { all: false, ids: new Set(), anchor: null }

export function rangeOf({ anchor }: Marks, cursor: number): { from: number; to: number } | null {
  return anchor === null ? null : { from: Math.min(anchor, cursor), to: Math.max(anchor, cursor) }
}

export function isMarked(marks: Marks, cursor: number, index: number, id: number): boolean {
  const range = rangeOf(marks, cursor)
  if (range !== null && index >= range.from && index <= range.to) return true
  return marks.all !== marks.ids.has(id)
}

/** Upper limit of the number of marked rows: rows that are also in the open range are counted twice. */
export function markedCount(marks: Marks, cursor: number, total: number): number {
  const range = rangeOf(marks, cursor)
  const inRange = range === null ? 0 : range.to - range.from + 1
  const outside = marks.all ? total - marks.ids.size : marks.ids.size
  return Math.max(0, Math.min(total, outside + inRange))
}

export function toggleMark(marks: Marks, id: number): Marks {
  const ids = new Set(marks.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ...marks, ids }
}

export function withIds(marks: Marks, more: readonly number[]): Marks {
  const ids = new Set(marks.ids)
  for (const id of more) {
    if (marks.all) ids.delete(id)
    else ids.add(id)
  }
  return { ...marks, ids, anchor: null }
}

/** Marks everything, or nothing if everything was marked. */
export function allOrNone(marks: Marks): Marks {
  return marks.all ? noMarks : { all: true, ids: new Set(), anchor: null }
}

export function isEmpty(marks: Marks): boolean {
  return !marks.all && marks.ids.size === 0 && marks.anchor === null
}
