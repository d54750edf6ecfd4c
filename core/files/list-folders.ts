/** Lists subdirectories of a directory, for the folder picker. */
import { constants } from 'node:fs'
import { access, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isWithin } from './overlap.ts'
import { realDirectory } from './real-directory.ts'

/** The replacement character for undecodable bytes: a name that contains it cannot be converted back. */
const replacement = '\uFFFD'

async function isReadable(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Readable directories in `path`, sorted, including links to directories. Leaves out `hidden` and its contents, and
 * names that are not UTF-8. Null when `path` is within `hidden` itself. Throws system errors about `path` itself.
 */
export async function listFolders(path: string, hidden: string): Promise<string[] | null> {
  const real = await realpath(path)
  const realHidden = await realpath(hidden).catch(() => hidden)
  if (isWithin(real, realHidden)) return null
  const entries = await readdir(path, { withFileTypes: true })
  const names = await Promise.all(
    entries.map(async entry => {
      const { name } = entry
      // Some file systems provide no kinds: then the entry is examined, like a link.
      const isPlain = entry.isFile() || entry.isSocket() || entry.isFIFO()
      if (isPlain || entry.isCharacterDevice() || entry.isBlockDevice() || name.includes(replacement)) return null
      const child = entry.isDirectory() ? join(real, name) : (await realDirectory(join(path, name)))?.path
      return child === undefined || isWithin(child, realHidden) || !(await isReadable(child)) ? null : name
    }),
  )
  return names.filter(name => name !== null).sort((a, b) => a.localeCompare(b))
}
