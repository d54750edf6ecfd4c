/** Flushes a whole file system at once: for thousands of files that is far cheaper than one flush for each of them. */
import { findTool } from './find-tool.ts'

/**
 * Makes lasting everything that was written to the file system on which a directory lies (syncfs), in a process of its own,
 * as it may take long. False where that is not possible: `sync` is missing, too old for `-f`, or reports an error.
 */
export async function syncFileSystem(directory: string): Promise<boolean> {
  const tool = findTool('sync', undefined)
  if (tool === null) return false
  const child = Bun.spawn([tool, '-f', directory], { stdio: ['ignore', 'ignore', 'ignore'] })
  return (await child.exited) === 0
}
