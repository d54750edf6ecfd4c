/** The queue of a screen saver: pictures in the server's order, fetched before they are needed. */
import type { Item } from '../../schema/api/items.ts'
import { limits } from '../../schema/limits.ts'

type Shown = Pick<Item, 'id' | 'type' | 'problem'>

/** Minimum number of waiting pictures; below it, more are loaded. At 15 seconds each, that is two minutes in advance. */
const minWaiting = 8

export interface SaverQueue<T extends Shown> {
  /** The next picture; null if three attempts brought none that can be shown. Rejects if an attempt fails. */
  next(): Promise<T | null>
  /** Puts back a picture that could not be shown now, as the first one. */
  putBack(item: T): void
  peek(count: number): T[]
}

export function createSaverQueue<T extends Shown>({
  fetch,
  canShow,
}: {
  /** Loads the next items of the round. */
  fetch: () => Promise<T[]>
  /** Whether the item can be shown here. */
  canShow: (item: T) => boolean
}): SaverQueue<T> {
  let waiting: T[] = []
  let pending: Promise<void> | null = null

  function load(): Promise<void> {
    pending ??= fetch()
      .then(items => {
        const known = new Map([...waiting, ...items].map(item => [item.id, item]))
        waiting = [...known.values()]
      })
      .finally(() => {
        pending = null
      })
    return pending
  }

  function takeShowable(): T | null {
    while (waiting.length > 0) {
      const item = waiting.shift()
      if (item !== undefined && canShow(item)) return item
    }
    return null
  }

  return {
    async next() {
      let item = takeShowable()
      for (let attempt = 0; item === null && attempt < limits.saverAttempts; attempt++) {
        await load()
        item = takeShowable()
      }
      // A failed request only matters when nothing is left to show.
      if (waiting.length < minWaiting) load().catch(() => {})
      return item
    },
    putBack(item) {
      waiting.unshift(item)
    },
    peek: count => waiting.filter(canShow).slice(0, count),
  }
}
