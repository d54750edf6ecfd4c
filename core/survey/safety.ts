/** Decides when a scan must not trust the disk: an unmounted one looks like a collection without files. */
import { statSync } from 'node:fs'
import { plural } from '../../schema/figures.ts'
import { codeOf, DiskError } from '../files/disk-error.ts'
import { bytesOfText } from '../files/names.ts'
import { systemCalls } from '../files/system-calls.ts'
import { createDirectoryReader } from './directory-reader.ts'

export type RootState =
  | { path: string; kind: 'absent' }
  | { path: string; kind: 'unreadable'; reason: string }
  /** `device`: its number as text. `empty`: it contains only hidden names and what file systems create themselves. */
  | { path: string; kind: 'present'; device: string; empty: boolean }

/** Contents of the root of an empty file system, or of a mount point without its disk. */
const systemNames = new Set(['lost+found', 'System Volume Information', '$RECYCLE.BIN'])

/** Stops reading at the first entry that belongs to the collection. */
function isEmpty(path: string): boolean {
  const directory = createDirectoryReader(systemCalls()).open(bytesOfText(path), [])
  let found = false
  try {
    let more = true
    while (more && !found) {
      more = directory.readNext([], raw => {
        found ||= !raw.startsWith('.') && !systemNames.has(raw)
        return true
      })
    }
  } finally {
    directory.close()
  }
  return !found
}

/** Checks a collection's directory. */
export function rootState(path: string): RootState {
  try {
    const device = String(statSync(path, { bigint: true }).dev)
    return { path, kind: 'present', device, empty: isEmpty(path) }
  } catch (error) {
    const code = codeOf(error)
    if (code === null) throw error
    return code === 'ENOENT'
      ? { path, kind: 'absent' }
      : { path, kind: 'unreadable', reason: new DiskError(code, '').reason }
  }
}

/** Why the state of a collection's files is unknown, as a sentence for users; null if its disk is available. */
export function unavailableReason(root: RootState): string | null {
  if (root.kind === 'unreadable') return `${root.path} cannot be read. ${root.reason}.`
  if (root.kind === 'absent') return `${root.path} is not there. Is its disk connected?`
  return root.empty ? `${root.path} is empty. Is its disk connected?` : null
}

/** A scan needs confirmation if more items than this, and also more than this fraction of all, vanish at once. */
const maxVanishing = 50
const maxVanishingShare = 0.1

/**
 * Why nothing may be marked missing now, as a sentence for users, or null. Called with `vanishing` 0 before a scan, and
 * after it with the number of items that it did not find. Another device number only stops a scan that misses items:
 * removable and network disks change it. An unreadable directory always stops it, whatever was accepted.
 */
export function stopReason(scan: {
  root: RootState
  /** Device number at the last scan; null before the first. */
  knownDevice: string | null
  /** Items of the collection that were neither recycled nor missing before this scan. */
  items: number
  /** How many items this scan did not find, including recycled ones. */
  vanishing: number
  /** The caller confirmed that they are gone. */
  accepted: boolean
}): string | null {
  const { root, items, vanishing } = scan
  if (root.kind === 'unreadable') return `${unavailableReason(root)} Nothing was marked missing.`
  if (root.kind === 'absent') return scan.accepted ? null : `${unavailableReason(root)} Nothing was marked missing.`
  if (scan.accepted) return null
  if (root.empty && items > 0) {
    return `${root.path} is empty, and ${itemsWere(items)} in it before. Is its disk connected? Nothing was marked missing.`
  }
  if (vanishing === 0) return null
  if (scan.knownDevice !== null && scan.knownDevice !== root.device) {
    return `${root.path} is on another disk than before, and ${itemsWere(vanishing)} not found. Is the right disk connected? Nothing was marked missing.`
  }
  if (vanishing > maxVanishing && vanishing > items * maxVanishingShare) {
    return `${vanishing} of ${items} items were not found in ${root.path}. Nothing was marked missing, until somebody says that they are really gone.`
  }
  return null
}

function itemsWere(items: number): string {
  return `${plural(items, 'item')} ${items === 1 ? 'was' : 'were'}`
}
