import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DecodeResult, DecodeTask } from '../../../core/media/decode.ts'
import { createLooseRenditions } from '../../../core/media/loose-renditions.ts'
import { renditionPath } from '../../../core/media/renditions.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const content = '0123456789abcdef-1'

/** Files whose pictures are made at once, or never. */
function opened({ draws = true } = {}) {
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
    return { id: task.id, content, kind: 'image', made, problems: [] }
  }
  return { cache, tasks, loose: createLooseRenditions({ cache, pool: { decode } }) }
}

const file = { path: '/proc/1/fd/9', identity: '1:2 300-4.5', name: 'a.nef' }

test('a picture is made once, however many ask, and again when it was taken out of the cache', async () => {
  const { cache, tasks, loose } = opened()
  const [one, two] = await Promise.all([loose.picture(file, 'small'), loose.picture(file, 'small')])
  expect(one).toEqual({ path: renditionPath(join(cache, 'loose'), content, 'small'), size: 7 })
  expect(two).toEqual(one)
  expect(await loose.picture(file, 'small')).toEqual(one)
  expect(tasks.length).toBe(1)
  await loose.picture({ ...file, identity: '1:2 300-4.6' }, 'small')
  await loose.picture(file, 'large')
  expect(tasks.map(({ sizes }) => sizes)).toEqual([['small'], ['small'], ['large']])
})

test('a file without a picture is not tried again', async () => {
  const { tasks, loose } = opened({ draws: false })
  expect(await loose.picture(file, 'small')).toBeNull()
  expect(await loose.picture(file, 'small')).toBeNull()
  expect(tasks.length).toBe(1)
})

test('more than two hundred at once are told to come back', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const decode = async (task: DecodeTask): Promise<DecodeResult> => {
    await promise
    return { id: task.id, made: [], problems: [] }
  }
  const loose = createLooseRenditions({ cache: temporaryDirectory(), pool: { decode } })
  const asked = Array.from({ length: 200 }, (_, n) => loose.picture({ ...file, identity: String(n) }, 'small'))
  expect(loose.picture({ ...file, identity: 'one more' }, 'small')).rejects.toMatchObject({ code: 'unavailable' })
  resolve()
  expect(await Promise.all(asked)).toEqual(asked.map(() => null))
})

test('what was made a month ago goes, and what was left unfinished', async () => {
  const { cache, loose } = opened()
  const root = join(cache, 'loose', 'renditions')
  const now = Date.now() / 1000
  const put = (name: string, days: number) => {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), 'x')
    utimesSync(join(root, name), now - days * 86_400, now - days * 86_400)
  }
  put('012/old.webp', 31)
  put('012/young.webp', 29)
  put('tmp/left', 1)
  put('tmp/being written', 0)
  await loose.prune()
  expect(readdirSync(join(root, '012'))).toEqual(['young.webp'])
  expect(existsSync(join(root, 'tmp', 'left'))).toBe(false)
  expect(existsSync(join(root, 'tmp', 'being written'))).toBe(true)
})
