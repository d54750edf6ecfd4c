/** Removes renditions of a content that no item has any more. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { renditionDirectories } from './renditions.ts'

const sizes = /^(tiny|small|medium|large|variant|motion)\b/

/** Removes every size and format. Failures only waste space: the cache may be deleted at any time. */
export function removeRenditions(cache: string, content: string): void {
  if (content === '') return
  for (const directory of renditionDirectories(cache, content)) {
    try {
      for (const name of readdirSync(directory)) {
        if (!name.startsWith(`${content}-`) || !sizes.test(name.slice(content.length + 1))) continue
        rmSync(join(directory, name), { force: true })
      }
    } catch {
      // No rendition of this content was ever made, or the cache is gone.
    }
  }
}
