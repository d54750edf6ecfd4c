/** A cursor in a list that may be long: where it stands, which rows are seen, and the keys that move it. */
import { useEffect, useState } from 'react'
import type { Binding } from '../keys.ts'

export interface ListState {
  cursor: number
  /** Index of the first row that is seen. */
  top: number
  set(index: number): void
  /** Arrows, pages, ends: a part of the screen's table. */
  keys: Binding[]
}

/** The first row that is seen so that the cursor is, moving as little as can be. */
export function topFor(cursor: number, top: number, total: number, height: number): number {
  const seen = Math.max(1, height)
  const within = Math.min(Math.max(top, cursor - seen + 1), cursor)
  return Math.max(0, Math.min(within, total - seen))
}

/**
 * A cursor over `total` rows of which `height` are seen. With `ids` (of short lists) it stays with its row when rows come and
 * go above it.
 */
export function useList({
  total,
  height,
  ids,
  start = 0,
}: {
  total: number
  height: number
  ids?: readonly (string | number)[]
  start?: number
}): ListState {
  const [at, setAt] = useState<{ cursor: number; top: number; id: string | number | null }>({
    cursor: start,
    top: 0,
    id: null,
  })
  const followed = at.id === null || ids === undefined ? -1 : ids.indexOf(at.id)
  const cursor = Math.max(0, Math.min(followed >= 0 ? followed : at.cursor, total - 1))
  const top = topFor(cursor, at.top, total, height)
  useEffect(() => {
    const id = ids?.[cursor] ?? null
    // Before anything is loaded the wish of the beginning stays.
    if (total > 0 && (at.cursor !== cursor || at.top !== top || at.id !== id)) setAt({ cursor, top, id })
  })

  function set(index: number) {
    const next = Math.max(0, Math.min(index, total - 1))
    setAt({ cursor: next, top: topFor(next, top, total, height), id: ids?.[next] ?? null })
  }
  const page = Math.max(1, height - 1)
  const keys: Binding[] = [
    {
      keys: ['up'],
      shown: '↑↓',
      short: 'choose',
      about: 'the row above or below',
      when: total > 1,
      moves: true,
      run: ({ times = 1 }) => set(cursor - times),
    },
    {
      keys: ['down'],
      about: 'the row below',
      unlisted: true,
      when: total > 1,
      moves: true,
      run: ({ times = 1 }) => set(cursor + times),
    },
    {
      keys: ['pgup', 'ctrl-u'],
      about: 'a page up',
      when: total > 1,
      moves: true,
      run: ({ times = 1 }) => set(cursor - page * times),
    },
    {
      keys: ['pgdn', 'ctrl-d'],
      about: 'a page down',
      when: total > 1,
      moves: true,
      run: ({ times = 1 }) => set(cursor + page * times),
    },
    { keys: ['g', 'home'], about: 'the first row', when: total > 1, run: () => set(0) },
    { keys: ['G', 'end'], about: 'the last row', when: total > 1, run: () => set(total - 1) },
  ]
  return { cursor, top, set, keys }
}
