/** A list of items on a screen: its window, a cursor that stays with its item, and what is marked. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Item } from '../schema/api/items.ts'
import { Failure } from '../schema/errors.ts'
import { limits } from '../schema/limits.ts'
import { createItemWindow, type ItemWindow, type LoadPage } from './item-window.ts'
import type { Binding } from './keys.ts'
import { coalesced, liveMs, ofCollections } from './live.ts'
import { allOrNone, isMarked, isNothing, type Marks, markedCount, noMarks, rangeOf, toggled, withIds } from './marks.ts'
import { type ListState, useList } from './parts/list.ts'
import { useStage } from './stage.ts'
import { figure } from './text.ts'

/** How far rows are looked for that have moved while the cursor was on them. */
const followedRows = 300

export interface ItemList {
  window: ItemWindow
  /** Null until it is known. */
  total: number | null
  list: ListState
  here: Item | undefined
  marked: number
  isMarked(item: Item, index: number): boolean
  /** Ids of what is marked, else of the item at the cursor; they are looked up page by page. */
  targets(): Promise<number[]>
  /** How many `targets` would answer, without asking. */
  count: number
  clear(): void
  /** Space; and v, a, Escape. */
  markKey: Binding
  keys: Binding[]
  error: unknown
}

/** `key` says which list it is: another one begins at its top, with nothing marked. */
export function useItemList(load: LoadPage, key: string, height: number): ItemList {
  const { session } = useStage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which list it is
  const window = useMemo(() => createItemWindow(load), [key])
  useSyncExternalStore(window.subscribe, window.version)
  const total = window.total()
  const list = useList({ total: total ?? 0, height })
  const [marks, setMarks] = useState<Marks>(noMarks)
  const place = useRef({ key, cursor: 0, id: 0 })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height changes what is seen, not what is followed
  useEffect(() => {
    window.see(0, height)
    const reloads = coalesced(async () => window.reload(), liveMs)
    const stop = session.follow(events => {
      if (events.some(ofCollections)) reloads.ask()
    })
    return () => {
      stop()
      reloads.close()
      window.close()
    }
  }, [window, session])

  useEffect(() => {
    if (place.current.key === key) return
    place.current = { key, cursor: 0, id: 0 }
    setMarks(noMarks)
    list.set(0)
  })

  const here = window.rowAt(list.cursor)
  // Rows come and go above the cursor: it stays with its item, so that a key never meets another one than was meant.
  useEffect(() => {
    const was = place.current
    const id = here?.id ?? 0
    if (was.cursor !== list.cursor || was.id === 0) {
      place.current = { key, cursor: list.cursor, id }
      return
    }
    if (id === was.id || id === 0) return
    for (let far = 1; far <= followedRows; far++) {
      const moved = [far, -far].find(by => window.rowAt(list.cursor + by)?.id === was.id)
      if (moved === undefined) continue
      place.current = { key, cursor: list.cursor + moved, id: was.id }
      setMarks(now => (now.anchor === null ? now : { ...now, anchor: now.anchor + moved }))
      list.set(list.cursor + moved)
      return
    }
    place.current = { key, cursor: list.cursor, id }
  })

  const marked = markedCount(marks, list.cursor, total ?? 0)

  async function drawn(): Promise<number[]> {
    const range = rangeOf(marks, list.cursor)
    if (range === null) return []
    const count = range.to - range.from + 1
    demandFew(count)
    return window.ids(range.from, count)
  }

  async function targets(): Promise<number[]> {
    if (isNothing(marks)) return here === undefined ? [] : [here.id]
    demandFew(marked)
    if (marks.all) return (await window.ids(0, total ?? 0)).filter(id => !marks.ids.has(id))
    return [...new Set([...marks.ids, ...(await drawn())])]
  }

  const stage = useStage()
  const isEmpty = (total ?? 0) === 0
  const markKey: Binding = {
    keys: ['space'],
    short: 'mark',
    about: 'mark the item, or take its mark',
    when: !isEmpty,
    run: () => {
      if (here === undefined) return
      setMarks(now => toggled(now, here.id))
      list.set(list.cursor + 1)
    },
  }
  const keys: Binding[] = [
    {
      keys: ['v'],
      short: marks.anchor === null ? 'range' : 'end range',
      about: 'mark a range: from here to where v is pressed again',
      when: !isEmpty,
      run: () => {
        if (marks.anchor === null) setMarks(now => ({ ...now, anchor: list.cursor }))
        else
          stage.run(async () => {
            const ids = await drawn()
            setMarks(now => withIds(now, ids))
          })
      },
    },
    {
      keys: ['a'],
      about: 'mark everything that the list has, or nothing',
      when: !isEmpty,
      run: () => setMarks(allOrNone),
    },
    { keys: ['esc'], about: 'take all marks', when: !isNothing(marks), run: () => setMarks(noMarks) },
  ]
  return {
    window,
    total,
    list,
    here,
    marked,
    isMarked: (item, index) => isMarked(marks, list.cursor, index, item.id),
    targets,
    count: isNothing(marks) ? (here === undefined ? 0 : 1) : marked,
    clear: () => setMarks(noMarks),
    markKey,
    keys,
    error: window.error(),
  }
}

function demandFew(count: number) {
  if (count <= limits.bulkItemsMost) return
  throw new Failure(
    'invalid',
    `At most ${figure(limits.bulkItemsMost)} items at once, and ${figure(count)} are marked: a filter makes them fewer.`,
  )
}
