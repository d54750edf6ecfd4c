/** A list of items on a screen: its window, a cursor that stays with its item, and marks. */
import { useEffect, useRef, useState } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { Failure } from '../../schema/errors.ts'
import { figure } from '../../schema/figures.ts'
import { limits } from '../../schema/limits.ts'
import {
  allOrNone,
  isMarked,
  isNothing,
  type Marks,
  markedCount,
  noMarks,
  rangeOf,
  toggled,
  withIds,
} from '../marks.ts'
import { keysFor } from '../parts/keys-for.ts'
import { type ListState, useList } from '../parts/list.ts'
import { useStage } from '../stage.ts'
import { type ItemWindow, idsOf, type LoadPage } from './item-window.ts'
import { followedRows, useOpenRange } from './use-open-range.ts'
import { useWindow } from './use-window.ts'

export type ItemList = ReturnType<typeof useItemList>

/** Rows come and go above the cursor: it stays with its item, so that a key never acts on another one. */
function useFollowingCursor(window: ItemWindow, key: string, { cursor, set }: ListState, onOther: () => void) {
  const place = useRef({ key, cursor: 0, id: 0 })
  useEffect(() => {
    if (place.current.key === key) return
    place.current = { key, cursor: 0, id: 0 }
    onOther()
    set(0)
  })
  const id = window.rowAt(cursor)?.id ?? 0
  useEffect(() => {
    const was = place.current
    if (was.cursor === cursor && was.id !== 0) {
      if (id === was.id || id === 0) return
      for (let far = 1; far <= followedRows; far++) {
        const moved = [far, -far].find(by => window.rowAt(cursor + by)?.id === was.id)
        if (moved === undefined) continue
        place.current = { key, cursor: cursor + moved, id: was.id }
        return set(cursor + moved)
      }
    }
    place.current = { key, cursor, id }
  })
}

/** `key` identifies the list: another one begins at its top, without marks. */
export function useItemList(load: LoadPage, key: string, height: number) {
  const stage = useStage()
  const window = useWindow(load, key, height)
  const total = window.total() ?? 0
  const list = useList(total, height)
  const [marks, setMarks] = useState<Marks>(noMarks)
  const clear = () => setMarks(noMarks)
  useFollowingCursor(window, key, list, clear)
  const here = window.rowAt(list.cursor)
  const range = useOpenRange(window, load, list, marks, setMarks)
  const { members } = range
  const ends = rangeOf(marks, list.cursor)
  const marked =
    members === null || marks.all ? markedCount(marks, list.cursor, total) : new Set([...marks.ids, ...members]).size

  async function drawn(): Promise<number[]> {
    if (ends !== null) requireFew(ends.to - ends.from + 1)
    return range.ids()
  }

  async function targets(): Promise<number[]> {
    if (isNothing(marks)) return here === undefined ? [] : [here.id]
    requireFew(marked)
    if (marks.all) return (await idsOf(load, 0, total)).filter(id => !marks.ids.has(id))
    return [...new Set([...marks.ids, ...(await drawn())])]
  }

  const markWith = keysFor(stage, total > 0)
  const markKey = markWith('space', 'mark', 'mark or unmark the item', () => {
    if (here === undefined) return
    setMarks(now => toggled(now, here.id))
    list.set(list.cursor + 1)
  })
  const isOpen = marks.anchor !== null
  const about = 'mark a range: v starts it, v ends it'
  const markKeys = [
    markWith('v', isOpen ? 'end range' : 'range', about, async () => {
      if (!isOpen) return setMarks(now => ({ ...now, anchor: list.cursor }))
      const ids = await drawn()
      setMarks(now => withIds(now, ids))
    }),
    markWith('a', '', 'mark all items of the list, or none', () => setMarks(allOrNone)),
    keysFor(stage, !isNothing(marks))('esc', '', 'unmark all', clear),
  ]
  /** It has everything that `Table` needs. */
  return {
    ...list,
    rowAt: window.rowAt,
    here,
    /** False until the number of items is known. */
    isKnown: window.total() !== null,
    isMarked: (item: Item, index: number) =>
      members === null
        ? isMarked(marks, list.cursor, index, item.id)
        : members.has(item.id) || marks.all !== marks.ids.has(item.id),
    onSeen: window.see,
    marked,
    /** Ids of the marked items, else of the item at the cursor; loaded page by page. */
    targets,
    /** How many `targets` would return. */
    count: isNothing(marks) ? (here === undefined ? 0 : 1) : marked,
    clear,
    reload: window.reload,
    markKey,
    markKeys,
    error: window.error(),
  }
}

function requireFew(count: number) {
  if (count <= limits.bulkItemsMost) return
  throw new Failure(
    'invalid',
    `At most ${figure(limits.bulkItemsMost)} items at once; ${figure(count)} are marked. Filter the list to mark fewer.`,
  )
}
