/** The only module that reads and changes files of a library: always below their root, and durably. */
import { createAnchoring } from './anchor.ts'
import { createDiskChanging } from './disk-changing.ts'
import { createDiskReading } from './disk-reading.ts'
import { createDiskWriting } from './disk-writing.ts'
import { createPlaceAccess } from './place-access.ts'
import { type SystemCalls, systemCalls } from './system-calls.ts'

export type { PlaceFacts } from './disk-reading.ts'
export { readRegularFile } from './disk-reading.ts'

/**
 * All functions take a trusted root and a relative path of bytes, and follow no link on it. Errors of the disk are a
 * DiskError with the path; refusals are a Failure: `invalid` for a path that leaves its root or is no regular file,
 * `conflict` for a taken name. Functions that return no promise block, even while a disk wakes up.
 */
export function createDisk(options: { calls?: SystemCalls | null; held?: boolean } = {}) {
  const calls = options.calls === undefined ? systemCalls() : options.calls
  const access = createPlaceAccess(calls, createAnchoring(calls, options.held))
  const reading = createDiskReading(access)
  return { ...reading, ...createDiskWriting(access, reading), ...createDiskChanging(access) }
}

export type Disk = ReturnType<typeof createDisk>
