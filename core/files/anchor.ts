/** Opens directories below a root without following links: even a link created meanwhile cannot lead outside. */
import { closeSync, constants, existsSync, fsyncSync, lstatSync, openSync, realpathSync } from 'node:fs'
import { Failure, sentence } from '../../schema/errors.ts'
import { codeOf, codeOfNumber, DiskError } from './disk-error.ts'
import { bytesOfText, componentsOf, displayName, joinPath } from './names.ts'
import { openPathOnly, type SystemCalls, terminated } from './system-calls.ts'

export interface DiskPlace {
  /** Absolute path. It may contain links, because the administrator chose it. */
  root: string | Uint8Array
  /** Path relative to the root, as bytes; '' is the root itself. */
  path: Uint8Array
}

/** An open directory, held until `close`. */
export interface Anchor {
  /** File descriptor; null if the system cannot hold directories. */
  fd: number | null
  /** Path of an entry for system calls; with a descriptor, it works even after the directory is moved. */
  entry(name: Uint8Array): Buffer
  /** Flushes names that were created, renamed or removed in the directory. */
  sync(): void
  close(): void
}

export interface Anchoring {
  /** Opens the directory with these names below the root. Throws ENOTDIR or ELOOP if a link is on the path. */
  directory(root: string | Uint8Array, names: readonly Uint8Array[]): Anchor
}

/**
 * On Linux, a directory is held open by its descriptor and used through `/proc/self/fd`: later renames or links have no
 * effect. On other systems, names are checked before the path is used, and may change in between. Tests set `held`.
 */
export function createAnchoring(calls: SystemCalls | null, held = existsSync('/proc/self/fd')): Anchoring {
  return { directory: held ? (root, names) => holdDirectory(calls, root, names) : checkDirectory }
}

/** A path for error messages. */
export function displayPlace(place: DiskPlace): string {
  return displayName(joinPath(bytesOfRoot(place.root), place.path))
}

/** The names of a relative path; throws `invalid` if the path could lead out of its root. */
export function namesOnPath(place: DiskPlace): Buffer[] {
  const names = componentsOf(place.path)
  if (names === null)
    throw new Failure('invalid', sentence`'${displayName(place.path)}' is not a path within a directory.`)
  return names
}

function bytesOfRoot(root: string | Uint8Array): Buffer {
  return typeof root === 'string' ? bytesOfText(root) : Buffer.from(root)
}

const justTheDirectory = openPathOnly | constants.O_DIRECTORY
/** Longer paths have to be opened in parts (PATH_MAX, less the zero byte). */
const maxPathBytes = 4095

function holdDirectory(calls: SystemCalls | null, root: string | Uint8Array, names: readonly Uint8Array[]): Anchor {
  let fd = openSync(bytesOfRoot(root), justTheDirectory)
  let rest = names
  const path = joinPath(...names)
  if (calls?.openBeneath && names.length > 0 && path.length <= maxPathBytes) {
    const found = calls.openBeneath(fd, terminated(path), justTheDirectory | constants.O_NOFOLLOW)
    closeSync(fd)
    if (found < 0) throw new DiskError(codeOfNumber(-found), '')
    fd = found
    rest = []
  }
  for (const name of rest) {
    try {
      const next = openSync(entryOf(fd, name), justTheDirectory | constants.O_NOFOLLOW)
      closeSync(fd)
      fd = next
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }
  return {
    fd,
    entry: name => entryOf(fd, name),
    sync: () => syncDirectory(bytesOfText(`/proc/self/fd/${fd}`)),
    close: () => closeSync(fd),
  }
}

function entryOf(fd: number, name: Uint8Array): Buffer {
  return joinPath(bytesOfText(`/proc/self/fd/${fd}`), name)
}

function checkDirectory(root: string | Uint8Array, names: readonly Uint8Array[]): Anchor {
  let path: Buffer = realpathSync(bytesOfRoot(root), { encoding: 'buffer' })
  for (const name of names) {
    path = joinPath(path, name)
    if (!lstatSync(path).isDirectory()) throw new DiskError('ENOTDIR', '')
  }
  return { fd: null, entry: name => joinPath(path, name), sync: () => syncDirectory(path), close() {} }
}

/** Some file systems can't flush a directory (network shares, FUSE), or don't allow opening it. */
const cannotSync = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES', 'EPERM', 'EBADF'])

/** Flushes the names in a directory, so that they survive a system crash, if the file system supports it. */
export function syncDirectory(path: Buffer): void {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (!cannotSync.has(codeOf(error) ?? '')) throw error
  }
}
