/** Renames without ever overwriting, in the best way that kernel and file system support. */
import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs'
import { Failure, sentence } from '../../schema/errors.ts'
import type { Anchor } from './anchor.ts'
import { codeOf, codeOfNumber, DiskError } from './disk-error.ts'
import { displayName } from './names.ts'
import { type SystemCalls, terminated } from './system-calls.ts'

export interface DirectoryEntry {
  directory: Anchor
  name: Buffer
}

function nameTaken(to: DirectoryEntry): Failure {
  return new Failure('conflict', sentence`There is already something named ${displayName(to.name)}.`)
}

/** Codes that mean: this file system, or this kernel, does not support such a rename. */
const noSuchRename = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM'])

/**
 * Renames without overwriting: a taken name is a `conflict`. Tries three ways, from the best to the one that works on
 * every disk; only with the last can a killed process leave an empty file or directory under the new name.
 */
export function renameWithoutReplacing(calls: SystemCalls | null, from: DirectoryEntry, to: DirectoryEntry) {
  if (calls !== null && from.directory.fd !== null && to.directory.fd !== null) {
    const result = calls.renameWithoutReplacing(
      from.directory.fd,
      terminated(from.name),
      to.directory.fd,
      terminated(to.name),
    )
    if (result === 0) return
    const code = codeOfNumber(-result)
    if (code === 'EEXIST') throw nameTaken(to)
    if (!noSuchRename.has(code)) throw new DiskError(code, '')
  }
  const source = from.directory.entry(from.name)
  const target = to.directory.entry(to.name)
  if (lstatSync(source).isDirectory() || !linkAndUnlink(source, target, to)) reserveAndRename(source, target, to)
}

const noSuchLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'])

/** Adds a name with `link`, which never replaces, then removes the old one. False on disks without hard links (FAT). */
function linkAndUnlink(source: Buffer, target: Buffer, to: DirectoryEntry): boolean {
  try {
    linkSync(source, target)
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === 'EEXIST') throw nameTaken(to)
    if (noSuchLink.has(code)) return false
    throw error
  }
  unlinkSync(source)
  return true
}

/** Reserves the name with an empty file or directory: the rename can replace nothing else. */
function reserveAndRename(source: Buffer, target: Buffer, to: DirectoryEntry) {
  const isDirectory = lstatSync(source).isDirectory()
  try {
    if (isDirectory) mkdirSync(target)
    else closeSync(openSync(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw nameTaken(to)
    throw error
  }
  try {
    renameSync(source, target)
  } catch (error) {
    if (isDirectory) rmdirSync(target)
    else if (lstatSync(target).size === 0) unlinkSync(target)
    throw error
  }
}
