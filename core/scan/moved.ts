/** Recognises a file that was renamed or moved: by its content, and only when the old place is really empty. */
import { lstatSync } from 'node:fs'
import { joinPath } from '../files/names.ts'
import { openRegularFile } from '../files/open-file.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { contentKeyOfFile } from '../media/decode/content-key.ts'
import { rootState } from '../survey/safety.ts'

const slash = 0x2f

interface Candidate {
  id: number
  name: string
  dir_id: number
  collection_id: number
  root: string
  root_device: string | null
  dir_bytes: Uint8Array | null
  name_bytes: Uint8Array | null
  full_hash: string | null
  mtime: number | null
  mtime_ns: number | null
}

interface FoundFile {
  collectionId: number
  content: string
  size: number
  name: string
  dirId: number
  type: 'image' | 'video'
  /** Of its picture data; 0 where there is none. */
  pictureHash: number
}

const candidates = `SELECT i.id, i.name, i.dir_id, i.collection_id, c.path AS root, c.root_device, d.path_bytes AS dir_bytes,
    f.name_bytes, f.full_hash, f.mtime, f.mtime_ns
  FROM items AS i JOIN collections AS c ON c.id = i.collection_id
  LEFT JOIN files AS f ON f.item_id = i.id AND f.role = 'main' LEFT JOIN dirs AS d ON d.id = coalesce(f.dir_id, i.dir_id)`

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

/** Content key of what lies there. Throws what the system says when it cannot be read. */
function contentAt(path: Uint8Array): string {
  const file = openRegularFile(path)
  try {
    return contentKeyOfFile(file.fd, file.size)
  } finally {
    file.close()
  }
}

/** How many files of a collection on another disk than before are looked for: is it the same one under another number? */
const looked = 20

/** Is any other file of the candidate's collection in its place? */
function holdsOthers(db: LibraryDatabase, { id, root, collection_id }: Candidate): boolean {
  return db
    .all<{ dir: Uint8Array; name: Uint8Array }>(
      `SELECT d.path_bytes AS dir, f.name_bytes AS name FROM dirs AS d JOIN files AS f ON f.dir_id = d.id
       WHERE d.collection_id = ? AND f.role = 'main' AND f.item_id <> ? LIMIT ${looked}`,
      collection_id,
      id,
    )
    .some(({ dir, name }) => {
      try {
        return lstatSync(joinPath(Buffer.from(root), dir, name), { throwIfNoEntry: false }) !== undefined
      } catch {
        return false
      }
    })
}

/**
 * Is the file really gone, and not just out of reach? Its place is checked first: of copies, most are where they were. Its
 * collection's directory must be there with something in it: a file on a disk that is not mounted has not moved.
 */
function isGone(db: LibraryDatabase, candidate: Candidate, file: FoundFile, isSameContent: boolean): boolean {
  if (isInPlace(candidate, file, isSameContent)) return false
  const root = rootState(candidate.root)
  if (root.kind !== 'present' || root.empty) return false
  // What lies in a mount point without its disk is no library; the scan of that collection itself judges for its own.
  const isOther = candidate.root_device !== null && candidate.root_device !== root.device
  return !isOther || candidate.collection_id === file.collectionId || holdsOthers(db, candidate)
}

/**
 * Is the candidate's file where it was? Another file in its place means that it is gone, unless the file that was found
 * has not the same content: then that may be a changed copy of it.
 */
function isInPlace(candidate: Candidate, file: FoundFile, isSameContent: boolean): boolean {
  const { content, size, name: found, dirId } = file
  // It was missing, and this is where it was.
  if (candidate.dir_id === dirId && candidate.name === found) return false
  if (candidate.dir_bytes === null) return false
  try {
    if (!isDirectoryOfOurs(Buffer.from(candidate.root), candidate.dir_bytes)) return false
    // One that is missing, or whose place another file has taken in this scan, has no row of its own any more; it may be back.
    const name = candidate.name_bytes ?? Buffer.from(candidate.name)
    const path = joinPath(Buffer.from(candidate.root), candidate.dir_bytes, name)
    const now = lstatSync(path, { throwIfNoEntry: false, bigint: true })
    if (now === undefined) return false
    if (!isSameContent) return true
    const mtime = BigInt(candidate.mtime ?? 0) * 1_000_000_000n + BigInt(candidate.mtime_ns ?? 0)
    if (Number(now.size) !== size) return false
    // Is there a file, but not the one that was? Two changed places; or it was only touched, and is a copy's original.
    return now.mtimeNs === mtime || contentAt(path) === content
  } catch {
    // No permission, an I/O error: there may be a file.
    return true
  }
}

/**
 * The item that a file with this content was before it came here, or null for a new one. Of several, the one of the same
 * name, then of the same directory, then the oldest. `fullHash` is asked for only where samples of a large file agree.
 */
export function movedFrom(
  db: LibraryDatabase,
  file: FoundFile,
  taken: ReadonlySet<number>,
  fullHash: () => string | null,
): number | null {
  const gone = db
    .all<Candidate>(
      `${candidates} WHERE i.content = ? AND i.size = ? ORDER BY i.id LIMIT 1000`,
      file.content,
      file.size,
    )
    .filter(candidate => !taken.has(candidate.id) && isGone(db, candidate, file, true))
  if (gone.length === 0) return null
  const hashed = gone.filter(candidate => candidate.full_hash !== null)
  const mine = hashed.length > 0 ? fullHash() : null
  const fitting = gone.filter(
    candidate => candidate.full_hash === null || mine === null || candidate.full_hash === mine,
  )
  const score = (candidate: Candidate) => (candidate.name === file.name ? 0 : candidate.dir_id === file.dirId ? 1 : 2)
  const [best] = fitting.sort((a, b) => score(a) - score(b) || a.id - b.id)
  return best?.id ?? null
}

/**
 * The item that a file was before other software wrote into it and moved it, for a content that no item has: the only one
 * with the same picture data whose file is gone. Null where there is none, and where there are several.
 */
export function taggedFrom(db: LibraryDatabase, file: FoundFile, taken: ReadonlySet<number>): number | null {
  if (file.pictureHash === 0) return null
  const gone = db
    .all<Candidate>(
      `${candidates} JOIN picture_hashes AS p ON p.item_id = i.id
       WHERE p.hash = ? AND p.hash <> 0 AND i.type = ? ORDER BY i.id LIMIT 1000`,
      file.pictureHash,
      file.type,
    )
    .filter(candidate => !taken.has(candidate.id) && isGone(db, candidate, file, false))
  const [only] = gone
  return only !== undefined && gone.length === 1 ? only.id : null
}
