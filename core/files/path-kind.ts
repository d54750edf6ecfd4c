/** What is at a path from a user or a setting; links are followed. */
import { statSync } from 'node:fs'
import { codeOf, diskError } from './disk-error.ts'

/** `blocked`: a parent is a file, so that the path cannot exist. */
export type PathKind = 'directory' | 'file' | 'other' | 'nothing' | 'blocked'

/** Throws a DiskError if the system cannot tell. */
export function kindAtPath(path: string): PathKind {
  try {
    const found = statSync(path)
    return found.isDirectory() ? 'directory' : found.isFile() ? 'file' : 'other'
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return 'nothing'
    if (code === 'ENOTDIR') return 'blocked'
    throw diskError(error, path)
  }
}
