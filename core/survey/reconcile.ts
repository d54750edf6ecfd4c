/** Compares what is in a directory with what the library knows of it. */
import type { FileFacts } from '../files/open-file.ts'

export interface ReconciledFile extends FileFacts {
  /** Bytes of the name, a character each: names that differ in case or in their Unicode form are different files. */
  raw: string
}

export interface Reconciled<Found, Known> {
  added: Found[]
  changed: { found: Found; known: Known }[]
  unchanged: { found: Found; known: Known }[]
  gone: Known[]
}

/**
 * One directory's files against its rows. Same name, size and modification time to the nanosecond: unchanged, whatever
 * inode or device say, which change on network and removable disks. Found files keep their order, gone ones theirs. A
 * name that the disk told twice (it was renamed while the directory was read) counts once.
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

/** Is the file as it was, by its size and time? */
export function isSame(a: FileFacts, b: FileFacts): boolean {
  return a.size === b.size && a.mtimeSeconds === b.mtimeSeconds && a.mtimeNanoseconds === b.mtimeNanoseconds
}
