import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLooseRenditions } from '../../../core/media/cache/loose-renditions.ts'
import { renditionPath } from '../../../core/media/cache/renditions.ts'
import type { DecodeResult, DecodeTask } from '../../../core/media/decode/decode.ts'
import { Failure } from '../../../schema/errors.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const content = '0123456789abcdef-1'

/** Loose renditions with a decoder that makes every picture, or none. */
function openRenditions({ draws = true } = {}) {
  const cache = temporaryDirectory()
  const tasks: DecodeTask[] = []
  const decode = async (task: DecodeTask): Promise<DecodeResult> => {
    tasks.push(task)
    const made = draws ? task.sizes : []
    for (const size of made) {
      const path = renditionPath(task.cache, content, size)
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, 'picture')
    }
    return { content, kind: 'image', made, problems: [] }
  }
  return { cache, tasks, loose: createLooseRenditions<null>({ cache, decode: (_, task) => decode(task) }) }
}

const file = { path: '/proc/1/fd/9', identity: '1:2 300-4.5', name: 'a.nef', keep: () => () => {} }

test('a picture is made once, and again after it was removed from the cache', async () => {
  const { cache, tasks, loose } = openRenditions()
  const one = await loose.picture(file, 'small', null)
  expect(one).toEqual({ path: renditionPath(join(cache, 'made', 'loose'), content, 'small'), size: 7 })
  expect(await loose.picture(file, 'small', null)).toEqual(one)
  expect(tasks.length).toBe(1)
  rmSync(one?.path ?? '')
  expect(await loose.picture(file, 'small', null)).toEqual(one)
  await loose.picture({ ...file, identity: '1:2 300-4.6' }, 'small', null)
  await loose.picture(file, 'large', null)
  expect(tasks.map(({ sizes }) => sizes)).toEqual([['small'], ['small'], ['small'], ['large']])
})

test('a file without a picture is not tried again', async () => {
  const { tasks, loose } = openRenditions({ draws: false })
  expect(await loose.picture(file, 'small', null)).toBeNull()
  expect(await loose.picture(file, 'small', null)).toBeNull()
  expect(tasks.length).toBe(1)
})

test('a file stays open until its decoding ends', async () => {
  const ends: (() => void)[] = []
  const calls: string[] = []
  const loose = createLooseRenditions<null>({
    cache: temporaryDirectory(),
    decode: (_name, _task, _asker, onEnd) => {
      ends.push(onEnd)
      return Promise.reject(new Failure('unavailable', 'This is a task.', { retryAfter: 5 }))
    },
  })
  const kept = { ...file, keep: () => () => calls.push('closed') }
  expect(loose.picture(kept, 'small', null)).rejects.toMatchObject({ code: 'unavailable' })
  expect(calls).toEqual([])
  for (const end of ends) end()
  expect(calls).toEqual(['closed'])
})
