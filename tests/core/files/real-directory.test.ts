import { describe, expect, test } from 'bun:test'
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDirectoryLookup, realDirectory } from '../../../core/files/real-directory.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

describe('a directory', () => {
  test('has the same path and identity for every path that leads to it', async () => {
    const root = temporaryDirectory()
    mkdirSync(join(root, 'real'))
    symlinkSync('real', join(root, 'link'))
    writeFileSync(join(root, 'file'), '')
    const { dev, ino } = statSync(join(root, 'real'), { bigint: true })
    for (const name of ['real', 'link', 'link/../real/']) {
      expect(await realDirectory(join(root, name))).toMatchObject({
        path: join(root, 'real'),
        identity: `${dev}:${ino}`,
      })
    }
    for (const name of ['file', 'none', 'none/deeper']) expect(await realDirectory(join(root, name))).toBeNull()
  })

  test('on a disk that does not respond counts as absent, and only one look-up waits for the disk', async () => {
    let count = 0
    const { promise, resolve } = Promise.withResolvers<null>()
    const lookUp = createDirectoryLookup(() => {
      count++
      return promise
    }, 1)
    expect(await Promise.all([lookUp('/dead'), lookUp('/dead')])).toEqual([null, null])
    expect(await lookUp('/dead')).toBeNull()
    expect(count).toBe(1)
    resolve(null)
    await lookUp('/dead')
    await lookUp('/dead')
    expect(count).toBe(2)
  })
})
