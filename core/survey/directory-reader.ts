/** Reads one directory at a time, as bytes and with nanoseconds: by system calls if available, else by node:fs. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs'
import { createAnchoring } from '../files/anchor.ts'
import { codeOf, codeOfNumber, DiskError } from '../files/disk-error.ts'
import { bytesOfRaw, joinPath, rawOf } from '../files/names.ts'
import { timesOf } from '../files/open-file.ts'
import { type SystemCalls, statxPlaces, terminated } from '../files/system-calls.ts'
import { type EntryKind, entriesOfFailure, entryOfKind, WalkedEntry } from './walked-entry.ts'

/** True for names that are skipped. `raw`: bytes of the name, one character each. */
export type IgnoredName = (raw: string, kind: EntryKind) => boolean

export interface OpenDirectory {
  /** Device number as text, the same as from node:fs. */
  readonly device: string
  /** Whether the directory keeps a file descriptor open, of which a process has few. */
  readonly holdsDescriptor: boolean
  /** Adds the next entries, unordered; false when there are no more. */
  readNext(entries: WalkedEntry[], ignored: IgnoredName): boolean
  /** Opens a subdirectory; throws a DiskError. Never follows a link. */
  child(raw: string): OpenDirectory
  close(): void
}

export interface DirectoryReader {
  /** Opens the root, whose own path may contain links, or a directory below it by its relative path's names. */
  open(root: Uint8Array, names: readonly Uint8Array[]): OpenDirectory
}

export function createDirectoryReader(calls: SystemCalls | null): DirectoryReader {
  return calls === null ? plainReader : systemCallReader(calls)
}

const typeMask = 0o170000
const kindsByMode = new Map<number, EntryKind>([
  [0o100000, 'file'],
  [0o040000, 'dir'],
  [0o120000, 'link'],
])

function kindOfMode(mode: number): EntryKind {
  return kindsByMode.get(mode & typeMask) ?? 'other'
}

/** `d_type` of a directory entry; null when the file system does not provide it (DT_UNKNOWN). */
function kindOfType(type: number): EntryKind | null {
  if (type === 8) return 'file'
  if (type === 4) return 'dir'
  if (type === 0) return null
  return type === 10 ? 'link' : 'other'
}

const twoTo32 = 4_294_967_296
/** A chunk of a directory: a few hundred to two thousand entries, a few milliseconds. */
const pieceLength = 65_536

function systemCallReader(calls: SystemCalls): DirectoryReader {
  // One buffer for all directories: a chunk is processed before anything else is read.
  const piece = Buffer.alloc(pieceLength)
  const pieceAddress = calls.addressOf(piece)
  const stat = new Uint32Array(statxPlaces.length)
  const at = statxPlaces
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

  /** Adds an entry whose size and time are needed: a file, or an entry of unknown type. */
  function addWithStat(
    entries: WalkedEntry[],
    fd: number,
    nameStart: number,
    raw: string,
    type: 'file' | null,
    ignored: IgnoredName,
  ) {
    const result = calls.statx(fd, pieceAddress + nameStart, stat)
    if (result !== 0) {
      const code = codeOfNumber(-result)
      // ENOENT: the entry was removed since the directory was read.
      if (code !== 'ENOENT') entries.push(...entriesOfFailure(raw, type, code))
      return
    }
    const kind = kindOfMode(stat[at.mode] ?? 0)
    if (type === null && ignored(raw, kind)) return
    if (kind !== 'file') {
      entries.push(entryOfKind(raw, kind))
      return
    }
    entries.push(
      new WalkedEntry(
        raw,
        kind,
        (stat[at.size] ?? 0) + (stat[at.size + 1] ?? 0) * twoTo32,
        // Seconds are signed.
        (stat[at.mtimeSeconds] ?? 0) + ((stat[at.mtimeSeconds + 1] ?? 0) | 0) * twoTo32,
        stat[at.mtimeNanoseconds] ?? 0,
        null,
      ),
    )
  }

  function readNext(fd: number, entries: WalkedEntry[], ignored: IgnoredName): boolean {
    const got = calls.getdents(fd, piece)
    if (got < 0) throw new DiskError(codeOfNumber(-got), '')
    // struct linux_dirent64: inode 8 bytes, offset 8, length of this record 2, type 1, name and a zero byte.
    for (let start = 0; start < got; ) {
      const nameStart = start + 19
      let nameEnd = nameStart
      while (piece[nameEnd] !== 0) nameEnd++
      const type = kindOfType(piece[start + 18] ?? 0)
      const raw = piece.toString('latin1', nameStart, nameEnd)
      start += (piece[start + 16] ?? 0) | ((piece[start + 17] ?? 0) << 8)
      if (raw === '.' || raw === '..' || (type !== null && ignored(raw, type))) continue
      if (type === null || type === 'file') addWithStat(entries, fd, nameStart, raw, type, ignored)
      else entries.push(entryOfKind(raw, type))
    }
    return got > 0
  }

  /** The new directory owns the descriptor and closes it, also when this throws. */
  function openDirectory(fd: number): OpenDirectory {
    try {
      return {
        device: String(fstatSync(fd, { bigint: true }).dev),
        holdsDescriptor: true,
        readNext: (entries, ignored) => readNext(fd, entries, ignored),
        child: raw => openDirectory(requireOpen(calls.open(fd, terminated(bytesOfRaw(raw)), flags))),
        close: () => closeSync(fd),
      }
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }

  const anchoring = createAnchoring(calls)
  return {
    open(root, names) {
      const anchor = anchoring.directory(root, names)
      try {
        return openDirectory(openSync(anchor.entry(itself), constants.O_RDONLY | constants.O_DIRECTORY))
      } finally {
        anchor.close()
      }
    },
  }
}

const itself = Buffer.from('.')

function requireOpen(fd: number): number {
  if (fd < 0) throw new DiskError(codeOfNumber(-fd), '')
  return fd
}

/** Number of files that are read before yielding. */
const atOnce = 500

/** Reads by whole paths, without system calls. Paths longer than the system allows (4,096 bytes) are errors. */
const plainReader: DirectoryReader = {
  open(root, names) {
    let path: Buffer = Buffer.from(root)
    let device = String(statSync(path, { bigint: true }).dev)
    for (const name of names) {
      path = joinPath(path, name)
      device = requireDirectory(path)
    }
    return plainDirectory(path, device)
  },
}

/** Throws unless the path is a directory, and not a link to one. Returns its device. */
function requireDirectory(path: Buffer): string {
  const stat = lstatSync(path, { bigint: true })
  if (!stat.isDirectory()) throw new DiskError('ENOTDIR', '')
  return String(stat.dev)
}

function plainDirectory(path: Buffer, device: string): OpenDirectory {
  let names: Buffer[] | null = null
  let next = 0
  return {
    device,
    holdsDescriptor: false,
    readNext(entries, ignored) {
      names ??= readdirSync(path, { encoding: 'buffer' })
      const some = names.slice(next, next + atOnce)
      next += some.length
      for (const name of some) entries.push(...entriesAt(path, name, ignored))
      return next < names.length
    },
    child(raw) {
      const below = joinPath(path, bytesOfRaw(raw))
      return plainDirectory(below, requireDirectory(below))
    },
    close() {},
  }
}

function entriesAt(directory: Buffer, name: Buffer, ignored: IgnoredName): WalkedEntry[] {
  const raw = rawOf(name)
  try {
    const stat = lstatSync(joinPath(directory, name), { bigint: true })
    const kind = kindOfMode(Number(stat.mode))
    if (ignored(raw, kind)) return []
    if (kind !== 'file') return [entryOfKind(raw, kind)]
    const { mtimeSeconds, mtimeNanoseconds } = timesOf(stat.mtimeNs)
    return [new WalkedEntry(raw, kind, Number(stat.size), mtimeSeconds, mtimeNanoseconds, null)]
  } catch (error) {
    const code = codeOf(error)
    if (code === null) throw error
    return code === 'ENOENT' || ignored(raw, 'file') ? [] : entriesOfFailure(raw, null, code)
  }
}
