/** A range that is being drawn in a list whose rows come and go: it is the items that were marked, never mere places. Pure. */

export interface OpenRange {
  /** Ids of its rows by index, as far as they were seen. */
  rows: ReadonlyMap<number, number>
  /** Those between its ends that came later, and were never marked. */
  out: ReadonlySet<number>
}

export interface Ends {
  from: number
  to: number
}

export const noRange: OpenRange = { rows: new Map(), out: new Set() }

/** Has a row another item than was marked? Rows that are not at hand just now say nothing. */
export function isMoved({ rows }: OpenRange, idAt: (index: number) => number | undefined): boolean {
  for (const [index, id] of rows) {
    const now = idAt(index)
    if (now !== undefined && now !== id) return true
  }
  return false
}

/** The range from end to end: with what has been seen of it since, and without what it was taken back from. */
export function grown(range: OpenRange, { from, to }: Ends, idAt: (index: number) => number | undefined): OpenRange {
  const rows = new Map<number, number>()
  for (let index = from; index <= to; index++) {
    const id = range.rows.get(index) ?? idAt(index)
    if (id !== undefined) rows.set(index, id)
  }
  return { rows, out: range.out }
}

export function membersOf({ rows, out }: OpenRange): number[] {
  return [...rows.values()].filter(id => !out.has(id))
}

export function isWhole({ rows }: OpenRange, { from, to }: Ends): boolean {
  return rows.size === to - from + 1
}

/**
 * The same items in the list as it is now: `ids` are its rows from `first` on. Null where nothing of it is left. What has come
 * in between, and whatever stands at the cursor in place of an item that went, is not of it.
 */
export function followed(
  range: OpenRange,
  { anchor, cursor }: { anchor: number; cursor: number },
  ids: readonly number[],
  first: number,
): { range: OpenRange; anchor: number } | null {
  const members = new Set(membersOf(range))
  const places = new Map(ids.map((id, n) => [id, first + n]))
  const kept = [...members].flatMap(id => places.get(id) ?? []).sort((a, b) => a - b)
  const low = kept[0]
  const high = kept.at(-1)
  if (low === undefined || high === undefined) return null
  const began = range.rows.get(anchor)
  const ended = range.rows.get(cursor)
  const nearest = anchor <= cursor ? low : high
  const at = began !== undefined && members.has(began) ? (places.get(began) ?? nearest) : nearest
  const end = (ended === undefined ? undefined : places.get(ended)) ?? cursor
  const rows = new Map<number, number>()
  const out = new Set<number>()
  for (let index = Math.min(low, at, end); index <= Math.max(high, at, end); index++) {
    const id = ids[index - first]
    if (id === undefined) continue
    rows.set(index, id)
    if (!members.has(id)) out.add(id)
  }
  return { range: { rows, out }, anchor: at }
}
