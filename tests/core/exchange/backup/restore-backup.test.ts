import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { swapWithin } from '../../../../core/exchange/backup/restore-backup.ts'
import { temporaryDirectory } from '../../../support/temporary.ts'

/** A data directory with a library, and a restored library within it. */
function volume() {
  const data = temporaryDirectory()
  const target = join(data, '.restoring-1')
  for (const [root, text] of [
    [data, 'old'],
    [target, 'new'],
  ] as const) {
    mkdirSync(join(root, 'plugins/one'), { recursive: true })
    for (const name of ['library.db', 'secrets.json', 'plugins/one/plugin.json']) writeFileSync(join(root, name), text)
  }
  writeFileSync(join(data, 'config.toml'), 'old')
  return { data, target, kept: join(data, '.before-restore-1') }
}

test('swapping within a volume moves the old files aside and the new files into place', () => {
  const { data, target, kept } = volume()
  expect(swapWithin(data, target, kept)).toBe(kept)
  expect(readdirSync(data).sort()).toEqual([
    '.before-restore-1',
    '.restoring-1',
    'library.db',
    'plugins',
    'secrets.json',
  ])
  expect(readdirSync(target)).toEqual([])
  expect(readFileSync(join(data, 'plugins/one/plugin.json'), 'utf8')).toBe('new')
  expect(readdirSync(kept).sort()).toEqual(['config.toml', 'library.db', 'plugins', 'secrets.json'])
  expect(readFileSync(join(kept, 'library.db'), 'utf8')).toBe('old')
})

test('a file that cannot be moved undoes the swap', () => {
  const { data, target, kept } = volume()
  // This directory blocks the move of the old secrets.json.
  mkdirSync(join(kept, 'secrets.json/full'), { recursive: true })
  const before = readdirSync(data).sort()
  expect(() => swapWithin(data, target, kept)).toThrow()
  expect(readdirSync(data).sort()).toEqual(before)
  expect(readFileSync(join(data, 'library.db'), 'utf8')).toBe('old')
})
