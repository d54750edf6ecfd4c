/** The range that is being drawn in a list of items, kept as the items it was drawn over while rows come and go. */
import { useEffect, useRef, useState } from 'react'
import { Failure } from '../../schema/errors.ts'
import { type Marks, rangeOf } from '../marks.ts'
import type { ListState } from '../parts/list.ts'
import { useStage } from '../stage.ts'
import { type ItemWindow, idsOf, type LoadPage } from './item-window.ts'
import { followed, grown, isMoved, isWhole, membersOf, noRange } from './open-range.ts'

/** How far rows are looked for that have moved while the cursor was on them. */
export const followedRows = 300

/** Of longer ranges the ids are not remembered: a change in the list ends them. */
const rememberedRows = 5000

type SetMarks = (change: (marks: Marks) => Marks) => void

export function useOpenRange(window: ItemWindow, load: LoadPage, list: ListState, marks: Marks, setMarks: SetMarks) {
  const stage = useStage()
  const { total, cursor } = list
  const { anchor } = marks
  // The places of its ends alone would take in what comes between.
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

  /** Those rows of the list, and as many about them as may have moved. */
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
    if (now === null) return stage.notice('The list has changed: the range is taken away.')
    const { anchor: moved } = now
    setMarks(known => (known.anchor === null ? known : { ...known, anchor: moved }))
    // Drawn anew also where the anchor stays.
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
    // What went meanwhile is not there to be meant.
    const there = new Set(await rowsAbout(Math.max(0, ends.from - followedRows), count))
    return [...members].filter(id => there.has(id))
  }
  return {
    /** Ids of its items; null: its ends say which they are. */
    members,
    /** Ids of what is marked by it, looked up where they are not known. */
    ids,
  }
}
