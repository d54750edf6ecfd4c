/** Files outside the library: completes paths and writes exports. */
import { createWriteStream, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure, reasonOf } from '../../schema/errors.ts'

const maxSuggestions = 200

/** Replaces `~` by the home directory. `//` or `/~/` within the text starts a new path, as typed after a suggestion. */
function expandPath(typed: string): string {
  const path = typed.replace(/^.*\/(?=\/|~\/)/, '')
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}

function foldersIn(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter(entry => entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(directory, entry.name))))
      .map(({ name }) => name)
  } catch {
    // Not a folder, or unreadable, so there is nothing to suggest.
    return []
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Why a folder cannot be written to, and the remedy; for other errors, the system's message. */
function writeErrorText(error: unknown, folder: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  switch (code) {
    case 'ENOENT':
      return `There is no folder ${folder}: create it, or give another path.`
    case 'ENOTDIR':
    case 'EEXIST':
      return 'There is a file where a folder is needed: give another path.'
    case 'EACCES':
    case 'EPERM':
      return `You may not write to ${folder}: give another path, or change its permissions.`
    case 'EROFS':
      return `The disk of ${folder} is read-only: give another path.`
    case 'ENOSPC':
    case 'EDQUOT':
      return 'The disk is full: free some space, or give a path on another disk.'
    case 'ENAMETOOLONG':
      return 'The name is too long: give a shorter one.'
    default:
      return `${reasonOf(error).replace(/, \w+ '.*$/, '')}.`
  }
}

/** Temporary names of files that are being written. */
const unfinishedFiles = new Set<string>()

/** Removes incomplete files when the program ends. */
export function abandonWrites(): void {
  for (const path of unfinishedFiles) rmSync(path, { force: true })
  unfinishedFiles.clear()
}

export const localFiles = {
  /** Folders whose path begins with the text, like a shell's completion; each ends with `/`. */
  foldersLike(path: string): string[] {
    const whole = expandPath(path)
    const at = whole.lastIndexOf('/')
    const directory = at < 0 ? '.' : whole.slice(0, at + 1)
    const begin = whole.slice(at + 1)
    return foldersIn(directory)
      .filter(name => name.startsWith(begin) && (begin.startsWith('.') || !name.startsWith('.')))
      .sort()
      .slice(0, maxSuggestions)
      .map(name => `${at < 0 ? '' : directory}${name}/`)
  },
  typeAt(path: string): 'file' | 'directory' | null {
    try {
      return statSync(expandPath(path)).isDirectory() ? 'directory' : 'file'
    } catch {
      return null
    }
  },
  makeDirectory(path: string): void {
    try {
      mkdirSync(resolve(expandPath(path)), { recursive: true })
    } catch (error) {
      throw new Failure(
        'invalid',
        `${path} cannot be created. ${writeErrorText(error, dirname(resolve(expandPath(path))))}`,
        {
          cause: error,
        },
      )
    }
  },
  /** The absolute path, with `~` and relative paths resolved. */
  resolve: (path: string): string => resolve(expandPath(path)),
  /** Writes a temporary file beside the path, then links it there: nothing is replaced. Returns its size in bytes. */
  async write(
    path: string,
    content: AsyncIterable<string> | Iterable<string>,
    { signal, onBytes }: { signal?: AbortSignal; onBytes?: (bytes: number) => void } = {},
  ): Promise<number> {
    const target = resolve(expandPath(path))
    if (localFiles.typeAt(target) !== null)
      throw new Failure('conflict', `${target} already exists. Give another name.`)
    const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
    let bytes = 0
    async function* counted() {
      for await (const text of content) {
        signal?.throwIfAborted()
        bytes += Buffer.byteLength(text)
        yield text
        onBytes?.(bytes)
        // Lets the terminal handle keystrokes in between.
        await new Promise(next => setImmediate(next))
      }
    }
    unfinishedFiles.add(temporary)
    try {
      await pipeline(counted, createWriteStream(temporary, { flags: 'wx' }))
      linkSync(temporary, target)
      return bytes
    } catch (error) {
      if (error instanceof Failure) throw error
      throw new Failure('invalid', `${target} cannot be written. ${writeErrorText(error, dirname(target))}`, {
        cause: error,
      })
    } finally {
      rmSync(temporary, { force: true })
      unfinishedFiles.delete(temporary)
    }
  },
}
