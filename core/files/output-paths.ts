/** Checks output paths from users, before work starts and in its dry run. */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Failure, sentence } from '../../schema/errors.ts'
import { DiskError, diskError } from './disk-error.ts'

/** The entry at a path, following links; null if there is none. Throws `invalid` if that cannot be determined. */
function statPath(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    throw outputFailure(error, path)
  }
}

const full = new Set(['ENOSPC', 'EDQUOT'])

/** Converts a system error of an output path to a failure that names it; other errors are unchanged. */
export function outputFailure(error: unknown, path: string): unknown {
  const disk = error instanceof DiskError ? error : diskError(error, path)
  if (!(disk instanceof DiskError)) return error
  return new Failure(full.has(disk.code) ? 'noSpace' : 'invalid', disk.message, { cause: error })
}

function requireWritableDirectory(path: string): void {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw outputFailure(error, path)
  }
}

/**
 * Checks that this file can be written through a temporary file beside it, which is renamed. An existing entry must be
 * a file: a device would be replaced, and a directory would block the name.
 */
export function requireOutputFile(out: string): void {
  if (out === '-') throw new Failure('invalid', 'This file cannot go to standard output: give a file name.')
  const path = resolve(out)
  const found = statPath(path)
  if (found !== null && !found.isFile())
    throw new Failure(
      'invalid',
      found.isDirectory() ? `${path} is a directory. Give a file.` : `${path} is not a file that can be overwritten.`,
    )
  const directory = statPath(dirname(path))
  if (directory === null) throw new Failure('notFound', sentence`There is no directory ${dirname(path)} for ${path}.`)
  if (!directory.isDirectory()) throw new Failure('invalid', sentence`${dirname(path)} is not a directory.`)
  requireWritableDirectory(dirname(path))
}

/** Checks that files can be written to this folder, which is created with its parents if it is missing. */
export function requireOutputFolder(to: string): void {
  for (let path = resolve(to); ; path = dirname(path)) {
    const found = statPath(path)
    if (found === null && dirname(path) !== path) continue
    if (found?.isDirectory() !== true) throw new Failure('invalid', sentence`${path} is not a directory.`)
    requireWritableDirectory(path)
    return
  }
}
