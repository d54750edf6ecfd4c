/** A list's cursor: its row, the visible rows, and its keys. */
import { useEffect, useState } from 'react'
import type { Binding } from '../keys.ts'

/** `top`: index of the first visible row; `keys`: arrow keys, pages, ends. */
export type ListState = ReturnType<typeof useList>

/** A list that is loaded as a whole, with everything that `Table` needs. */
export type RowList<T> = ReturnType<typeof useRows<T>>

type Id = string | number

/** The first visible row that keeps the cursor visible with the least scrolling. */
export function firstVisibleRow(cursor: number, top: number, total: number, height: number): number {
  const seen = Math.max(1, height)
  const within = Math.min(Math.max(top, cursor - seen + 1), cursor)
  return Math.max(0, Math.min(within, total - seen))
}

/** The choice `by` positions after this one, cyclically. */
export function choiceAfter<T>(choices: readonly T[], now: T, by: number): T {
  return choices[(choices.indexOf(now) + by + choices.length) % choices.length] ?? now
}

/** A cursor over `total` rows, of which `height` are visible. With `ids`, it stays on its row when other rows change. */
export function useList(total: number, height: number, ids?: readonly Id[]) {
  const [at, setAt] = useState<{ cursor: number; top: number; id: Id | null }>({ cursor: 0, top: 0, id: null })
  const followed = at.id === null || ids === undefined ? -1 : ids.indexOf(at.id)
  const cursor = Math.max(0, Math.min(followed >= 0 ? followed : at.cursor, total - 1))
  const top = firstVisibleRow(cursor, at.top, total, height)
  useEffect(() => {
    const id = ids?.[cursor] ?? null
    // Until rows are loaded, the initial row is kept.
    if (total > 0 && (at.cursor !== cursor || at.top !== top || at.id !== id)) setAt({ cursor, top, id })
  })

  function set(index: number) {
    const next = Math.max(0, Math.min(index, total - 1))
    setAt({ cursor: next, top: firstVisibleRow(next, top, total, height), id: ids?.[next] ?? null })
  }
  const when = total > 1
  const page = Math.max(1, height - 1)
  const move = (keys: string[], about: string, by: number): Binding => ({
    keys,
    about,
    when,
    moves: true,
    run: ({ times = 1 }) => set(cursor + by * times),
  })
  const keys: Binding[] = [
    { ...move(['up'], 'the row above or below', -1), shown: '↑↓', short: 'choose' },
    { ...move(['down'], 'the row below', 1), unlisted: true },
    move(['pgup', 'ctrl-u'], 'a page up', -page),
    move(['pgdn', 'ctrl-d'], 'a page down', page),
    { keys: ['g', 'home'], about: 'the first row', when, run: () => set(0) },
    { keys: ['G', 'end'], about: 'the last row', when, run: () => set(total - 1) },
  ]
  return { total, height, cursor, top, set, keys }
}

/** A cursor in these rows. With `keyOf`, it stays on its row when other rows change. */
export function useRows<T>(rows: readonly T[], height: number, keyOf?: (row: T) => Id) {
  const list = useList(rows.length, height, keyOf === undefined ? undefined : rows.map(keyOf))
  return { ...list, rowAt: (index: number): T | undefined => rows[index], here: rows[list.cursor] }
}

export function idOf<I extends Id>({ id }: { id: I }): I {
  return id
}
