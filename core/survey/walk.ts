/** Walks a directory tree, one directory at a time, telling of every file its size and time; opens no file. */
import { randomBytes } from 'node:crypto'
import { Failure } from '../../schema/errors.ts'
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
  /** Relative to the root, '' for the root itself; bytes, and for people. */
  path: Buffer
  display: string
  /** Why it could not be read: nothing is known of what is in it or below it then. Null when all is well. */
  error: string | null
  /** Files, directories, links and others, sorted by the bytes of their names; without those that are ignored. */
  entries: WalkedEntry[]
  /** 8 bytes over its files (fingerprint.ts); never the same twice while a file's size and time can't be told. */
  fingerprint: Uint8Array
  /** The file in it that says 'not this directory': it counts as empty, and what is below it is not visited. */
  endedBy: string | null
  /** Device number as text. */
  device: string
}

export interface WalkOptions {
  /** Where to begin, relative to the root; default: the root itself. */
  below?: Uint8Array
  /** Names to pass over; default: none. */
  ignored?: IgnoredName
  /** Directories that are notified of where they lie and not visited, by their path. */
  without?: (path: Uint8Array) => boolean
  /** Files that end a directory. */
  endMarkers?: ReadonlySet<string>
  signal?: AbortSignal
  /** Null: read by node:fs alone. */
  calls?: SystemCalls | null
}

/** A `.nomedia` is what phones and other galleries understand, the other one is ours. */
export const usualEndMarkers: ReadonlySet<string> = new Set(['.nomedia', '.keepsake-ignore'])

/** How long others wait for their turn while a tree is walked (milliseconds). */
const turnMs = 20
/** Directories kept open on the way down; those above are opened again when their turn comes. */
const openAtMost = 64

/**
 * Depth first, a directory before those in it, in the order of the names' bytes. Memory is one directory's entries, and
 * the event loop gets its turn while it walks. Links are not followed, neither to files nor to directories: a collection
 * can't reach out of its root, and nothing is found twice. Other file systems mounted below the root are walked.
 *
 * A directory that can't be read is told with its `error`, and the walk goes on. One that is not there, or went away
 * meanwhile, is not told at all; so an absent root is an empty walk (`rootState` tells which it is). Throws the signal's
 * reason when aborted. Directories are closed when the caller breaks off.
 */
export async function* walk(
  root: string | Uint8Array,
  options: WalkOptions = {},
): AsyncGenerator<WalkedDirectory, void, undefined> {
  const { signal } = options
  const source = sourceOf(root, options)
  const levels: Level[] = []
  let lastTurn = performance.now()
  /** Before anything is opened that would stay open if this threw. */
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
        const pieces = piecesOf(source, opened, path)
        let step = pieces.next()
        for (; step.done !== true; step = pieces.next()) await yieldNow()
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
      const isLeftOut = options.without?.(path) === true
      const open = () => {
        level.open ??= source.reader.open(source.root, level.names)
        return level.open.child(raw)
      }
      opened = isLeftOut ? null : attempt(open, true)
      closeWhenDone(level)
    }
  } finally {
    for (const level of levels) level.open?.close()
  }
}

/**
 * One directory, as `walk` would tell it, without those in it; all at once. Null when it is not there.
 */
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
    const pieces = piecesOf(source, opened, source.top)
    let step = pieces.next()
    while (step.done !== true) step = pieces.next()
    return step.value
  } finally {
    opened.close()
  }
}

/** A directory on the way down, with those in it that have not been visited. */
interface Level {
  path: Buffer
  names: Buffer[]
  /** Null when it is not needed any more, or was closed for want of room. */
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
  endMarkers: ReadonlySet<string>
}

function sourceOf(root: string | Uint8Array, options: WalkOptions): Source {
  const top = Buffer.from(options.below ?? [])
  const topNames = componentsOf(top)
  if (topNames === null) throw new Failure('invalid', `'${displayName(top)}' is no path within a directory.`)
  const endMarkers = options.endMarkers ?? usualEndMarkers
  const ignored = options.ignored ?? (() => false)
  return {
    reader: createDirectoryReader(options.calls === undefined ? systemCalls() : options.calls),
    root: typeof root === 'string' ? bytesOfText(root) : root,
    top,
    topNames,
    // Markers are hidden files, which are mostly ignored.
    ignored: (raw, kind) => !endMarkers.has(raw) && ignored(raw, kind),
    endMarkers,
  }
}

/** Vanished, or a link or a file by now: for what was a directory a moment ago that is the same. */
const vanishedCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** What `work` gives; null when it is not there, and the reason when the disk refuses. */
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

/** The topmost will be needed last. */
function closeSurplus(levels: readonly Level[]) {
  const open = levels.filter(level => level.open?.holds)
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
    endedBy: null,
    device: '',
  }
}

/** Reads a directory in pieces of some milliseconds; the last step is the directory. */
function* piecesOf(source: Source, opened: OpenDirectory, path: Buffer): Generator<void, WalkedDirectory, void> {
  let entries: WalkedEntry[] = []
  let more = true
  while (more) {
    const result = attempt(() => opened.readSome(entries, source.ignored), false)
    if (typeof result === 'string') return unreadable(path, result)
    more = result ?? false
    if (more) yield
  }
  const endedBy = entries.find(entry => entry.kind === 'file' && source.endMarkers.has(entry.raw))?.raw ?? null
  if (endedBy !== null) entries = []
  entries.sort((a, b) => (a.raw < b.raw ? -1 : 1))
  const files = entries.filter(entry => entry.kind === 'file')
  return {
    path,
    display: displayName(path),
    error: null,
    entries,
    fingerprint: files.some(file => file.error !== null) ? randomBytes(8) : fingerprintOf(files),
    endedBy,
    device: opened.device,
  }
}
