/** Reads one directory at a time, as bytes and with nanoseconds: by system calls where there are any, else by node:fs. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs'
import { codeOf, codeOfNumber, DiskError } from '../files/disk-error.ts'
import { bytesOfRaw, displayRaw, joinPath, rawOf } from '../files/names.ts'
import { timesOf } from '../files/open-file.ts'
import { openPathOnly, type SystemCalls, statxPlaces, terminated } from '../files/system-calls.ts'

export type EntryKind = 'file' | 'dir' | 'link' | 'other'

/** A class and not a plain object, so that a million entries need not make names that nobody asks for. */
export class WalkedEntry {
  constructor(
    /** Bytes of the name, a character each: to compare and to look up by. */
    readonly raw: string,
    readonly kind: EntryKind,
    /** Bytes. Size and times are 0 for all but files. */
    readonly size: number,
    /** Whole seconds since 1970, negative before; the rest of it in nanoseconds, 0–999,999,999. */
    readonly mtimeSeconds: number,
    readonly mtimeNanoseconds: number,
    /** A hint only: it is rounded where it is beyond 2⁵³, and changes on network and removable disks. */
    readonly inode: number,
    /** Why the disk would not even tell size and time of this file; null for all that are well. */
    readonly error: string | null,
  ) {}

  /** Bytes of the name. */
  get name(): Buffer {
    return bytesOfRaw(this.raw)
  }

  /** The name for people. */
  get display(): string {
    return displayRaw(this.raw)
  }
}

/** True for names that are passed over; asked before their size is. `raw`: bytes of the name, a character each. */
export type IgnoredName = (raw: string, kind: EntryKind) => boolean

export interface OpenDirectory {
  /** Device number as text, the same as node:fs tells. */
  readonly device: string
  /** Adds the next entries, in no order; false when there are no more. */
  readSome(entries: WalkedEntry[], ignored: IgnoredName): boolean
  /** Opens a directory within; throws a DiskError. A link is never followed. */
  child(raw: string): OpenDirectory
  close(): void
}

export interface DirectoryReader {
  /** Opens the root, whose own path may lead over links, or a directory below it by its relative path's names. */
  open(root: Uint8Array, names: readonly Uint8Array[]): OpenDirectory
}

export function createDirectoryReader(calls: SystemCalls | null): DirectoryReader {
  return calls === null ? plainReader : callingReader(calls)
}

const typeMask = 0o170000
const regular = 0o100000
const directoryMode = 0o040000
const linkMode = 0o120000

function kindOfMode(mode: number): EntryKind {
  const type = mode & typeMask
  if (type === regular) return 'file'
  if (type === directoryMode) return 'dir'
  return type === linkMode ? 'link' : 'other'
}

/** `d_type` of a directory entry; null where the file system does not tell (DT_UNKNOWN). */
function kindOfType(type: number): EntryKind | null {
  if (type === 8) return 'file'
  if (type === 4) return 'dir'
  if (type === 0) return null
  return type === 10 ? 'link' : 'other'
}

function failedEntry(raw: string, code: string): WalkedEntry {
  return new WalkedEntry(raw, 'file', 0, 0, 0, 0, new DiskError(code, '').reason)
}

const twoTo32 = 4_294_967_296
/** A piece of a directory: some hundred to two thousand entries, a few milliseconds. */
const pieceLength = 65_536

function callingReader(calls: SystemCalls): DirectoryReader {
  // One for all directories: a piece is read, looked at and forgotten before anything else is.
  const piece = Buffer.alloc(pieceLength)
  const pieceAddress = calls.addressOf(piece)
  const stat = new Uint32Array(statxPlaces.length)
  const at = statxPlaces
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

  function entryAt(
    fd: number,
    nameStart: number,
    raw: string,
    type: EntryKind | null,
    ignored: IgnoredName,
  ): WalkedEntry | null {
    if (type !== null && type !== 'file') return new WalkedEntry(raw, type, 0, 0, 0, 0, null)
    const result = calls.statx(fd, pieceAddress + nameStart, stat)
    if (result !== 0) {
      const code = codeOfNumber(-result)
      // Gone since the directory was read.
      return code === 'ENOENT' ? null : failedEntry(raw, code)
    }
    const kind = kindOfMode((stat[at.mode] ?? 0) & 0xffff)
    if (type === null && ignored(raw, kind)) return null
    if (kind !== 'file') return new WalkedEntry(raw, kind, 0, 0, 0, 0, null)
    return new WalkedEntry(
      raw,
      kind,
      (stat[at.size] ?? 0) + (stat[at.size + 1] ?? 0) * twoTo32,
      // Seconds are signed.
      (stat[at.mtimeSeconds] ?? 0) + ((stat[at.mtimeSeconds + 1] ?? 0) | 0) * twoTo32,
      stat[at.mtimeNanoseconds] ?? 0,
      (stat[at.inode] ?? 0) + (stat[at.inode + 1] ?? 0) * twoTo32,
      null,
    )
  }

  function openFd(fd: number): OpenDirectory {
    return {
      device: String(fstatSync(fd, { bigint: true }).dev),
      readSome(entries, ignored) {
        const got = calls.getdents(fd, piece)
        if (got < 0) throw new DiskError(codeOfNumber(-got), '')
        // struct linux_dirent64: inode 8 bytes, offset 8, length of this record 2, type 1, name and a zero byte.
        for (let start = 0; start < got; ) {
          const length = (piece[start + 16] ?? 0) | ((piece[start + 17] ?? 0) << 8)
          const nameStart = start + 19
          let nameEnd = nameStart
          while (piece[nameEnd] !== 0) nameEnd++
          const type = kindOfType(piece[start + 18] ?? 0)
          const raw = piece.toString('latin1', nameStart, nameEnd)
          start += length
          if (raw === '.' || raw === '..' || (type !== null && ignored(raw, type))) continue
          const entry = entryAt(fd, nameStart, raw, type, ignored)
          if (entry !== null) entries.push(entry)
        }
        return got > 0
      },
      child(raw) {
        const child = calls.open(fd, terminated(bytesOfRaw(raw)), flags)
        if (child < 0) throw new DiskError(codeOfNumber(-child), '')
        return openedOrClosed(child)
      },
      close: () => closeSync(fd),
    }
  }

  function openedOrClosed(fd: number): OpenDirectory {
    try {
      return openFd(fd)
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }

  return {
    open(root, names) {
      // What only has to be passed through needs no permission to be read.
      let fd = openSync(
        Buffer.from(root),
        names.length === 0 ? constants.O_RDONLY | constants.O_DIRECTORY : openPathOnly,
      )
      for (const [place, name] of names.entries()) {
        const last = place === names.length - 1
        const next = calls.open(
          fd,
          terminated(name),
          last ? flags : openPathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW,
        )
        closeSync(fd)
        if (next < 0) throw new DiskError(codeOfNumber(-next), '')
        fd = next
      }
      return openedOrClosed(fd)
    },
  }
}

/** Files that are asked about before others get a turn. */
const atOnce = 500

/** Without system calls: whole paths. A directory whose path is longer than the system takes (4,096 bytes) is told as an error. */
const plainReader: DirectoryReader = {
  open(root, names) {
    const device = (path: Uint8Array) => String(statSync(Buffer.from(path), { bigint: true }).dev)
    let path = Buffer.from(root)
    for (const name of names) {
      path = joinPath(path, name)
      demandDirectory(path)
    }
    return plainDirectory(path, device(path))
  },
}

/** Throws unless it is a directory itself, and no link to one. Gives its device. */
function demandDirectory(path: Buffer): string {
  const stat = lstatSync(path, { bigint: true })
  if (!stat.isDirectory()) throw new DiskError('ENOTDIR', '')
  return String(stat.dev)
}

function plainDirectory(path: Buffer, device: string): OpenDirectory {
  let names: Buffer[] | null = null
  let next = 0
  return {
    device,
    readSome(entries, ignored) {
      names ??= readdirSync(path, { encoding: 'buffer' })
      const end = Math.min(names.length, next + atOnce)
      for (; next < end; next++) {
        const name = names[next]
        const entry = name === undefined ? null : plainEntry(path, name, ignored)
        if (entry !== null) entries.push(entry)
      }
      return next < names.length
    },
    child(raw) {
      const below = joinPath(path, bytesOfRaw(raw))
      return plainDirectory(below, demandDirectory(below))
    },
    close() {},
  }
}

function plainEntry(directory: Buffer, name: Buffer, ignored: IgnoredName): WalkedEntry | null {
  const raw = rawOf(name)
  try {
    const stat = lstatSync(joinPath(directory, name), { bigint: true })
    const kind = kindOfMode(Number(stat.mode))
    if (ignored(raw, kind)) return null
    if (kind !== 'file') return new WalkedEntry(raw, kind, 0, 0, 0, 0, null)
    const { mtimeSeconds, mtimeNanoseconds } = timesOf(stat.mtimeNs)
    return new WalkedEntry(raw, kind, Number(stat.size), mtimeSeconds, mtimeNanoseconds, Number(stat.ino), null)
  } catch (error) {
    const code = codeOf(error)
    if (code === null) throw error
    return code === 'ENOENT' || ignored(raw, 'file') ? null : failedEntry(raw, code)
  }
}
