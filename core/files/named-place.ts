/** What lies at a path that a person or a setting named; links are followed. */
import { statSync } from 'node:fs'
import { codeOf, diskError } from './disk-error.ts'

/** `blocked`: a file is in the way, so that nothing can lie there. */
export type NamedPlace = 'directory' | 'file' | 'other' | 'nothing' | 'blocked'

/** Throws a DiskError where the system does not tell. */
export function namedPlace(path: string): NamedPlace {
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
