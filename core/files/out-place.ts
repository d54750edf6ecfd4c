/** Where somebody wants a file or a folder of ours: refused before the work for it is begun, and in its rehearsal. */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Failure } from '../../schema/errors.ts'
import { DiskError, diskError } from './disk-error.ts'

/** What lies there, links followed; null where nothing does. `invalid` where that cannot be told. */
function at(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    throw outRefused(error, path)
  }
}

const full = new Set(['ENOSPC', 'EDQUOT'])

/** What the system refuses of a file or folder of ours, as a failure that names it; any other error comes back as it is. */
export function outRefused(error: unknown, path: string): unknown {
  const disk = error instanceof DiskError ? error : diskError(error, path)
  if (!(disk instanceof DiskError)) return error
  return new Failure(full.has(disk.code) ? 'noSpace' : 'invalid', disk.message, { cause: error })
}

function demandWritableDirectory(path: string): void {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw outRefused(error, path)
  }
}

/**
 * Can this file be made, by a temporary one beside it that takes its name? What is there must be a file: a device or a
 * directory of that name would be replaced, or be in the way.
 */
export function demandOutFile(out: string): void {
  if (out === '-') throw new Failure('invalid', 'This is a file, and cannot go to standard output: give its name.')
  const path = resolve(out)
  const found = at(path)
  if (found !== null && !found.isFile())
    throw new Failure(
      'invalid',
      found.isDirectory() ? `${path} is a directory. Give a file.` : `${path} is no file that could be written anew.`,
    )
  const directory = at(dirname(path))
  if (directory === null) throw new Failure('notFound', `There is no directory ${dirname(path)} for ${path}.`)
  if (!directory.isDirectory()) throw new Failure('invalid', `${dirname(path)} is not a directory.`)
  demandWritableDirectory(dirname(path))
}

/** Can files be put into this folder, made with those above it where it is not there? */
export function demandOutFolder(to: string): void {
  for (let path = resolve(to); ; path = dirname(path)) {
    const found = at(path)
    if (found === null && dirname(path) !== path) continue
    if (found?.isDirectory() !== true) throw new Failure('invalid', `${path} is not a directory.`)
    demandWritableDirectory(path)
    return
  }
}
