/** Marking rows of a list that is loaded as a whole: one by one, a range, all. */
import { useRef, useState } from 'react'
import type { Binding } from '../keys.ts'
import { allOrNone, isMarked, isNothing, type Marks, noMarks, rangeOf, toggled, withIds } from '../marks.ts'
import type { ListState } from './list.ts'

/** The message instead of acting on rows that were not marked. */
export const markedElsewhere = 'The marked rows are not in this list. Esc unmarks them.'

interface Row {
  id: number
}

/** Escape removes the marks before it leaves. */
export function useMarking<T extends Row>(rows: readonly T[], { cursor, set }: ListState) {
  const ids = rows.map(({ id }) => id)
  const [marks, setMarks] = useState<Marks>(noMarks)
  // Rows that come or go within an open range: marks stay with their rows.
  const drawn = useRef({ ids, cursor })
  const { current: before } = drawn
  const isChanged = ids.length !== before.ids.length || ids.some((id, n) => id !== before.ids[n])
  const open = rangeOf(marks, before.cursor)
  if (isChanged && open !== null) setMarks(withIds(marks, before.ids.slice(open.from, open.to + 1)))
  drawn.current = { ids, cursor }
  const when = ids.length > 0
  const has = ({ id }: Row, index: number) => isMarked(marks, cursor, index, id)
  const clear = () => setMarks(noMarks)
  function mark() {
    const id = ids[cursor]
    if (id === undefined) return
    setMarks(toggled(marks, id))
    set(cursor + 1)
  }
  function range() {
    const range = rangeOf(marks, cursor)
    setMarks(range === null ? { ...marks, anchor: cursor } : withIds(marks, ids.slice(range.from, range.to + 1)))
  }
  const keys: Binding[] = [
    { keys: ['space'], about: 'mark it', when, run: mark },
    { keys: ['v'], about: 'mark a range: v starts it, v ends it', when, run: range },
    { keys: ['A'], about: 'mark all, or none', when, run: () => setMarks(allOrNone(marks)) },
    { keys: ['esc'], about: 'unmark all', when: !isNothing(marks), run: clear },
  ]
  const marked = rows.filter(has)
  /** `isElsewhere`: none of the marked rows is in the list: they went meanwhile, or the list shows others. */
  return { isMarked: has, marked, isElsewhere: !isNothing(marks) && marked.length === 0, clear, keys }
}
