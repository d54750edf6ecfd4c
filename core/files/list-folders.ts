/** Names of the directories in a directory, for somebody who chooses one. */
import { constants } from 'node:fs'
import { access, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isWithin } from './overlap.ts'
import { realDirectory } from './real-directory.ts'

/** What a text can't hold of a name's bytes is replaced by this, and then nobody can ask for it any more. */
const lost = '\uFFFD'

async function isReadable(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Directories in `path` that can be read, sorted; links to directories are among them. Left out: `hidden` and what lies
 * within it, and names that are not UTF-8, which no text can ask for. Null when `path` lies within `hidden` itself. Throws
 * what the system says of `path` itself.
 */
export async function listFolders(path: string, hidden: string): Promise<string[] | null> {
  const real = await realpath(path)
  const away = await realpath(hidden).catch(() => hidden)
  if (isWithin(real, away)) return null
  const entries = await readdir(path, { withFileTypes: true })
  const names = await Promise.all(
    entries.map(async entry => {
      const { name } = entry
      // Some file systems tell no kinds: then it is looked at, as a link is.
      const isPlain = entry.isFile() || entry.isSocket() || entry.isFIFO()
      if (isPlain || entry.isCharacterDevice() || entry.isBlockDevice() || name.includes(lost)) return null
      const child = entry.isDirectory() ? join(real, name) : (await realDirectory(join(path, name)))?.path
      return child === undefined || isWithin(child, away) || !(await isReadable(child)) ? null : name
    }),
  )
  return names.filter(name => name !== null).sort((a, b) => a.localeCompare(b))
}
