/** Skipped groups of duplicates, remembered in this browser. */
import { signal } from '@preact/signals-react'
import { z } from 'zod'
import { onStoredElsewhere, readStored, writeStored } from '../../kit/stored.ts'
import { type SkippedGroups, withoutRemoved, withSkipped } from './duplicate-choice.ts'

const storedName = 'keepsake.duplicates-left'
const keys = z.array(z.string().max(10_000))
const shape = z.object({ exact: keys, near: keys })
const read = (): SkippedGroups => readStored(storedName, shape) ?? { exact: [], near: [] }

export const skippedGroups = signal<SkippedGroups>(read())
onStoredElsewhere(storedName, () => {
  skippedGroups.value = read()
})

function storeSkipped(next: SkippedGroups): void {
  skippedGroups.value = next
  writeStored(storedName, next.exact.length + next.near.length === 0 ? null : next)
}

export function addSkippedGroup(kind: keyof SkippedGroups, key: string): void {
  storeSkipped(withSkipped(skippedGroups.peek(), kind, key))
}

export function clearSkippedGroups(kind: keyof SkippedGroups): void {
  storeSkipped({ ...skippedGroups.peek(), [kind]: [] })
}

export function forgetRemovedGroups(kind: keyof SkippedGroups, there: readonly string[]): void {
  const next = withoutRemoved(skippedGroups.peek(), kind, there)
  if (next[kind].length < skippedGroups.peek()[kind].length) storeSkipped(next)
}
