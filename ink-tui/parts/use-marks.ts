/** Marks in a list that is loaded wholly or partly: single rows, a range, all. Their keys, and the ids they mark. */
import { useEffect, useRef, useState } from 'react'
import { Failure } from '../../schema/errors.ts'
import type { Binding } from '../keys.ts'
import {
  allOrNone,
  isEmpty,
  isMarked,
  type Marks,
  markedCount,
  noMarks,
  rangeOf,
  toggleMark,
  withIds,
} from '../marks.ts'
import { useUi } from '../ui.ts'
import { keysFor } from './keys-for.ts'
import type { ListState } from './list.ts'

/** Shown instead of acting on the row at the cursor, if rows are marked but none of them is in the list. */
export const markedElsewhere = 'The marked rows are not in this list. Esc unmarks them.'

/** Maximum rows of a range whose ids are remembered; a longer range is cleared when the list changes. */
const rememberedRows = 5000
/** Maximum distance that a row may have moved to count as still in the list. */
const followedRows = 300

interface MarkedList {
  /** Null until known. */
  total: number | null
  /** Returns undefined if the row is not loaded. */
  idAt: (index: number) => number | undefined
  /** Returns the ids of `count` rows, starting at index `first`; loads missing rows. */
  loadIds: (first: number, count: number) => Promise<number[]>
}

/**
 * Follows the rows of an open range. `known`: the ids of the range; null unless all of its rows are loaded. `kept`: null
 * until the list changes; then the ids of the range's rows that are still in the list, so that keys affect no others.
 */
function useChangedRange({ total, idAt }: MarkedList, range: ReturnType<typeof rangeOf>) {
  const drawn = useRef({ total, ids: new Map<number, number>() })
  if (range === null) {
    drawn.current = { total, ids: new Map() }
    return { known: null, kept: null }
  }
  const { from, to } = range
  const count = to - from + 1
  const before = drawn.current
  const isMoved = [...before.ids].some(([index, id]) => (idAt(index) ?? id) !== id)
  if (isMoved || (total !== null && total !== before.total)) {
    const there = new Set(Array.from({ length: count + 2 * followedRows }, (_, n) => idAt(from - followedRows + n)))
    const ids = [...before.ids.values()]
    return { known: null, kept: count > rememberedRows ? [] : ids.filter(id => there.has(id)) }
  }
  const ids = new Map<number, number>()
  for (let index = from; count <= rememberedRows && index <= to; index++) {
    const id = before.ids.get(index) ?? idAt(index)
    if (id !== undefined) ids.set(index, id)
  }
  drawn.current = { total, ids }
  return { known: ids.size === count ? [...ids.values()] : null, kept: null }
}

/** `all`: the key that marks all rows. `isShort`: whether the footer names the keys. */
export function useMarks(markedList: MarkedList, { cursor, set }: ListState, { all = 'A', isShort = false } = {}) {
  const ui = useUi()
  const [marks, setMarks] = useState<Marks>(noMarks)
  const range = rangeOf(marks, cursor)
  const { known, kept } = useChangedRange(markedList, range)
  const members = kept ?? known
  const total = markedList.total ?? 0
  const clear = () => setMarks(noMarks)

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once when the list has changed under an open range
  useEffect(() => {
    if (kept === null) return
    setMarks(now => withIds(now, kept))
    if (kept.length === 0) ui.notice('The list has changed: the range is cleared.')
  }, [kept !== null])

  async function rangeIds(): Promise<number[]> {
    if (range === null) return []
    if (members !== null) return members
    const ids = await markedList.loadIds(range.from, range.to - range.from + 1)
    if (ids[0] === (markedList.idAt(range.from) ?? ids[0]) && ids.at(-1) === (markedList.idAt(range.to) ?? ids.at(-1)))
      return ids
    throw new Failure('invalid', 'The list has changed: mark the range again.')
  }

  const isOpen = marks.anchor !== null
  const key = keysFor(ui, total > 0)
  const keys: readonly [Binding, ...Binding[]] = [
    key('space', isShort ? 'mark' : '', 'mark or unmark it', () => {
      const id = markedList.idAt(cursor)
      if (id === undefined) return
      setMarks(now => toggleMark(now, id))
      set(cursor + 1)
    }),
    key('v', isShort ? (isOpen ? 'end range' : 'range') : '', 'mark a range: v starts it, v ends it', async () => {
      if (!isOpen) return setMarks(now => ({ ...now, anchor: cursor }))
      const ids = await rangeIds()
      setMarks(now => withIds(now, ids))
    }),
    key(all, '', 'mark all, or none', () => setMarks(allOrNone)),
    keysFor(ui, !isEmpty(marks))('esc', '', 'unmark all', clear),
  ]
  return {
    marks,
    keys,
    clear,
    /** Whether a row is marked. After the list has changed under a range, only the range's remaining rows are. */
    isMarked: ({ id }: { id: number }, index: number) =>
      kept === null ? isMarked(marks, cursor, index, id) : kept.includes(id) || marks.all !== marks.ids.has(id),
    count: members === null || marks.all ? markedCount(marks, cursor, total) : new Set([...marks.ids, ...members]).size,
    rangeIds,
  }
}

/** Marks in a list that is loaded as a whole. */
export function useMarkedRows<T extends { id: number }>(rows: readonly T[], list: ListState) {
  const { marks, isMarked, clear, keys } = useMarks(
    {
      total: rows.length,
      idAt: index => rows[index]?.id,
      loadIds: async (first, count) => rows.slice(first, first + count).map(({ id }) => id),
    },
    list,
  )
  const marked = rows.filter(isMarked)
  /** `isElsewhere`: none of the marked rows is in the list, because they were removed or the list shows others. */
  return { isMarked, marked, isElsewhere: !isEmpty(marks) && marked.length === 0, clear, keys }
}
