/**
 * Measures what a signed-in user notices while others abuse the server. The attacker has one core, the server another.
 * All attacks take the same time. Reads /proc and uses taskset, so it runs on Linux with two cores or more.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '../core/kernel/clock.ts'
import { openDatabase, terminalWaiting } from '../core/kernel/database/database.ts'
import { type AttackKind, attackKinds, attackResult } from './abuse-attacker.ts'
import { median, memoryOf, mustRun, productCommand, quantile, type Row, rowsAsText, usageOf } from './measure.ts'
import { cacheDirectory, linkInto, photoSet } from './photos.ts'
import { seedLibrary } from './seed-library.ts'
import { clientOf, type Server, startServer } from './server.ts'

const usage = `bun bench/abuse.ts [options]
  --seconds N       of each attack, and of the undisturbed phase before them (60)
  --items N         invented items of the library, besides the real pictures (20000)
  --pictures N      real pictures of 12 megapixels that every visitor sees (80)
  --only KINDS      only these attacks: ${attackKinds.join(',')}
  --binary PATH     measure an executable instead of this source
  --json            the result as one object`

const account = { username: 'bench', password: 'bench-password' }
const MB = 1024 * 1024
/** Rounds of the user per second, each of a page, two pictures and an edit. */
const roundsASecond = 2
/** The wait before memory is measured after an attack: idle decode workers end after a minute. */
const settleMs = 70_000

interface ResponseTimes {
  grid: number[]
  picture: number[]
  made: number[]
  edit: number[]
}
const waitNames = {
  grid: 'page of 100',
  picture: 'picture, in the cache',
  made: 'picture, made on request',
  edit: 'edit of a description',
} as const satisfies Record<keyof ResponseTimes, string>

interface Phase {
  waits: ResponseTimes
  /** Requests of the user that were refused or got no response. */
  failed: number
  /** Processor seconds of the server and its workers. */
  cpu: number
  peak: number
}

/** The client address of the user's requests. The attacker invents other ones. */
const userAddress = '198.51.100.7'

async function measureTime(into: number[], send: () => Promise<Response>): Promise<boolean> {
  const from = performance.now()
  const response = await send().catch(() => null)
  await response?.arrayBuffer().catch(() => null)
  into.push(performance.now() - from)
  return response?.ok === true
}

/** Sends one user's requests at an even pace and measures each until its whole response has arrived. */
async function browse(
  { port, pid }: Server,
  { token, cookie, ids, seconds }: { token: string; cookie: string; ids: number[]; seconds: number },
): Promise<Phase> {
  const waits: ResponseTimes = { grid: [], picture: [], made: [], edit: [] }
  const base = `http://127.0.0.1:${port}`
  const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': userAddress }
  const pictures = { Cookie: cookie, 'X-Forwarded-For': userAddress }
  const before = usageOf(pid).treeCpu
  let failed = 0
  let peak = 0
  const sampler = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid))
  }, 500)
  const startedAt = performance.now()
  for (let n = 0; performance.now() - startedAt < seconds * 1000; n++) {
    const due = startedAt + (n * 1000) / roundsASecond
    if (due > performance.now()) await Bun.sleep(due - performance.now())
    const id = ids[n % ids.length] ?? 0
    const oks = [
      await measureTime(waits.grid, () => fetch(`${base}/v1/item/list/0?limit=100&page=${(n % 50) + 1}`, { headers })),
      await measureTime(waits.picture, () =>
        fetch(`${base}/v1/item/${id}/image?pThumbnail=small`, { headers: pictures }),
      ),
      await measureTime(waits.made, () =>
        // Once all pictures have been requested, asks for another format, which is not in the cache yet.
        fetch(`${base}/v1/item/${id}/image?pThumbnail=large&pFormat=${n < ids.length ? 'webp' : 'jpeg'}`, {
          headers: pictures,
        }),
      ),
      await measureTime(waits.edit, () =>
        fetch(`${base}/v1/item/${id}/tag/Description`, {
          method: 'PUT',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify({ data: `Round ${n}` }),
        }),
      ),
    ]
    failed += oks.filter(ok => !ok).length
  }
  clearInterval(sampler)
  return { waits, failed, cpu: usageOf(pid).treeCpu - before, peak }
}

async function attack(kind: AttackKind, port: number, ids: readonly number[], seconds: number) {
  const task = JSON.stringify({ kind, port, ids, seconds })
  const command = [
    'taskset',
    '-c',
    '0',
    'nice',
    '-n',
    '15',
    process.execPath,
    join(import.meta.dir, 'abuse-attacker.ts'),
  ]
  const child = Bun.spawn([...command, task], { stdout: 'pipe', stderr: 'inherit' })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`the attacker '${kind}' ended with ${child.exitCode}`)
  return attackResult.parse(JSON.parse(text))
}

/** Creates a library with invented items, and scans real pictures into it. */
async function makeLibrary(product: readonly string[], data: string, directory: string, items: number) {
  mkdirSync(data, { recursive: true })
  const db = openDatabase(join(data, 'library.db'), { waiting: terminalWaiting, clock: systemClock })
  await seedLibrary(db, { items })
  db.close()
  await mustRun([...product, '--data', data, 'user', 'create', account.username, '--admin'], `${account.password}\n`)
  await mustRun([...product, '--data', data, 'scan', directory])
}

/** Makes the scanned collection public; returns the ids of its items. */
async function publish(server: Server, token: string, directory: string): Promise<number[]> {
  const client = clientOf(server.port, token)
  const collections = await client.collections.list({})
  const own = collections.find(one => one.path === directory)
  const group = own?.access?.[1]
  if (own === undefined || group === undefined) throw new Error('the scan made no collection')
  await client.access.update({ params: { id: group.id }, body: { group: { public: true } } })
  const { items } = await client.items.list({ params: { collectionId: own.id }, query: { limit: 5000 } })
  return items.map(item => item.id)
}

interface Options {
  seconds: number
  items: number
  pictures: number
  only: readonly AttackKind[]
  binary: string | undefined
}

async function measureAll(options: Options, work: string) {
  const product = productCommand(options.binary, work)
  const data = join(work, 'data')
  const directory = join(work, 'pictures')
  const set = await photoSet({ count: options.pictures * 2, megapixels: 12 })
  linkInto(set, set.files, directory)
  await makeLibrary(product, data, directory, options.items)
  // Requests state a client address as a proxy does, so that one machine can act as many clients.
  writeFileSync(join(data, 'config.toml'), 'trusted_proxies = ["127.0.0.1"]\n')
  const server = await startServer(['taskset', '-c', '1', ...product], data)
  try {
    const { token } = await clientOf(server.port, null).users.login({ body: account })
    const all = await publish(server, token, directory)
    // The user and the attacker request different pictures, so that neither finds the other's in the cache.
    const ids = all.slice(0, options.pictures)
    const attackedIds = all.slice(options.pictures)
    const cookie = `keepsake_session=${token}`
    await Bun.sleep(2_000)
    const level = memoryOf(server.pid)
    const undisturbed = await browse(server, { token, cookie, ids, seconds: options.seconds })
    const attacks = []
    for (const kind of options.only) {
      rmSync(join(data, 'cache', 'made'), { recursive: true, force: true })
      const attacking = attack(kind, server.port, attackedIds, options.seconds)
      const phase = await browse(server, { token, cookie, ids, seconds: options.seconds })
      const did = await attacking
      await Bun.sleep(settleMs)
      attacks.push({ kind, phase, did, after: memoryOf(server.pid) })
    }
    return { level, undisturbed, attacks }
  } finally {
    await server.stop()
  }
}

type Result = Awaited<ReturnType<typeof measureAll>>

function rowsOf({ level, undisturbed, attacks }: Result): Row[] {
  const kinds = Object.entries(waitNames).map(([key, name]) => ({
    name,
    of: (one: ResponseTimes) => one[key as keyof ResponseTimes],
  }))
  const calm = kinds.flatMap(({ name, of }): Row[] => [
    { name: `undisturbed: ${name}, p50`, value: median(of(undisturbed.waits)), unit: 'ms' },
    { name: `undisturbed: ${name}, p99`, value: quantile(of(undisturbed.waits), 0.99), unit: 'ms' },
  ])
  const abused = attacks.flatMap(({ kind, phase, after }): Row[] => [
    ...kinds.map(({ name, of }): Row => {
      const floor = quantile(of(undisturbed.waits), 0.99)
      return {
        name: `${kind}: ${name}, p99`,
        value: quantile(of(phase.waits), 0.99),
        unit: 'ms',
        floor,
        reach: { most: Math.round(floor * 3) },
      }
    }),
    { name: `${kind}: the user's requests that failed`, value: phase.failed, unit: '', reach: { most: 0 } },
    { name: `${kind}: processor time of the server`, value: phase.cpu, unit: 's', floor: undisturbed.cpu },
    { name: `${kind}: peak memory`, value: phase.peak / MB, unit: 'MB', floor: undisturbed.peak / MB },
    { name: `${kind}: memory a minute later`, value: after / MB, unit: 'MB', floor: level / MB },
  ])
  return [...calm, ...abused]
}

async function main() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      items: { type: 'string', default: '20000' },
      pictures: { type: 'string', default: '80' },
      only: { type: 'string', default: attackKinds.join(',') },
      binary: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const number = (text: string, least: number, most: number) => z.coerce.number().min(least).max(most).parse(text)
  const options: Options = {
    seconds: number(values.seconds, 5, 300),
    items: number(values.items, 2000, 1_000_000),
    pictures: number(values.pictures, 10, 500),
    only: z.array(z.enum(attackKinds)).parse(values.only.split(',')),
    binary: values.binary,
  }
  mkdirSync(cacheDirectory(), { recursive: true })
  const work = mkdtempSync(join(cacheDirectory(), 'abuse-'))
  try {
    const result = await measureAll(options, work)
    const rows = rowsOf(result)
    if (values.json) return console.log(JSON.stringify({ ...result, rows }))
    for (const line of rowsAsText(rows)) console.log(line)
    for (const { kind, did } of result.attacks) {
      const statuses = Object.entries(did.statuses).map(([status, count]) => `${count} × ${status}`)
      console.log(`${kind}: ${did.tried} tried; ${statuses.join(', ')}`)
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

await main()
