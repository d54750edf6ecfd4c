import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, statfsSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filmPath } from '../../../core/items/transcode-job.ts'
import { silentLog } from '../../../core/kernel/log.ts'
import { copyRenditions } from '../../../core/media/cache/copy-renditions.ts'
import { createMadeCache, limitOf } from '../../../core/media/cache/made-cache.ts'
import { removeRenditions } from '../../../core/media/cache/remove-renditions.ts'
import { renditionPath } from '../../../core/media/cache/renditions.ts'
import { settingsTable } from '../../../schema/settings.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const now = Date.parse('2026-06-01T12:00:00Z')
const hour = 3_600_000

function openCache(limit: number | null) {
  const cache = temporaryDirectory()
  return {
    cache,
    made: createMadeCache({ cache, limit, log: silentLog, now: () => now }),
    /** Creates a file of 100 bytes that was last used this many hours ago. */
    put(path: string, hoursAgo: number): string {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, Buffer.alloc(100))
      const at = (now - hoursAgo * hour) / 1000
      utimesSync(path, at, at)
      return path
    },
  }
}

const content = (n: number) => `${String(n).padStart(3, '0')}456789abcdef0-1`

test('above the limit, the least recently used files are removed until there is some room', async () => {
  const { cache, made, put } = openCache(500)
  const paths = [5, 1, 3, 6, 2, 4].map(hoursAgo => put(renditionPath(cache, content(hoursAgo), 'large'), hoursAgo))
  await made.prune()
  expect(paths.map(path => existsSync(path))).toEqual([false, true, true, false, true, true])
  await made.prune()
  expect(paths.filter(path => existsSync(path))).toHaveLength(4)
})

test('files used within the same hour are also removed in the order of their last use', async () => {
  const { cache, made, put } = openCache(200)
  const paths = [5.2, 5.4, 5.3].map((hoursAgo, n) => put(renditionPath(cache, content(n), 'large'), hoursAgo))
  await made.prune()
  expect(paths.map(path => existsSync(path))).toEqual([true, false, false])
})

test('tiny, small and medium renditions stay, whatever the limit', async () => {
  const { cache, made, put } = openCache(0)
  const kept = [
    ...(['tiny', 'small', 'medium'] as const).map(size => put(renditionPath(cache, content(1), size), 99)),
    put(renditionPath(cache, content(1), 'small', 'webp', 90), 99),
  ]
  const removable = [
    put(renditionPath(cache, content(1), 'large'), 99),
    put(renditionPath(cache, content(1), 'variant'), 99),
    put(renditionPath(cache, content(1), 'tiny', 'png'), 99),
    put(filmPath(cache, content(1)), 99),
    put(renditionPath(join(cache, 'made', 'loose'), content(1), 'small'), 99),
  ]
  await made.prune()
  expect(kept.filter(path => !existsSync(path))).toEqual([])
  expect(removable.filter(path => existsSync(path))).toEqual([])
})

test('new files and unfinished files stay', async () => {
  const { cache, made, put } = openCache(0)
  const young = put(renditionPath(cache, content(1), 'large'), 0)
  const unfinished = put(join(cache, 'made', 'loose', 'renditions', 'tmp', '1-x'), 99)
  await made.prune()
  expect([young, unfinished].map(path => existsSync(path))).toEqual([true, true])
})

test('without a limit nothing is removed', async () => {
  const { cache, made, put } = openCache(null)
  const path = put(renditionPath(cache, content(1), 'large'), 9_999)
  await made.prune()
  expect(existsSync(path)).toBe(true)
})

test('a use is recorded once an hour, and only for files made on demand', async () => {
  const { cache, made, put } = openCache(null)
  const [old, recent] = [2, 0.5].map(hoursAgo => put(renditionPath(cache, content(hoursAgo), 'large'), hoursAgo))
  const small = put(renditionPath(cache, content(3), 'small'), 2)
  for (const path of [old, recent, small, join(cache, 'made', 'nothing')]) await made.used(path ?? '')
  const hoursOf = (path = '') => (now - statSync(path).mtimeMs) / hour
  expect([old, recent, small].map(hoursOf)).toEqual([0, 0.5, 2])
})

test('files that older versions kept among the small renditions are moved once, and loose pictures are removed', async () => {
  const { cache, made, put } = openCache(null)
  const old = (name: string) => join(cache, 'renditions', content(1).slice(0, 3), `${content(1)}-${name}`)
  for (const name of ['tiny.webp', 'small-270.webp', 'large.webp', 'variant.jpeg', 'variant.mp4', 'motion-9-7.mp4'])
    put(old(name), 5)
  put(join(cache, 'loose', 'renditions', '000', 'a.webp'), 5)
  await made.start()
  expect(readdirSync(dirname(old('')))).toEqual([`${content(1)}-small-270.webp`, `${content(1)}-tiny.webp`])
  expect(existsSync(renditionPath(cache, content(1), 'large'))).toBe(true)
  expect(existsSync(filmPath(cache, content(1)))).toBe(true)
  expect(existsSync(join(cache, 'loose'))).toBe(false)
  const late = put(old('large.webp'), 5)
  await made.start()
  expect(existsSync(late)).toBe(true)
})

test('renditions in both places are copied and removed with their content', () => {
  const { cache, put } = openCache(null)
  const sizes = ['small', 'large', 'variant'] as const
  for (const size of sizes) put(renditionPath(cache, content(1), size), 1)
  copyRenditions(cache, content(1), content(2))
  const existing = (n: number) => sizes.filter(size => existsSync(renditionPath(cache, content(n), size)))
  expect([existing(1), existing(2)]).toEqual([[...sizes], [...sizes]])
  removeRenditions(cache, content(1))
  expect([existing(1), existing(2)]).toEqual([[], [...sizes]])
})

test('the limit is a part of the disk, a size, or none', () => {
  const directory = temporaryDirectory()
  const { schema } = settingsTable.cache_size
  const limit = (text: string) => limitOf(schema.parse(text), directory)
  const { blocks, bsize } = statfsSync(directory)
  expect(limit(settingsTable.cache_size.default)).toBe(Math.floor(blocks * bsize * 0.2))
  expect(limit('0%')).toBe(0)
  expect(limit('50GB')).toBe(50 * 1024 ** 3)
  expect(limit('off')).toBeNull()
  for (const wrong of ['101%', '-1%', '20 %', 'many', '']) expect(schema.safeParse(wrong).success).toBe(false)
})
