/** Finds external programs. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/**
 * Absolute path of a program: the configured one, else the first of that name in PATH; null if there is no executable.
 * A wrong setting does not fall back to PATH, because it was meant to choose that file.
 */
export function findTool(name: string, setting: string | undefined, path = process.env.PATH ?? ''): string | null {
  if (setting !== undefined && setting !== '') return isRunnable(setting) ? setting : null
  for (const directory of path.split(delimiter)) {
    // An empty or relative entry would search the current directory.
    if (!isAbsolute(directory)) continue
    const candidate = join(directory, name)
    if (isRunnable(candidate)) return candidate
  }
  return null
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return isAbsolute(path) && statSync(path).isFile()
  } catch {
    return false
  }
}
