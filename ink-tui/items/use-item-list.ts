/** A list of items on a screen: its window, a cursor that stays with its item, and what is marked. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { Failure } from '../../schema/errors.ts'
import { figure } from '../../schema/figures.ts'
import { limits } from '../../schema/limits.ts'
import type { Binding } from '../keys.ts'
import { coalesced, liveMs, ofCollections } from '../live.ts'
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
import { type ListState, useList } from '../parts/list.ts'
import { useStage } from '../stage.ts'
import { createItemWindow, type ItemWindow, type LoadPage } from './item-window.ts'
import { followed, grown, isMoved, isWhole, membersOf, noRange } from './open-range.ts'

/** How far rows are looked for that have moved while the cursor was on them. */
const followedRows = 300

/** Of longer ranges the ids are not remembered: a change in the list ends them. */
const rememberedRows = 5000

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
  const stage = useStage()
  const { session } = stage
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
      list.set(list.cursor + moved)
      return
    }
    place.current = { key, cursor: list.cursor, id }
  })

  // What the open range has, as the items it was drawn over: the places of its ends alone would take in what comes between.
  const open = useRef({ range: noRange, total: 0, version: -1, isMoving: false })
  const ends = rangeOf(marks, list.cursor)
  const idAt = (index: number) => window.rowAt(index)?.id
  const isShort = ends !== null && ends.to - ends.from < rememberedRows
  if (ends === null) open.current = { range: noRange, total: total ?? 0, version: -1, isMoving: false }
  else if (!open.current.isMoving) {
    const { range, version } = open.current
    const isOther = total !== open.current.total || (version !== window.version() && isMoved(range, idAt))
    if (isOther) open.current.isMoving = true
    else
      open.current = {
        range: isShort ? grown(range, ends, idAt) : noRange,
        total: total ?? 0,
        version: window.version(),
        isMoving: false,
      }
  }
  const { range: openRange, isMoving } = open.current
  const isKnown = ends !== null && (isMoving ? openRange.rows.size > 0 : isShort && isWhole(openRange, ends))
  const members = isKnown ? new Set(membersOf(openRange)) : null

  /** Those rows of the list, and as many about them as may have moved. */
  const rowsAbout = (first: number, count: number) => window.ids(first, count + 2 * followedRows)

  async function follow(was: { anchor: number; cursor: number }) {
    const low = Math.min(was.anchor, was.cursor)
    const count = Math.abs(was.anchor - was.cursor) + 1
    const first = Math.max(0, low - followedRows)
    const { range } = open.current
    const version = window.version()
    let now: ReturnType<typeof followed> = null
    try {
      if (isWhole(range, { from: low, to: low + count - 1 }))
        now = followed(range, was, await rowsAbout(first, count), first)
    } finally {
      open.current = { range: now?.range ?? noRange, total: window.total() ?? 0, version, isMoving: false }
      if (now === null) setMarks(marks => ({ ...marks, anchor: null }))
    }
    if (now === null) return stage.notice('The list has changed: the range is taken away.')
    const { anchor } = now
    setMarks(marks => (marks.anchor === null ? marks : { ...marks, anchor }))
    // Drawn anew also where the anchor stays.
    setFollowed(n => n + 1)
  }
  const [, setFollowed] = useState(0)
  const anchor = marks.anchor
  // biome-ignore lint/correctness/useExhaustiveDependencies: begun once, when it is found to have moved
  useEffect(() => {
    if (!isMoving || anchor === null) return
    stage.run(() => follow({ anchor, cursor: list.cursor }))
  }, [isMoving])

  const marked =
    members === null || marks.all
      ? markedCount(marks, list.cursor, total ?? 0)
      : new Set([...marks.ids, ...members]).size

  async function drawn(): Promise<number[]> {
    if (ends === null) return []
    const count = ends.to - ends.from + 1
    demandFew(count)
    if (members === null && isMoving) throw new Failure('invalid', 'The list has changed: mark the range again.')
    if (members === null) return window.ids(ends.from, count)
    // What went meanwhile is not there to be meant.
    const there = new Set(await rowsAbout(Math.max(0, ends.from - followedRows), count))
    return [...members].filter(id => there.has(id))
  }

  async function targets(): Promise<number[]> {
    if (isNothing(marks)) return here === undefined ? [] : [here.id]
    demandFew(marked)
    if (marks.all) return (await window.ids(0, total ?? 0)).filter(id => !marks.ids.has(id))
    return [...new Set([...marks.ids, ...(await drawn())])]
  }

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
    isMarked: (item, index) =>
      members === null
        ? isMarked(marks, list.cursor, index, item.id)
        : members.has(item.id) || marks.all !== marks.ids.has(item.id),
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
