import { expect, test } from 'bun:test'
import { closeSync, ftruncateSync, futimesSync, lstatSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { walk } from '../../../core/survey/walk.ts'
import { isLong } from '../../support/long.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const [inOneDirectory, inManyDirectories] = isLong ? [40_000, 60_000] : [7000, 5000]

test('thousands of files have the same sizes and times as from lstat', async () => {
  const root = temporaryDirectory()
  // Sizes and times differ between files, so that a value left over from the previous file is noticed.
  const make = (directory: string, n: number) => {
    const fd = openSync(join(root, directory, `IMG_${n}.jpg`), 'w')
    ftruncateSync(fd, (n * 7919) % 1_000_003)
    futimesSync(fd, 1, 1_000_000_000 + n * 61.25)
    closeSync(fd)
  }
  mkdirSync(join(root, 'large'))
  for (let n = 0; n < inOneDirectory; n++) make('large', n)
  for (let n = 0; n < inManyDirectories; n++) {
    const directory = `${Math.floor(n / 60)}`
    if (n % 60 === 0) mkdirSync(join(root, directory))
    make(directory, 100_000 + n)
  }

  let files = 0
  const wrong: string[] = []
  for await (const { display, entries } of walk(root)) {
    for (const entry of entries) {
      if (entry.kind !== 'file') continue
      files++
      const path = join(root, display, entry.raw)
      const known = lstatSync(path, { bigint: true })
      const time = BigInt(entry.mtimeSeconds) * 1_000_000_000n + BigInt(entry.mtimeNanoseconds)
      if (BigInt(entry.size) !== known.size || time !== known.mtimeNs) wrong.push(path)
    }
  }
  expect(files).toBe(inOneDirectory + inManyDirectories)
  expect(wrong).toEqual([])
  // Removed here, because a hook has a shorter timeout.
  rmSync(root, { recursive: true })
}, 120_000)
