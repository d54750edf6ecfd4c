/** Removes a directory with everything in it, or a single file; links in it are removed and never followed. */
import type { Place } from '../files/anchor.ts'
import type { Disk } from '../files/disk.ts'
import { bytesOfRaw, joinPath } from '../files/names.ts'
import { listDirectory } from '../scan/walk.ts'

const noMarkers: ReadonlySet<string> = new Set()

/** How long others wait for their turn while a tree is removed (milliseconds). */
const turnMs = 20

/** False when nothing was there. Throws what the disk refuses; what was removed before that is gone. */
export async function removeTree(disk: Disk, place: Place): Promise<boolean> {
  const found = disk.stat(place)
  if (found === null) return false
  if (found.kind !== 'dir') return disk.remove(place)
  await empty(disk, place, { until: performance.now() + turnMs })
  return disk.removeDirectory(place)
}

async function empty(disk: Disk, { root, path }: Place, turn: { until: number }): Promise<void> {
  // No marker ends a directory that is to go.
  const listing = listDirectory(root, path, { endMarkers: noMarkers })
  for (const { raw, kind } of listing?.entries ?? []) {
    const entry = { root, path: joinPath(path, bytesOfRaw(raw)) }
    // Nothing is lost when the removal of a name is forgotten: whoever removes the rest removes it again.
    if (kind !== 'dir') disk.remove(entry, { flush: false })
    else {
      await empty(disk, entry, turn)
      disk.removeDirectory(entry, { flush: false })
    }
    if (performance.now() < turn.until) continue
    await new Promise(resolve => setImmediate(resolve))
    turn.until = performance.now() + turnMs
  }
}
