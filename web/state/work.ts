/** Something that is done to many items, one call each: how far it is, and stopping it. */
import { signal } from '@preact/signals-react'
import type { Item } from '../../schema/api/items.ts'
import { isOutage, report } from './messages.ts'

export interface Work {
  /** 'Deleting' */
  text: string
  done: number
  total: number
  stop: () => void
}

/** What is under way; null when nothing is. */
export const work = signal<Work | null>(null)

/** Calls that run at once. */
const atOnce = 4

/**
 * Does it to each; answers those that it was done to. What failed is reported in the catalogue's words, once, and the rest is
 * done all the same; without a connection nothing more is tried.
 */
export async function doToEach(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
  { text, failure }: { text: string; failure: string },
): Promise<Item[]> {
  const done: Item[] = []
  let [next, stopped, finished] = [0, false, 0]
  const stop = () => {
    stopped = true
  }
  const tell = () => {
    if (items.length > 1) work.value = { text, done: finished, total: items.length, stop }
  }
  const go = async () => {
    while (!stopped) {
      const item = items[next++]
      if (item === undefined) return
      try {
        await act(item)
        done.push(item)
      } catch (error) {
        if (isOutage(error)) stop()
        report(error, failure)
      }
      finished++
      tell()
    }
  }
  tell()
  await Promise.all(Array.from({ length: atOnce }, go))
  if (work.peek()?.stop === stop) work.value = null
  return done
}
