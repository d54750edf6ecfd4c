/** Walks a directory tree, one directory at a time, with size and time of every file; opens no file. */
import { randomBytes } from 'node:crypto'
import { Failure, sentence } from '../../schema/errors.ts'
import { codeOf, DiskError } from '../files/disk-error.ts'
import { bytesOfRaw, bytesOfText, componentsOf, displayName, joinPath } from '../files/names.ts'
import { type SystemCalls, systemCalls } from '../files/system-calls.ts'
import {
  createDirectoryReader,
  type DirectoryReader,
  type IgnoredName,
  type OpenDirectory,
} from './directory-reader.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { WalkedEntry } from './walked-entry.ts'

export type { WalkedEntry }

export interface WalkedDirectory {
  /** Relative to the root, '' for the root itself; as bytes, and for display. */
  path: Buffer
  display: string
  /** Why it could not be read: its contents are unknown then. Null on success. */
  error: string | null
  /** Files, directories, links and others, sorted by the bytes of their names; without ignored ones. */
  entries: WalkedEntry[]
  /** 8 bytes over its files (fingerprint.ts); random if the size and time of a file can't be read, so that it equals no other. */
  fingerprint: Uint8Array
  /** Name of the file that excludes the directory: it counts as empty, and its subdirectories are not visited. */
  excludedBy: string | null
  /** Device number as text. */
  device: string
}

export interface WalkOptions {
  /** Where to start, relative to the root; default: the root itself. */
  below?: Uint8Array
  /** Names to skip; default: none. */
  ignored?: IgnoredName
  /** Whether a directory is left out: it is in the entries of the directory above, but is not visited. */
  isLeftOut?: (path: Uint8Array) => boolean
  /** Names of files that exclude the directory that contains them; default: `usualExclusionMarkers`. */
  exclusionMarkers?: ReadonlySet<string>
  signal?: AbortSignal
  /** Null: reads by node:fs only. */
  calls?: SystemCalls | null
}

/** `.nomedia` is supported by phones and other galleries, the other marker only by Keepsake. */
export const usualExclusionMarkers: ReadonlySet<string> = new Set(['.nomedia', '.keepsake-ignore'])

/** Interval of yielding while a tree is walked (milliseconds). */
const turnMs = 20
/** Number of directories kept open; those above are opened again when needed. */
const openAtMost = 64

/**
 * Yields directories depth first, each before its subdirectories, sorted by the bytes of their names. Keeps one
 * directory's entries in memory. Links are not followed: a collection can't reach out of its root, and nothing is found
 * twice. Mounted file systems are walked. An unreadable directory is yielded with its `error`; one that has vanished is
 * skipped. So a root that does not exist yields nothing (`rootState` returns whether it exists). Throws the signal's
 * reason when aborted.
 */
export async function* walk(
  root: string | Uint8Array,
  options: WalkOptions = {},
): AsyncGenerator<WalkedDirectory, void, undefined> {
  const { signal } = options
  const source = sourceOf(root, options)
  const levels: Level[] = []
  let lastTurn = performance.now()
  /** May throw: call it before opening a directory, or once that directory is in `levels`, which `finally` closes. */
  async function yieldNow() {
    signal?.throwIfAborted()
    if (performance.now() - lastTurn <= turnMs) return
    await new Promise(resolve => setImmediate(resolve))
    signal?.throwIfAborted()
    lastTurn = performance.now()
  }

  try {
    await yieldNow()
    let path = source.top
    let opened = attempt(() => source.reader.open(source.root, source.topNames), false)
    for (;;) {
      if (typeof opened === 'string') yield unreadable(path, opened)
      else if (opened !== null) {
        const level: Level = { path, names: componentsOf(path) ?? [], open: opened, pending: [] }
        levels.push(level)
        const reading = readInSteps(source, opened, path)
        let step = reading.next()
        for (; step.done !== true; step = reading.next()) await yieldNow()
        level.pending = directoriesIn(step.value).reverse()
        closeWhenDone(level)
        yield step.value
      }

      while (levels.at(-1)?.pending.length === 0) levels.pop()
      await yieldNow()
      const level = levels.at(-1)
      const raw = level?.pending.pop()
      if (level === undefined || raw === undefined) return
      path = joinPath(level.path, bytesOfRaw(raw))
      closeSurplus(levels)
      const leaveOut = options.isLeftOut?.(path) === true
      const open = () => {
        level.open ??= source.reader.open(source.root, level.names)
        return level.open.child(raw)
      }
      opened = leaveOut ? null : attempt(open, true)
      closeWhenDone(level)
    }
  } finally {
    for (const level of levels) level.open?.close()
  }
}

/** Reads one directory synchronously, as `walk` would yield it, but not its subdirectories. Null if it does not exist. */
export function listDirectory(
  root: string | Uint8Array,
  path: Uint8Array,
  options: Omit<WalkOptions, 'below' | 'signal'> = {},
): WalkedDirectory | null {
  const source = sourceOf(root, { ...options, below: path })
  const opened = attempt(() => source.reader.open(source.root, source.topNames), true)
  if (opened === null) return null
  if (typeof opened === 'string') return unreadable(source.top, opened)
  try {
    const reading = readInSteps(source, opened, source.top)
    let step = reading.next()
    while (step.done !== true) step = reading.next()
    return step.value
  } finally {
    opened.close()
  }
}

/** A directory on the current path, with its subdirectories that have not been visited. */
interface Level {
  path: Buffer
  names: Buffer[]
  /** Null if it is no longer needed, or was closed to limit the number of open directories. */
  open: OpenDirectory | null
  /** Raw names, the next one last. */
  pending: string[]
}

interface Source {
  reader: DirectoryReader
  root: Uint8Array
  top: Buffer
  topNames: Buffer[]
  ignored: IgnoredName
  exclusionMarkers: ReadonlySet<string>
}

function sourceOf(root: string | Uint8Array, options: WalkOptions): Source {
  const top = Buffer.from(options.below ?? [])
  const topNames = componentsOf(top)
  if (topNames === null) throw new Failure('invalid', sentence`'${displayName(top)}' is no path within a directory.`)
  const exclusionMarkers = options.exclusionMarkers ?? usualExclusionMarkers
  const ignored = options.ignored ?? (() => false)
  return {
    reader: createDirectoryReader(options.calls === undefined ? systemCalls() : options.calls),
    root: typeof root === 'string' ? bytesOfText(root) : root,
    top,
    topNames,
    // Markers are hidden files, which are usually ignored.
    ignored: (raw, kind) => !exclusionMarkers.has(raw) && ignored(raw, kind),
    exclusionMarkers,
  }
}

/** Removed, or a link or a file by now: all mean that the directory is gone. */
const vanishedCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** Returns the result of `work`; null if the directory does not exist, the reason after a disk error. */
function attempt<T extends OpenDirectory | boolean>(work: () => T, wasDirectory: boolean): T | string | null {
  try {
    return work()
  } catch (error) {
    const code = codeOf(error)
    if (code === null) throw error
    if (code === 'ENOENT' || (wasDirectory && vanishedCodes.has(code))) return null
    return new DiskError(code, '').reason
  }
}

function closeWhenDone(level: Level) {
  if (level.pending.length > 0) return
  level.open?.close()
  level.open = null
}

/** Closes the open directory nearest the root if the limit is reached: it is needed last. */
function closeSurplus(levels: readonly Level[]) {
  const open = levels.filter(level => level.open?.holdsDescriptor)
  if (open.length < openAtMost) return
  const [surplus] = open
  surplus?.open?.close()
  if (surplus !== undefined) surplus.open = null
}

function directoriesIn(directory: WalkedDirectory): string[] {
  return directory.entries.filter(entry => entry.kind === 'dir').map(entry => entry.raw)
}

function unreadable(path: Buffer, error: string): WalkedDirectory {
  return {
    path,
    display: displayName(path),
    error,
    entries: [],
    fingerprint: randomBytes(8),
    excludedBy: null,
    device: '',
  }
}

/** Reads a directory in steps of some milliseconds; returns it after the last one. */
function* readInSteps(source: Source, opened: OpenDirectory, path: Buffer): Generator<void, WalkedDirectory, void> {
  let entries: WalkedEntry[] = []
  let more = true
  while (more) {
    const result = attempt(() => opened.readNext(entries, source.ignored), false)
    if (typeof result === 'string') return unreadable(path, result)
    more = result ?? false
    if (more) yield
  }
  const excludedBy = entries.find(entry => entry.kind === 'file' && source.exclusionMarkers.has(entry.raw))?.raw ?? null
  if (excludedBy !== null) entries = []
  entries.sort((a, b) => (a.raw < b.raw ? -1 : 1))
  const files = entries.filter(entry => entry.kind === 'file')
  return {
    path,
    display: displayName(path),
    error: null,
    entries,
    fingerprint: files.some(file => file.error !== null) ? randomBytes(8) : fingerprintOf(files),
    excludedBy,
    device: opened.device,
  }
}
