/** Finds the programs of the system that are run. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/**
 * Absolute path of a program: the one that is set, else the first of that name in PATH; null when there is none that can
 * be run. A setting that names nothing runnable is not made up for by PATH: its owner meant that one.
 */
export function findTool(name: string, setting: string | undefined, path = process.env.PATH ?? ''): string | null {
  if (setting !== undefined && setting !== '') return isRunnable(setting) ? setting : null
  for (const directory of path.split(delimiter)) {
    // An empty or relative entry would look into whatever directory one is in.
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
