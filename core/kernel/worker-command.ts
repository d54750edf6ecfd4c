/** How this program starts itself as a worker. */
import { join } from 'node:path'

/** Inside the executable, Keepsake's modules have addresses of its embedded file system. */
export function isCompiled(): boolean {
  return import.meta.path.startsWith('/$bunfs/') || import.meta.path.includes('~BUN')
}

/** Command line of this program, without arguments: the executable, or Bun with the source of its entry. */
export function ownCommand(): string[] {
  if (isCompiled()) return [process.execPath]
  return [process.execPath, join(import.meta.dir, '../..', 'cli', 'main.ts')]
}
