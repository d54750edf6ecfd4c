/** Skipped groups of duplicates, remembered in this browser. */
import { signal } from '@preact/signals-react'
import { z } from 'zod'
import { onStoredElsewhere, readStored, writeStored } from '../../kit/stored.ts'
import { type LeftGroups, stillThere, withLeft } from './duplicate-choice.ts'

const storedName = 'keepsake.duplicates-left'
const keys = z.array(z.string().max(10_000))
const shape = z.object({ exact: keys, near: keys })
const read = (): LeftGroups => readStored(storedName, shape) ?? { exact: [], near: [] }

export const leftGroups = signal<LeftGroups>(read())
onStoredElsewhere(storedName, () => {
  leftGroups.value = read()
})

function storeLeft(next: LeftGroups): void {
  leftGroups.value = next
  writeStored(storedName, next.exact.length + next.near.length === 0 ? null : next)
}

export function leaveGroup(kind: keyof LeftGroups, key: string): void {
  storeLeft(withLeft(leftGroups.peek(), kind, key))
}

export function takeLeftBack(kind: keyof LeftGroups): void {
  storeLeft({ ...leftGroups.peek(), [kind]: [] })
}

export function forgetGone(kind: keyof LeftGroups, there: readonly string[]): void {
  const next = stillThere(leftGroups.peek(), kind, there)
  if (next[kind].length < leftGroups.peek()[kind].length) storeLeft(next)
}
