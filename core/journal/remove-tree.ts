/** Removes a directory with everything in it, or a single file. Links in it are removed, and never followed. */
import type { DiskPlace } from '../files/anchor.ts'
import type { Disk } from '../files/disk.ts'
import { DiskError } from '../files/disk-error.ts'
import { bytesOfRaw, joinPath } from '../files/names.ts'
import { listDirectory } from '../survey/walk.ts'

const noMarkers: ReadonlySet<string> = new Set()

/** Other work gets a turn after this many milliseconds of removing. */
const turnMs = 20

/** Maximum attempts if entries are added to the directory meanwhile. */
const attempts = 20

/** Returns false if nothing was there. Throws disk errors; entries that were removed before stay removed. */
export async function removeTree(disk: Disk, place: DiskPlace): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await removeOnce(disk, place)
    } catch (error) {
      // An entry was added meanwhile: the rest is read again.
      const isChanged = error instanceof DiskError && (error.code === 'ENOTEMPTY' || error.code === 'ENOENT')
      if (!isChanged || tries === attempts) throw error
    }
  }
}

async function removeOnce(disk: Disk, place: DiskPlace): Promise<boolean> {
  const found = disk.stat(place)
  if (found === null) return false
  if (found.kind !== 'dir') return disk.remove(place)
  await empty(disk, place, { until: performance.now() + turnMs })
  return disk.removeDirectory(place)
}

/** Number of names that are removed before the time is checked. */
const namesAtOnce = 200

async function empty(disk: Disk, { root, path }: DiskPlace, turn: { until: number }): Promise<void> {
  // Markers do not exclude a directory from being removed.
  const entries = listDirectory(root, path, { exclusionMarkers: noMarkers })?.entries ?? []
  for (const { raw, kind } of entries) {
    if (kind !== 'dir') continue
    const folder = { root, path: joinPath(path, bytesOfRaw(raw)) }
    await empty(disk, folder, turn)
    disk.removeDirectory(folder, { flush: false })
  }
  // Not flushed: if a crash reverts a removal, recovery repeats it.
  const names = entries.flatMap(({ raw, kind }) => (kind === 'dir' ? [] : [bytesOfRaw(raw)]))
  for (let at = 0; at < names.length; at += namesAtOnce) {
    disk.removeNames({ root, path }, names.slice(at, at + namesAtOnce))
    if (performance.now() < turn.until) continue
    await new Promise(resolve => setImmediate(resolve))
    turn.until = performance.now() + turnMs
  }
}
