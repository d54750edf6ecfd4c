/** Loads native code from the executable: files are first extracted to a private directory. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { reasonOf } from '../../schema/errors.ts'

/** An embedded file: where it is in the executable, and where the addon expects it in the directory. */
export interface EmbeddedFile {
  /** Path within the directory that files are extracted to, with `/`. */
  to: string
  /** Path that `readFileSync` can read. */
  from: string
  /** Bytes; a file of this size counts as extracted. */
  size: number
}

export interface EmbeddedAddon {
  /** Changes when any byte of the files changes. The directory's name contains it: versions exist side by side. */
  version: string
  files: readonly EmbeddedFile[]
  /** `to` of the addon's file; the other files are its libraries. */
  addon: string
}

/** Directories of other versions are removed at this age: a younger one may belong to an executable still in use. */
const removeAfterMs = 7 * 24 * 3600 * 1000

/** Directories to try, best first, before a fresh temporary directory is used as the last resort. */
export function nativeDirectories(environment: Record<string, string | undefined>, userId: number | null): string[] {
  const directories: string[] = []
  const { XDG_CACHE_HOME: cache, HOME: home } = environment
  if (cache?.startsWith('/')) directories.push(join(cache, 'keepsake'))
  if (home?.startsWith('/')) directories.push(join(home, '.cache', 'keepsake'))
  directories.push(join(tmpdir(), `keepsake-${userId ?? 'user'}`))
  return directories
}

/**
 * True if only this user and root can replace `directory` or a parent of it. Otherwise another user (under a shared
 * /tmp), or an unprivileged user when root runs this, would decide which code is loaded.
 */
export function isProtected(directory: string, userId: number | null): boolean {
  if (userId === null) return true
  // A link is not followed: its owner can change its target.
  if (lstatSync(directory).isSymbolicLink()) return false
  let path = realpathSync(directory)
  for (let isLeaf = true; ; isLeaf = false) {
    const { uid, mode } = statSync(path)
    if (uid !== userId && uid !== 0) return false
    // In a sticky directory like /tmp, others can add names but not replace this user's.
    const othersMayWrite = (mode & 0o022) !== 0
    const sticky = (mode & 0o1000) !== 0
    if (othersMayWrite && (isLeaf || !sticky)) return false
    const parent = dirname(path)
    if (parent === path) return true
    path = parent
  }
}

function write(path: string, bytes: Uint8Array) {
  const temporary = `${path}.${process.pid}-${crypto.randomUUID()}`
  try {
    writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true })
    chmodSync(temporary, 0o500)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Removes temporary files of `path` that killed processes left; younger ones may be in use. */
function removeUnfinished(path: string) {
  const beginning = `${basename(path)}.`
  for (const name of readdirSync(dirname(path))) {
    const other = join(dirname(path), name)
    if (!name.startsWith(beginning)) continue
    // Another process may have finished the file meanwhile.
    const written = lstatSync(other, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - written > 600_000) rmSync(other, { force: true })
  }
}

/** Extracts missing files into `directory`. Several processes may do it at once: each file appears complete. */
export function extractFiles(directory: string, files: readonly EmbeddedFile[], userId: number | null): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (!isProtected(directory, userId)) throw new Error(`${directory} can be changed by other users`)
  for (const { to, from, size } of files) {
    const path = join(directory, to)
    const there = lstatSync(path, { throwIfNoEntry: false })
    if (there?.isFile() && there.size === size && (userId === null || there.uid === userId || there.uid === 0)) continue
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    removeUnfinished(path)
    write(path, readFileSync(from))
  }
}

/** Removes old directories of other versions beside the directory `keep`. Failures do not matter. */
function removeOthers(parent: string, keep: string) {
  try {
    for (const name of readdirSync(parent)) {
      const path = join(parent, name)
      if (name === keep || !name.startsWith('native-')) continue
      if (Date.now() - lstatSync(path).mtimeMs > removeAfterMs) rmSync(path, { recursive: true, force: true })
    }
  } catch {
    // Files that could not be removed only take disk space.
  }
}

function load(directory: string, addon: string): unknown {
  const loaded: { exports: unknown } = { exports: {} }
  process.dlopen(loaded, join(directory, addon))
  return loaded.exports
}

/**
 * Exports of an embedded addon. Skips directories that are read-only, full, mounted noexec or open to others; the last
 * resort is a fresh private directory. Throws with every reason if none works.
 */
export function loadEmbeddedAddon(
  { version, files, addon }: EmbeddedAddon,
  environment: Record<string, string | undefined> = process.env,
): unknown {
  const userId = process.geteuid?.() ?? null
  const name = `native-${version}`
  const reasons: string[] = []
  for (const parent of nativeDirectories(environment, userId)) {
    const directory = join(parent, name)
    try {
      mkdirSync(parent, { recursive: true, mode: 0o700 })
      const isNew = lstatSync(directory, { throwIfNoEntry: false }) === undefined
      extractFiles(directory, files, userId)
      const loaded = load(directory, addon)
      if (isNew) removeOthers(parent, name)
      return loaded
    } catch (error) {
      reasons.push(`${directory}: ${reasonOf(error)}`)
    }
  }
  let last: string | null = null
  try {
    last = mkdtempSync(join(tmpdir(), 'keepsake-native-'))
    extractFiles(last, files, userId)
    return load(last, addon)
  } catch (error) {
    reasons.push(`${last ?? tmpdir()}: ${reasonOf(error)}`)
    throw new Error(`The native code of this executable could not be loaded.\n${reasons.join('\n')}`, { cause: error })
  } finally {
    // The addon is in memory now, so its files can be removed.
    if (last !== null && process.platform !== 'win32') rmSync(last, { recursive: true, force: true })
  }
}
