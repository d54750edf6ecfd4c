import { expect, test } from 'bun:test'
import { createPlaceLocks } from '../../../core/file-manager/changes/place-locks.ts'
import type { FilePlace } from '../../../core/file-manager/places.ts'

function placeAt(path: string): FilePlace {
  const root = { name: 'disk', directory: '/disk', collection: null, isThere: true, mtimeSeconds: 0 }
  return {
    root,
    at: { root: '/disk', path: Buffer.from(path) },
    collection: null,
    inCollection: null,
    virtual: `/disk/${path}`,
    name: path.slice(path.lastIndexOf('/') + 1),
    isHidden: false,
  }
}

const busy = (path: string) => ({ code: 'busy', message: expect.stringContaining(`/disk/${path} is being changed`) })

test('a path, its parents and its children are busy during a change', async () => {
  const locks = createPlaceLocks({ waitMs: 0 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const change = locks.withLocks([placeAt('a/b'), placeAt('c')], () => promise)
  for (const path of ['a/b', 'a', 'a/b/x/y', 'c'])
    await expect(locks.withLocks([placeAt('free'), placeAt(path)], async () => {})).rejects.toMatchObject(busy(path))
  for (const path of ['a/bc', 'a/x', 'cc', 'b'])
    expect(await locks.withLocks([placeAt(path)], async () => path)).toBe(path)
  resolve()
  await change
  expect(await locks.withLocks([placeAt('a')], async () => 1)).toBe(1)
})

test('a waiting change continues when the change before it ends, even with an error', async () => {
  const locks = createPlaceLocks()
  const { promise, reject } = Promise.withResolvers<void>()
  const first = locks.withLocks([placeAt('a')], () => promise)
  const second = locks.withLocks([placeAt('a/b')], async () => 'done')
  reject(new Error('it failed'))
  await expect(first).rejects.toThrow('it failed')
  expect(await second).toBe('done')
})

test('an aborted change does not wait', async () => {
  const locks = createPlaceLocks()
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = locks.withLocks([placeAt('a')], () => promise)
  const gone = AbortSignal.abort(new Error('gone'))
  await expect(locks.withLocks([placeAt('a')], async () => {}, gone)).rejects.toThrow('gone')
  resolve()
  await first
})
