/** The queue of a screen saver: pictures in the server's order, fetched before they are needed. */
import type { Item } from '../../schema/api/items.ts'
import { limits } from '../../schema/limits.ts'

type Shown = Pick<Item, 'id' | 'type' | 'problem'>

/** Load more when fewer pictures than this are left: at 15 seconds each, minutes before they are needed. */
const low = 8

export interface SaverQueue<T extends Shown> {
  /** The next picture; null if three attempts brought none that can be shown. Rejects if an attempt fails. */
  next(): Promise<T | null>
  /** Puts back a picture that could not be shown now, as the first one. */
  back(item: T): void
  ahead(count: number): T[]
}

export function createSaverQueue<T extends Shown>({
  fetch,
  suits,
}: {
  /** Loads the next items of the round. */
  fetch: () => Promise<T[]>
  /** Whether the item can be shown here. */
  suits: (item: T) => boolean
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

  function take(): T | null {
    while (waiting.length > 0) {
      const item = waiting.shift()
      if (item !== undefined && suits(item)) return item
    }
    return null
  }

  return {
    async next() {
      let item = take()
      for (let attempt = 0; item === null && attempt < limits.saverAttempts; attempt++) {
        await load()
        item = take()
      }
      // A failed request only matters when nothing is left to show.
      if (waiting.length < low) load().catch(() => {})
      return item
    },
    back(item) {
      waiting.unshift(item)
    },
    ahead: count => waiting.filter(suits).slice(0, count),
  }
}
