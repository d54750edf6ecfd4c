/**
 * The only module that reads, creates, renames and removes files of a library: always below their root, and durably.
 */
import { createAnchoring } from './anchor.ts'
import { createDiskChanging } from './disk-changing.ts'
import { createDiskReading } from './disk-reading.ts'
import { createDiskWriting } from './disk-writing.ts'
import { createReach } from './reach.ts'
import { type SystemCalls, systemCalls } from './system-calls.ts'

export type { PlaceFacts } from './disk-reading.ts'
export { readRegularFile } from './disk-reading.ts'

/**
 * All functions take a place: a trusted root and a relative path of bytes, on which no link is followed. They throw a
 * DiskError with the path for errors of the disk, and a Failure for their own refusals: `invalid` for a path that leads
 * out of its root or for anything but a regular file, `conflict` for a taken name. Only functions that return a promise
 * do not block; the others may wait for a sleeping disk.
 */
export function createDisk(options: { calls?: SystemCalls | null; held?: boolean } = {}) {
  const calls = options.calls === undefined ? systemCalls() : options.calls
  const reach = createReach(calls, createAnchoring(calls, options.held))
  const reading = createDiskReading(reach)
  return { ...reading, ...createDiskWriting(reach, reading), ...createDiskChanging(reach) }
}

export type Disk = ReturnType<typeof createDisk>
