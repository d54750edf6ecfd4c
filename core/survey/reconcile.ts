/** Compares what lies in a directory with what the library knows of it, and tells what moved from what came and what went. */

export interface ReconciledFile {
  /** Bytes of the name, a character each: names that differ in case or in their Unicode form are different files. */
  raw: string
  size: number
  mtimeSeconds: number
  mtimeNanoseconds: number
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

function isSame(a: ReconciledFile, b: ReconciledFile): boolean {
  return a.size === b.size && a.mtimeSeconds === b.mtimeSeconds && a.mtimeNanoseconds === b.mtimeNanoseconds
}

/** A file that came or went. Paths are raw: a character for each byte. */
export interface MovableFile {
  /** Relative path of its directory; of different collections' directories the caller makes different words. */
  directory: string
  raw: string
  size: number
  /** Key of its content, '' where it could not be read: then it is like no other. */
  content: string
}

export interface Moves<Gone, Added> {
  moved: { from: Gone; to: Added }[]
  /** Found files that were nowhere before. */
  added: Added[]
  /** Known files that are nowhere now. */
  missing: Gone[]
}

/** The full hash of a file where it is known or can be made, else null. Asked only where content keys leave a choice. */
export interface FullHashes<Gone, Added> {
  ofGone: (file: Gone) => string | null
  ofAdded: (file: Added) => string | null
}

/**
 * Pairs files that went with files that came, by size and content. Where several have the same content: first by full
 * hash, and known hashes that differ are never paired; then by the same name and directory, the same name, the same
 * directory, and at last in the order of their paths. An empty file is like every other: it moves only with its name.
 */
export function matchMoves<Gone extends MovableFile, Added extends MovableFile>(
  gone: readonly Gone[],
  added: readonly Added[],
  hashes: FullHashes<Gone, Added> = { ofGone: () => null, ofAdded: () => null },
): Moves<Gone, Added> {
  const moved: { from: Gone; to: Added }[] = []
  const goneByContent = groupBy(inPathOrder(gone), contentOf)
  for (const [content, arrived] of groupBy(inPathOrder(added), contentOf)) {
    const left = content === null ? undefined : goneByContent.get(content)
    if (left !== undefined) moved.push(...pairAlike(left, arrived, hashes))
  }
  const movedFrom = new Set(moved.map(move => move.from))
  const movedTo = new Set(moved.map(move => move.to))
  return {
    moved,
    added: added.filter(file => !movedTo.has(file)),
    missing: gone.filter(file => !movedFrom.has(file)),
  }
}

interface Pair<Gone, Added> {
  from: Gone
  to: Added
}

/** Pairs files of one size and content key. */
function pairAlike<Gone extends MovableFile, Added extends MovableFile>(
  gone: readonly Gone[],
  added: readonly Added[],
  hashes: FullHashes<Gone, Added>,
): Pair<Gone, Added>[] {
  if (gone.length === 1 && added.length === 1) return pairByName(gone, added)
  const goneByHash = groupBy(gone, hashes.ofGone)
  // No hash of what went: then what came needs none, and reading it all again would be for nothing.
  const anyHash = [...goneByHash.keys()].some(hash => hash !== null)
  const addedByHash = groupBy(added, anyHash ? hashes.ofAdded : () => null)

  const pairs: Pair<Gone, Added>[] = []
  const left = new Set(gone)
  const arrived = new Set(added)
  function pair(from: readonly Gone[], to: readonly Added[]) {
    const found = pairByName(
      from.filter(file => left.has(file)),
      to.filter(file => arrived.has(file)),
    )
    for (const { from, to } of found) {
      left.delete(from)
      arrived.delete(to)
    }
    pairs.push(...found)
  }
  for (const [hash, group] of goneByHash) if (hash !== null) pair(group, addedByHash.get(hash) ?? [])
  pair(goneByHash.get(null) ?? [], added)
  pair(gone, addedByHash.get(null) ?? [])
  return pairs
}

/** Pairs files that may be the same, the most alike first. */
function pairByName<Gone extends MovableFile, Added extends MovableFile>(
  gone: readonly Gone[],
  added: readonly Added[],
): Pair<Gone, Added>[] {
  const pairs: Pair<Gone, Added>[] = []
  let left = [...gone]
  let arrived = [...added]
  for (const likeness of likenesses) {
    if (left.length === 0 || arrived.length === 0) break
    const waiting = groupBy(arrived.filter(mayMoveBy(likeness)), likeness.key)
    const taken = new Set<Added>()
    left = left.filter(from => {
      const to = mayMoveBy(likeness)(from) ? waiting.get(likeness.key(from))?.shift() : undefined
      if (to === undefined) return true
      taken.add(to)
      pairs.push({ from, to })
      return false
    })
    arrived = arrived.filter(file => !taken.has(file))
  }
  return pairs
}

interface Likeness {
  key: (file: MovableFile) => string
  /** Says enough for a file that has no content. */
  byName: boolean
}

const likenesses: Likeness[] = [
  { key: file => `${file.directory}/${file.raw}`, byName: true },
  { key: file => file.raw, byName: true },
  { key: file => file.directory, byName: false },
  { key: () => '', byName: false },
]

function mayMoveBy(likeness: Likeness): (file: MovableFile) => boolean {
  return file => likeness.byName || file.size > 0
}

function contentOf(file: MovableFile): string | null {
  return file.content === '' ? null : `${file.size}:${file.content}`
}

function inPathOrder<File extends MovableFile>(files: readonly File[]): File[] {
  const path = (file: File) => `${file.directory}/${file.raw}`
  return [...files].sort((a, b) => (path(a) < path(b) ? -1 : 1))
}

function groupBy<T, Key>(things: readonly T[], keyOf: (thing: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>()
  for (const thing of things) {
    const key = keyOf(thing)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [thing])
    else group.push(thing)
  }
  return groups
}
