/** Copies a file's renditions to its new content key, when its metadata have changed but not its picture. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renditionDirectories } from './renditions.ts'

/** Copies every existing size and format. A rendition that cannot be copied is made again on request. */
export function copyRenditions(cache: string, from: string, to: string): void {
  if (from === '' || from === to) return
  const targets = renditionDirectories(cache, to)
  for (const [n, source] of renditionDirectories(cache, from).entries()) {
    try {
      copyAll(cache, { source, from, target: targets[n] ?? source, to })
    } catch {
      // There is no rendition yet, or the cache is full or gone: it may be deleted at any time.
    }
  }
}

function copyAll(cache: string, { source, from, target, to }: Record<'source' | 'from' | 'target' | 'to', string>) {
  for (const name of readdirSync(source)) {
    if (!name.startsWith(`${from}-`)) continue
    const path = join(target, `${to}${name.slice(from.length)}`)
    if (existsSync(path)) continue
    mkdirSync(target, { recursive: true, mode: 0o700 })
    const temporary = join(cache, 'renditions', 'tmp', `${process.pid}-${crypto.randomUUID()}`)
    mkdirSync(dirname(temporary), { recursive: true, mode: 0o700 })
    try {
      copyFileSync(join(source, name), temporary)
      chmodSync(temporary, 0o600)
      renameSync(temporary, path)
    } finally {
      rmSync(temporary, { force: true })
    }
  }
}
