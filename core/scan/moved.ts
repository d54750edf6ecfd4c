/** Recognises a file that was renamed or moved: by its content, and only when the old place is really empty. */
import { lstatSync } from 'node:fs'
import type { LibraryDatabase } from '../database.ts'
import { joinPath } from '../files/names.ts'
import { rootState } from './safety.ts'

const slash = 0x2f

interface Candidate {
  id: number
  name: string
  dir_id: number
  missing: number | null
  root: string
  dir_bytes: Uint8Array | null
  name_bytes: Uint8Array | null
  full_hash: string | null
  size: number | null
  mtime: number | null
  mtime_ns: number | null
}

/**
 * Is there a directory that a scan walks into? Where one was moved and a link left in its place, the files are still
 * reached by their old names, but not by a scan. Throws what the system says when it cannot be known.
 */
function isDirectoryOfOurs(root: Buffer, directory: Uint8Array): boolean {
  const bytes = Buffer.from(directory)
  for (let end = bytes.indexOf(slash); ; end = bytes.indexOf(slash, end + 1)) {
    const part = end < 0 ? bytes : bytes.subarray(0, end)
    if (part.length > 0) {
      const now = lstatSync(joinPath(root, part), { throwIfNoEntry: false })
      if (now === undefined || !now.isDirectory()) return false
    }
    if (end < 0) return true
  }
}

/**
 * Is the file really gone, and not just out of reach? Its collection's directory must be there with something in it: a
 * file on a disk that is not mounted has not moved.
 */
function isGone(candidate: Candidate): boolean {
  const root = rootState(candidate.root)
  if (root.kind !== 'present' || root.empty) return false
  if (candidate.missing !== null) return true
  // Another file has taken its place already, in this scan: it has no row of its own any more.
  if (candidate.dir_bytes === null || candidate.name_bytes === null) return true
  try {
    if (!isDirectoryOfOurs(Buffer.from(candidate.root), candidate.dir_bytes)) return true
    const path = joinPath(Buffer.from(candidate.root), candidate.dir_bytes, candidate.name_bytes)
    const now = lstatSync(path, { throwIfNoEntry: false, bigint: true })
    if (now === undefined) return true
    // There is a file, but not the one that was: two files that changed places.
    const mtime = BigInt(candidate.mtime ?? 0) * 1_000_000_000n + BigInt(candidate.mtime_ns ?? 0)
    return Number(now.size) !== candidate.size || now.mtimeNs !== mtime
  } catch {
    // No permission, an I/O error: there may be a file.
    return false
  }
}

/**
 * The item that a file with this content was before it came here, or null for a new one. Of several, the one of the same
 * name, then of the same directory, then the oldest. `fullHash` is asked for only where samples of a large file agree.
 */
export function movedFrom(
  db: LibraryDatabase,
  file: { content: string; size: number; name: string; dirId: number },
  taken: ReadonlySet<number>,
  fullHash: () => string | null,
): number | null {
  const candidates = db
    .all<Candidate>(
      `SELECT i.id, i.name, i.dir_id, i.missing, c.path AS root, d.path_bytes AS dir_bytes, f.name_bytes, f.full_hash,
              f.size, f.mtime, f.mtime_ns
       FROM items AS i JOIN collections AS c ON c.id = i.collection_id
       LEFT JOIN files AS f ON f.item_id = i.id AND f.role = 'main' LEFT JOIN dirs AS d ON d.id = f.dir_id
       WHERE i.content = ? AND i.size = ? ORDER BY i.id LIMIT 1000`,
      file.content,
      file.size,
    )
    .filter(candidate => !taken.has(candidate.id) && isGone(candidate))
  if (candidates.length === 0) return null
  const hashed = candidates.filter(candidate => candidate.full_hash !== null)
  const mine = hashed.length > 0 ? fullHash() : null
  const fitting = candidates.filter(
    candidate => candidate.full_hash === null || mine === null || candidate.full_hash === mine,
  )
  const score = (candidate: Candidate) => (candidate.name === file.name ? 0 : candidate.dir_id === file.dirId ? 1 : 2)
  const [best] = fitting.sort((a, b) => score(a) - score(b) || a.id - b.id)
  return best?.id ?? null
}
