/** Recognizes a file that was renamed or moved: by its content, and only when its old place is really empty. */
import { lstatSync } from 'node:fs'
import { joinPath } from '../files/names.ts'
import { openRegularFile } from '../files/open-file.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { contentKeyOfFile } from '../media/decode/content-key.ts'
import { rootState } from '../survey/safety.ts'
import { itemsOfContent, itemsOfPicture, someOtherFiles } from './moved.sql.ts'

const slash = 0x2f

type Candidate = RowOfQuery<typeof itemsOfContent>

/** A file on the disk that may belong to an item from another place. */
export interface FoundFile {
  collectionId: number
  content: string
  size: number
  name: string
  dirId: number
  type: 'image' | 'video'
  /** Hash of its picture data; 0 if it has none. */
  pictureHash: number
}

/**
 * Whether a scan reads this directory. If a directory was replaced by a link to its new place, its files are still
 * reachable by their old names, but not by scans. Throws the system's error when it cannot be determined.
 */
function isScannedDirectory(root: Buffer, directory: Uint8Array): boolean {
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

/** Content key of the file at a path. Throws the system's error when it cannot be read. */
function contentAt(path: Uint8Array): string {
  const file = openRegularFile(path)
  try {
    return contentKeyOfFile(file.fd, file.size)
  } finally {
    file.close()
  }
}

/** Whether at least one of some other files of the candidate's collection is still in its place. */
function hasOtherFiles(db: LibraryDatabase, { id, root, collectionId }: Candidate): boolean {
  return db.all(someOtherFiles, collectionId, id).some(({ dir, name }) => {
    try {
      return lstatSync(joinPath(Buffer.from(root), dir, name), { throwIfNoEntry: false }) !== undefined
    } catch {
      return false
    }
  })
}

/**
 * Whether the candidate's file is really gone, and not just out of reach. Its old place is checked first: the originals
 * of copies are still there. Its collection's directory must exist and not be empty: then its disk is mounted.
 */
function isGone(db: LibraryDatabase, candidate: Candidate, file: FoundFile, isSameContent: boolean): boolean {
  if (isInPlace(candidate, file, isSameContent)) return false
  const root = rootState(candidate.root)
  if (root.kind !== 'present' || root.empty) return false
  // Files in a mount point without its disk are not the library's; the scan of that collection checks this itself.
  const isOther = candidate.rootDevice !== null && candidate.rootDevice !== root.device
  return !isOther || candidate.collectionId === file.collectionId || hasOtherFiles(db, candidate)
}

/** Whether the candidate's file is in its place. With `isSameContent`, a file of other content there does not count. */
function isInPlace(candidate: Candidate, file: FoundFile, isSameContent: boolean): boolean {
  const { content, size, name: found, dirId } = file
  // The item was missing, and the found file is in its old place.
  if (candidate.dirId === dirId && candidate.name === found) return false
  if (candidate.dirBytes === null) return false
  try {
    if (!isScannedDirectory(Buffer.from(candidate.root), candidate.dirBytes)) return false
    // A missing item, or one whose place another file has taken in this scan, has no file row; its file may be back.
    const name = candidate.nameBytes ?? Buffer.from(candidate.name)
    const path = joinPath(Buffer.from(candidate.root), candidate.dirBytes, name)
    const now = lstatSync(path, { throwIfNoEntry: false, bigint: true })
    if (now === undefined) return false
    if (!isSameContent) return true
    const mtime = BigInt(candidate.mtime ?? 0) * 1_000_000_000n + BigInt(candidate.mtimeNs ?? 0)
    if (Number(now.size) !== size) return false
    // With another date: if the content is the same, the found file is a copy; if not, two files changed places.
    return now.mtimeNs === mtime || contentAt(path) === content
  } catch {
    // No permission, an I/O error: there may be a file.
    return true
  }
}

/**
 * The item that a file belonged to before, or null for a new file: an item with the same content or, if there is none,
 * the only item with the same picture data (other software edited and moved its file). Of several items with the same
 * content it is the one with the same name, then with the same directory, then the oldest. `ownId`: the item at this
 * place, to which a file with changed content still belongs. `claimed`: items that other files were matched with.
 */
export function findItemOfMovedFile(
  db: LibraryDatabase,
  file: FoundFile,
  ownId: number | null,
  claimed: ReadonlySet<number>,
): number | null {
  const { content, size, name, dirId, type, pictureHash } = file
  const gone = (candidates: readonly Candidate[], isSameContent: boolean) =>
    candidates.filter(one => one.id !== ownId && !claimed.has(one.id) && isGone(db, one, file, isSameContent))
  const score = (candidate: Candidate) => (candidate.name === name ? 0 : candidate.dirId === dirId ? 1 : 2)
  const [best] = gone(db.all(itemsOfContent, content, size), true).sort((a, b) => score(a) - score(b) || a.id - b.id)
  if (best !== undefined) return best.id
  if (ownId !== null || pictureHash === 0) return null
  const tagged = gone(db.all(itemsOfPicture, pictureHash, type), false)
  return tagged.length === 1 ? (tagged[0]?.id ?? null) : null
}
