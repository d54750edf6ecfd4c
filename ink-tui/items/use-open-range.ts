/** An open range in a list of items, kept by items while rows come and go. */
import { useEffect, useRef, useState } from 'react'
import { Failure } from '../../schema/errors.ts'
import { type Marks, rangeOf } from '../marks.ts'
import type { ListState } from '../parts/list.ts'
import { useStage } from '../stage.ts'
import { type ItemWindow, idsOf, type LoadPage } from './item-window.ts'

/** How far to search for rows that have moved. */
export const followedRows = 300

/** Ids of longer ranges are not remembered: a change in the list ends them. */
const rememberedRows = 5000

/** A range in a changing list: it consists of the marked items, not of positions. */
interface OpenRange {
  /** Ids of its rows by index, as far as they were loaded. */
  rows: ReadonlyMap<number, number>
  /** Items between its ends that came later, and were never marked. */
  out: ReadonlySet<number>
}

type Ends = NonNullable<ReturnType<typeof rangeOf>>

const noRange: OpenRange = { rows: new Map(), out: new Set() }

/** Whether a row has another item than was marked. Rows that are not loaded count as unchanged. */
function isMoved({ rows }: OpenRange, idAt: (index: number) => number | undefined): boolean {
  for (const [index, id] of rows) {
    const now = idAt(index)
    if (now !== undefined && now !== id) return true
  }
  return false
}

/** The range between its new ends: with the rows loaded since, and without those that it gave up. */
function grown(range: OpenRange, { from, to }: Ends, idAt: (index: number) => number | undefined): OpenRange {
  const rows = new Map<number, number>()
  for (let index = from; index <= to; index++) {
    const id = range.rows.get(index) ?? idAt(index)
    if (id !== undefined) rows.set(index, id)
  }
  return { rows, out: range.out }
}

function membersOf({ rows, out }: OpenRange): number[] {
  return [...rows.values()].filter(id => !out.has(id))
}

const isWhole = ({ rows }: OpenRange, { from, to }: Ends) => rows.size === to - from + 1

/**
 * The same items in the present list: `ids` are its rows from `first` on. Null where none is left. Items that came in
 * between, or took the place of a removed one, are not part of it.
 */
function followed(
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

type SetMarks = (change: (marks: Marks) => Marks) => void

export function useOpenRange(window: ItemWindow, load: LoadPage, list: ListState, marks: Marks, setMarks: SetMarks) {
  const stage = useStage()
  const { total, cursor } = list
  const { anchor } = marks
  // Positions alone would include what comes between.
  const open = useRef({ range: noRange, total: 0, version: -1, isMoving: false })
  const ends = rangeOf(marks, cursor)
  const idAt = (index: number) => window.rowAt(index)?.id
  const isShort = ends !== null && ends.to - ends.from < rememberedRows
  if (ends === null) open.current = { range: noRange, total, version: -1, isMoving: false }
  else if (!open.current.isMoving) {
    const { range, version } = open.current
    const now = window.version()
    const isOther = total !== open.current.total || (version !== now && isMoved(range, idAt))
    if (isOther) open.current.isMoving = true
    else open.current = { range: isShort ? grown(range, ends, idAt) : noRange, total, version: now, isMoving: false }
  }
  const { range, isMoving } = open.current
  const isKnown = ends !== null && (isMoving ? range.rows.size > 0 : isShort && isWhole(range, ends))
  const members = isKnown ? new Set(membersOf(range)) : null

  /** Those rows of the list, and as many around them as may have moved. */
  const rowsAbout = (first: number, count: number) => idsOf(load, first, count + 2 * followedRows)

  const [, setFollowed] = useState(0)
  async function follow(was: { anchor: number; cursor: number }) {
    const low = Math.min(was.anchor, was.cursor)
    const count = Math.abs(was.anchor - was.cursor) + 1
    const first = Math.max(0, low - followedRows)
    const version = window.version()
    let now: ReturnType<typeof followed> = null
    try {
      if (isWhole(open.current.range, { from: low, to: low + count - 1 }))
        now = followed(open.current.range, was, await rowsAbout(first, count), first)
    } finally {
      open.current = { range: now?.range ?? noRange, total: window.total() ?? 0, version, isMoving: false }
      if (now === null) setMarks(known => ({ ...known, anchor: null }))
    }
    if (now === null) return stage.notice('The list has changed: the range is cleared.')
    const { anchor: moved } = now
    setMarks(known => (known.anchor === null ? known : { ...known, anchor: moved }))
    // Drawn again even if the anchor stays.
    setFollowed(n => n + 1)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: begun once, when it is found to have moved
  useEffect(() => {
    if (isMoving && anchor !== null) stage.run(() => follow({ anchor, cursor }))
  }, [isMoving])

  async function ids(): Promise<number[]> {
    if (ends === null) return []
    const count = ends.to - ends.from + 1
    if (members === null && isMoving) throw new Failure('invalid', 'The list has changed: mark the range again.')
    if (members === null) return idsOf(load, ends.from, count)
    // Removed items are no targets.
    const there = new Set(await rowsAbout(Math.max(0, ends.from - followedRows), count))
    return [...members].filter(id => there.has(id))
  }
  return {
    /** Ids of its items; null: its ends define it. */
    members,
    /** Ids of its items, loaded where they are not known. */
    ids,
  }
}
