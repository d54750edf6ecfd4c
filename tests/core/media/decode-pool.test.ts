import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '../../../core/kernel/log.ts'
import { sweepTemporaries } from '../../../core/media/cache/write-file.ts'
import { contentKeyOf } from '../../../core/media/decode/content-key.ts'
import type { DecodeTask } from '../../../core/media/decode/decode.ts'
import { createDecodePool, type DecodePool, type DecodePoolOptions } from '../../../core/media/decode/decode-pool.ts'
import { loadSharp } from '../../../core/media/decode/sharp.ts'
import { endlessDrawing } from '../../support/endless-drawing.ts'
import { longTest } from '../../support/long.ts'
import { put, quarters, renditionOf, taskFor, workspace } from './decoding.ts'

const directory = workspace()
const command = [process.execPath, join(import.meta.dir, 'worker-process.ts')]
const pools: DecodePool[] = []
let photo: Buffer

function open(more: Partial<DecodePoolOptions> = {}): DecodePool {
  const pool = createDecodePool({ command, width: 2, log: silentLog, ...more })
  pools.push(pool)
  return pool
}

beforeAll(async () => {
  const sharp = await loadSharp()
  const { data, ...raw } = quarters(2400, 1800)
  photo = await sharp(data, { raw }).jpeg().toBuffer()
})

afterAll(async () => {
  await Promise.all(pools.map(pool => pool.close()))
})

/** Creates photographs that differ in their last bytes, and returns their paths. */
function photos(count: number, name = 'photo'): string[] {
  return Array.from({ length: count }, (_, index) =>
    put(directory, `${name}-${index}.jpg`, Buffer.concat([photo, Buffer.from(`${name} ${index}`)])),
  )
}

const tasks = (paths: string[], cache: string, more: Partial<DecodeTask> = {}) =>
  paths.map(path => taskFor(path, cache, more))

/** Whether a process runs. A zombie does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    // Without /proc: a process that can be signalled is alive.
    return process.platform !== 'linux'
  }
}

/** Waits until another process has done something. */
async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise(resolve => setTimeout(resolve, 5))
}

/** Takes seconds to draw: every group draws the one before it twice. */
const slowDrawing = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"><g id="g0"><rect width="1" height="1"/></g>${Array.from(
  { length: 30 },
  (_, i) => `<g id="g${i + 1}"><use href="#g${i}"/><use href="#g${i}"/></g>`,
).join('')}</svg>`

/**
 * Creates an old unfinished file in the cache, which a worker removes at its start. Returns a function that waits until
 * a worker has started.
 */
function startDetector(cache: string): () => Promise<void> {
  const unfinished = join(cache, 'renditions', 'tmp')
  const file = join(unfinished, `${Bun.spawnSync(['true']).pid}-planted`)
  const createFile = () => {
    mkdirSync(unfinished, { recursive: true })
    writeFileSync(file, '')
    const old = new Date(Date.now() - 60_000)
    utimesSync(file, old, old)
  }
  createFile()
  return async () => {
    await until(() => !existsSync(file))
    createFile()
  }
}

async function killWorker(pool: DecodePool, pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  await until(() => !pool.workers.includes(pid))
}

describe('the decode pool', () => {
  test('returns the right result for every task and creates the files', async () => {
    const pool = open()
    const cache = join(directory, 'cache-many')
    const paths = photos(30)
    const results = await Promise.all(tasks(paths, cache).map(pool.decode))
    expect(results.map(({ content }) => content)).toEqual(paths.map(path => contentKeyOf(readFileSync(path))))
    expect(results.flatMap(({ problems }) => problems)).toEqual([])
    expect(results.every(result => existsSync(renditionOf(cache, result, 'tiny')))).toBe(true)
    expect(new Set(results.map(({ content }) => content)).size).toBe(30)
    expect(pool.workers.length).toBe(1)
    expect(pool.inFlight).toBe(0)
  })

  test('reports the right problem for each broken file when many are decoded at once', async () => {
    const sharp = await loadSharp()
    const { data, ...raw } = quarters(900, 700)
    const png = await sharp(data, { raw }).png().toBuffer()
    const paths = Array.from({ length: 24 }, (_, n) => {
      const bytes = n % 2 === 0 ? png : photo
      return put(directory, `cut-${n}.${n % 2 === 0 ? 'png' : 'jpg'}`, bytes.subarray(0, bytes.length - 400 - 40 * n))
    })
    const cut = (pool: DecodePool, some: string[], cache: string) =>
      Promise.all(tasks(some, join(directory, cache)).map(pool.decode))
    const together = await cut(open({ width: 8 }), paths, 'cache-cut')
    const alone = open({ width: 1 })
    for (const [n, path] of paths.entries()) {
      const [expected] = await cut(alone, [path], 'cache-alone')
      expect(together[n]?.problems).toEqual(expected?.problems ?? [])
      expect(expected?.problems.map(({ code }) => code)).toEqual(['damaged'])
    }
  })

  test('continues with another worker when one is killed, without losing a task', async () => {
    const pool = open()
    const cache = join(directory, 'cache-killed')
    const pending = tasks(photos(40, 'killed'), cache).map(pool.decode)
    await Promise.race(pending)
    const [first = 0] = pool.workers
    process.kill(first, 'SIGKILL')
    const results = await Promise.all(pending)
    expect(results.flatMap(({ problems }) => problems)).toEqual([])
    expect(results.every(({ made }) => made.length === 2)).toBe(true)
    expect(pool.workers).not.toContain(first)
    expect(isAlive(first)).toBe(false)
  })

  test('gives up a file after three workers died with it, and continues', async () => {
    const pool = open()
    const cache = join(directory, 'cache-crash')
    const workerStarted = startDetector(cache)
    const pending = pool.decode(taskFor(put(directory, 'slow.svg', slowDrawing), cache))
    // A worker that is killed before it gets the file does not count.
    let isGivenUp = false
    const givenUp = pending.then(() => {
      isGivenUp = true
    })
    while (!isGivenUp) {
      await Promise.race([workerStarted(), givenUp])
      await Promise.all(pool.workers.map(pid => killWorker(pool, pid)))
    }
    expect(await pending).toMatchObject({
      made: [],
      problems: [{ code: 'crashed', reason: expect.stringContaining('3 times') }],
    })
    const [next = ''] = photos(1, 'after-crash')
    expect((await pool.decode(taskFor(next, cache))).problems).toEqual([])
  }, 30_000)

  test('ends a worker that hangs and gives its files to another', async () => {
    const pool = open({ stuckMs: 1000, width: 1 })
    const cache = join(directory, 'cache-stuck')
    const [path = '', next = ''] = photos(2, 'stuck')
    await pool.decode(taskFor(path, cache))
    const [pid = 0] = pool.workers
    process.kill(pid, 'SIGSTOP')
    expect((await pool.decode(taskFor(next, cache))).made.length).toBe(2)
    expect(isAlive(pid)).toBe(false)
  }, 30_000)

  test('reports a file as timed out if the worker hangs and has no other file', async () => {
    const pool = open({ stuckMs: 1000 })
    const cache = join(directory, 'cache-hung')
    const workerStarted = startDetector(cache)
    const pending = pool.decode(taskFor(put(directory, 'slow.heic', slowDrawing), cache))
    await workerStarted()
    for (const pid of pool.workers) process.kill(pid, 'SIGSTOP')
    expect((await pending).problems[0]?.code).toBe('timeout')
  }, 30_000)

  test('fails as unavailable if workers do not start', async () => {
    const pool = open({ command: [process.execPath, '-e', 'console.error("no codec here"); process.exit(1)'] })
    const [path = ''] = photos(1, 'unstarted')
    const pending = pool.decode(taskFor(path, join(directory, 'cache-none')))
    await expect(pending).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('no codec here'),
    })
  })

  test('gives slow formats their own workers', async () => {
    const pool = open()
    const cache = join(directory, 'cache-slow')
    const heic = put(directory, 'really a jpeg.heic', photo)
    const [jpeg = ''] = photos(1, 'beside')
    const results = await Promise.all([heic, jpeg].map(path => pool.decode(taskFor(path, cache))))
    expect(results.flatMap(({ problems }) => problems)).toEqual([])
    expect(pool.workers.length).toBe(2)
  })

  test('ends idle workers and starts new ones', async () => {
    const pool = open({ idleMs: 20 })
    const cache = join(directory, 'cache-idle')
    const [one = '', two = ''] = photos(2, 'idle')
    await pool.decode(taskFor(one, cache))
    await until(() => pool.workers.length === 0)
    expect((await pool.decode(taskFor(two, cache))).made.length).toBe(2)
  })

  test('stops at once when it is closed, and leaves no process behind', async () => {
    const pool = open()
    const cache = join(directory, 'cache-closed')
    const pending = tasks(photos(60, 'closed'), cache).map(pool.decode)
    const outcomes = Promise.allSettled(pending)
    await Promise.race(pending)
    const workers = pool.workers
    await pool.close()
    const rejected = (await outcomes).filter(({ status }) => status === 'rejected')
    expect(rejected.length).toBeGreaterThan(0)
    expect(rejected[0]).toMatchObject({ reason: { code: 'interrupted' } })
    expect(workers.some(isAlive)).toBe(false)
    await expect(pool.decode(taskFor('x.jpg', cache))).rejects.toMatchObject({ code: 'interrupted' })
  })

  test('workers end with the process that started them', async () => {
    const script = `
      import { createDecodePool } from ${JSON.stringify(join(import.meta.dir, '../../../core/media/decode/decode-pool.ts'))}
      import { silentLog } from ${JSON.stringify(join(import.meta.dir, '../../../core/kernel/log.ts'))}
      const pool = createDecodePool({ command: ${JSON.stringify(command)}, width: 1, log: silentLog })
      await pool.decode({ path: Buffer.from('/nowhere.jpg'), name: 'x.jpg', kind: 'image', cache: '/nowhere', metadata: false, sizes: [] })
      console.log(pool.workers[0])
      process.kill(process.pid, 'SIGKILL')`
    const path = put(directory, 'orphan.ts', script)
    const run = Bun.spawnSync([process.execPath, path])
    const worker = Number(run.stdout.toString())
    expect(worker).toBeGreaterThan(0)
    await until(() => !isAlive(worker))
  })

  test('fails the task if the cache cannot be written', async () => {
    const pool = open()
    const blocked = put(directory, 'no directory', '')
    const [path = ''] = photos(1, 'unwritten')
    await expect(pool.decode(taskFor(path, blocked))).rejects.toMatchObject({ code: 'noSpace' })
  })
})

describe('unfinished files in the cache', () => {
  test('of killed processes are removed after a while, and those of living processes stay', () => {
    const cache = join(directory, 'cache-swept')
    const unfinished = join(cache, 'renditions', 'tmp')
    sweepTemporaries(cache)
    mkdirSync(unfinished, { recursive: true })
    const gone = Bun.spawnSync(['true']).pid
    const old = new Date(Date.now() - 60_000)
    for (const name of [`${gone}-a`, `${process.pid}-b`, `${gone}-young`]) {
      writeFileSync(join(unfinished, name), '')
      if (!name.endsWith('young')) utimesSync(join(unfinished, name), old, old)
    }
    sweepTemporaries(cache)
    expect(readdirSync(unfinished).sort()).toEqual([`${gone}-young`, `${process.pid}-b`].sort())
  })
})

longTest(
  'a drawing that takes too long is given up after five seconds, whatever its extension, without affecting other files',
  async () => {
    const cache = join(directory, 'endless')
    const drawings = ['endless.svg', 'endless.jpg'].map(name => put(directory, name, Buffer.from(endlessDrawing())))
    const quick = put(
      directory,
      'quick.svg',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>',
      ),
    )
    const pool = open()
    const paths = [...drawings, quick, ...photos(12, 'beside')]
    const results = await Promise.all(
      tasks(paths, cache, { sizes: ['tiny', 'small'], metadata: true }).map(task => pool.decode(task)),
    )
    for (const result of results.slice(0, 2)) {
      expect(result).toMatchObject({ made: [], mime: 'image/svg+xml', content: expect.any(String) })
      expect(result.problems).toEqual([
        { code: 'timeout', reason: 'Drawing it took longer than 5 seconds and was given up' },
      ])
    }
    expect(results[2]).toMatchObject({ width: 40, height: 30, mime: 'image/svg+xml', problems: [] })
    for (const result of results.slice(3)) expect(result).toMatchObject({ width: 2400, problems: [] })
    expect(pool.inFlight).toBe(0)
  },
  60_000,
)

test('files are refused when no worker can be started, instead of waiting for ever', async () => {
  const pool = open({ command: [join(directory, 'no-such-program')] })
  const refused = expect.objectContaining({ code: 'unavailable' })
  for (const task of tasks(photos(2, 'refused'), join(directory, 'refused-cache')))
    expect(pool.decode(task)).rejects.toEqual(refused)
})
