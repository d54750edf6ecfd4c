/** Gives renditions to another content that shows the same picture: only what a file says about itself has changed. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renditionPath } from './renditions.ts'

/** Copies every size and format that is there. What cannot be copied is made anew when it is asked for. */
export function copyRenditions(cache: string, from: string, to: string): void {
  if (from === '' || from === to) return
  const source = dirname(renditionPath(cache, from, 'tiny'))
  const target = dirname(renditionPath(cache, to, 'tiny'))
  try {
    for (const name of readdirSync(source)) {
      if (!name.startsWith(`${from}-`)) continue
      const path = join(target, `${to}${name.slice(from.length)}`)
      if (existsSync(path)) continue
      mkdirSync(target, { recursive: true })
      const temporary = join(cache, 'renditions', 'tmp', `${process.pid}-${crypto.randomUUID()}`)
      mkdirSync(dirname(temporary), { recursive: true })
      try {
        copyFileSync(join(source, name), temporary)
        renameSync(temporary, path)
      } finally {
        rmSync(temporary, { force: true })
      }
    }
  } catch {
    // The cache is full or gone: it may be deleted at any time.
  }
}
