/** A list of items on a screen: its window, a cursor that follows its item, and marks. */
import { useEffect, useRef } from 'react'
import { Failure } from '../../schema/errors.ts'
import { figure } from '../../schema/figures.ts'
import { limits } from '../../schema/limits.ts'
import { isEmpty } from '../marks.ts'
import { type ListState, useList } from '../parts/list.ts'
import { useMarks } from '../parts/use-marks.ts'
import { type ItemWindow, type LoadPage, loadIdsInRange } from './item-window.ts'
import { useWindow } from './use-window.ts'

/** Maximum distance in rows to search for an item that has moved. */
const followedRows = 300

export type ItemList = ReturnType<typeof useItemList>

/** Keeps the cursor on its item when rows above change, so that a key never acts on another item. */
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

/** `key` identifies the list: another list starts at the top, without marks. */
export function useItemList(load: LoadPage, key: string, height: number) {
  const window = useWindow(load, key, height)
  const total = window.total()
  const list = useList(total ?? 0, height)
  const loadIds = (first: number, count: number) => {
    requireNotTooMany(count)
    return loadIdsInRange(load, first, count)
  }
  const marks = useMarks({ total, idAt: index => window.rowAt(index)?.id, loadIds }, list, { all: 'a', isShort: true })
  useFollowingCursor(window, key, list, marks.clear)
  const here = window.rowAt(list.cursor)
  const hasNone = isEmpty(marks.marks)

  async function targets(): Promise<number[]> {
    if (hasNone) return here === undefined ? [] : [here.id]
    requireNotTooMany(marks.count)
    const { all, ids } = marks.marks
    const inRange = new Set(await marks.rangeIds())
    if (all) return (await loadIdsInRange(load, 0, total ?? 0)).filter(id => !ids.has(id) || inRange.has(id))
    return [...inRange.union(ids)]
  }

  const [markKey, ...markKeys] = marks.keys
  /** Includes everything that `Table` needs. */
  return {
    ...list,
    rowAt: window.rowAt,
    here,
    /** False until the number of items is known. */
    isKnown: total !== null,
    isMarked: marks.isMarked,
    onSeen: window.setVisible,
    marked: marks.count,
    /** Ids of the marked items or, without marks, of the item at the cursor; loaded page by page. */
    targets,
    /** Number of items that `targets` would return; an upper limit while a marked range is not loaded. */
    count: hasNone ? (here === undefined ? 0 : 1) : marks.count,
    clear: marks.clear,
    reload: window.reload,
    markKey,
    markKeys,
    error: window.error(),
  }
}

function requireNotTooMany(count: number) {
  if (count <= limits.maxBulkItems) return
  throw new Failure(
    'invalid',
    `At most ${figure(limits.maxBulkItems)} items at once; ${figure(count)} are marked. Filter the list to mark fewer.`,
  )
}
