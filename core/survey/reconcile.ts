/** Compares the contents of a directory with the library's records. */
import type { FileFacts } from '../files/open-file.ts'

export interface ReconciledFile extends FileFacts {
  /** Bytes of the name, one character each: names that differ in case or Unicode normalization are different files. */
  raw: string
}

export interface Reconciled<Found, Known> {
  added: Found[]
  changed: { found: Found; known: Known }[]
  unchanged: { found: Found; known: Known }[]
  gone: Known[]
}

/**
 * Compares one directory's files with its rows. Same name, size and modification time to the nanosecond: unchanged,
 * regardless of inode and device, which change on network and removable disks. All lists keep the order of their input.
 * A name that the disk returned twice (it was renamed while the directory was read) counts once.
 */
export function reconcile<Found extends ReconciledFile, Known extends ReconciledFile>(
  found: readonly Found[],
  known: readonly Known[],
): Reconciled<Found, Known> {
  const result: Reconciled<Found, Known> = { added: [], changed: [], unchanged: [], gone: [] }
  const byName = new Map(known.map(file => [file.raw, file]))
  const seen = new Set<string>()
  for (const file of found) {
    if (seen.has(file.raw)) continue
    seen.add(file.raw)
    const before = byName.get(file.raw)
    if (before === undefined) result.added.push(file)
    else if (isSame(file, before)) result.unchanged.push({ found: file, known: before })
    else result.changed.push({ found: file, known: before })
  }
  result.gone = known.filter(file => !seen.has(file.raw))
  return result
}

/** Whether the file is unchanged, by its size and time. */
export function isSame(a: FileFacts, b: FileFacts): boolean {
  return a.size === b.size && a.mtimeSeconds === b.mtimeSeconds && a.mtimeNanoseconds === b.mtimeNanoseconds
}
