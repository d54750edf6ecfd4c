/** Measures realtime messages: delays and memory when a thousand listeners get a burst of a thousand messages. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { terminalViewer } from '../core/accounts/access.ts'
import { openLibrary } from '../core/library.ts'
import { channels } from '../schema/realtime.ts'
import {
  cleanEnvironment,
  linesOf,
  median,
  memoryOf,
  productCommand,
  quantile,
  type Row,
  rowsAsText,
  usageOf,
} from './measure.ts'
import { cacheDirectory } from './photos.ts'
import { type ListenTask, listening, listenResult } from './realtime-clients.ts'
import { seedLibrary } from './seed-library.ts'
import { startServer } from './server.ts'

const usage = `bun bench/realtime.ts [options]
  --clients N       connected listeners (1000)
  --messages N      of a burst (1000)
  --commits N       transactions that write them, one after the other (1)
  --users N         to whom the listeners' sessions belong, each in different groups (100)
  --repeat N        bursts, of which the median counts (5)
  --binary PATH     measure an executable instead of this source
  --json            the result as one object`

const MB = 1024 * 1024
const timeoutSeconds = 120

interface Options {
  clients: number
  messages: number
  commits: number
  users: number
  repeat: number
  binary: string | undefined
}

type Library = ReturnType<typeof openLibrary>

/** Creates users in different groups, so that not all have the same rights; returns their tokens. */
async function makeUsers(library: Library, collectionIds: readonly number[], users: number): Promise<string[]> {
  const [shared, ...others] = collectionIds
  const tokens: string[] = []
  for (let n = 0; n < users; n++) {
    const row = await library.users.create(terminalViewer, {
      username: `listener${n}`,
      name: 'Listener',
      email: 'listener@example.org',
      password: 'listener',
      unlockPin: '1234',
      globalAdmin: false,
    })
    await library.db.transact(terminalViewer, tx => {
      const group = tx.run('INSERT INTO access_groups (name, view) VALUES (?, 1)', `listeners ${n}`).lastInsertRowid
      tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', group, row.id)
      for (const id of [shared, ...others.filter((_, place) => (n >> place) % 2 === 1)]) {
        if (id !== undefined) {
          tx.run('INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, 9)', id, group)
        }
      }
    })
    tokens.push((await library.sessions.open(row, 'bench')).token)
  }
  return tokens
}

/** Publishes a message for each item, in `commits` transactions. Each message states when it was written. */
async function burst(library: Library, channel: string, collectionId: number, ids: readonly number[], commits: number) {
  const each = Math.ceil(ids.length / commits)
  for (let from = 0; from < ids.length; from += each) {
    await library.db.transact(terminalViewer, tx => {
      for (const id of ids.slice(from, from + each)) {
        tx.event(channel, {
          action: 'update',
          level: 'status',
          message: `sent ${Date.now()}`,
          item: { id, collection_id: collectionId },
        })
      }
    })
  }
}

async function measureBurst(
  parts: { library: Library; pid: number; ids: readonly number[]; collectionId: number; task: ListenTask },
  commits: number,
) {
  const { library, pid, ids, collectionId, task } = parts
  const atRest = memoryOf(pid)
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'realtime-clients.ts'), JSON.stringify(task)], {
    stdout: 'pipe',
    stderr: 'inherit',
    env: cleanEnvironment(),
  })
  let peak = 0
  const sampler = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid))
  }, 50)
  let connected = 0
  let cpu = 0
  try {
    for await (const line of linesOf(child.stdout)) {
      const report = z.union([listening, listenResult]).parse(JSON.parse(line))
      if (report.type === 'heard') {
        const spent = usageOf(pid).ownCpu - cpu
        return { atRest, connected, peak: Math.max(peak, memoryOf(pid)), cpu: spent, ...report }
      }
      await Bun.sleep(1_000)
      connected = memoryOf(pid)
      peak = connected
      cpu = usageOf(pid).ownCpu
      await burst(library, task.channel, collectionId, ids, commits)
    }
    throw new Error('the listeners ended early')
  } finally {
    clearInterval(sampler)
    child.kill('SIGKILL')
    await child.exited
  }
}

async function measureAll(options: Options, work: string) {
  const product = productCommand(options.binary, work)
  const data = join(work, 'data')
  mkdirSync(data)
  // No purge of the recycle bin, because its time would be measured, too.
  writeFileSync(join(data, 'config.toml'), 'recycle_days = "off"\n')
  const library = openLibrary({ role: 'terminal', data, create: true, environment: {}, stderrLevel: 'none' })
  const seeded = await seedLibrary(library.db, { items: Math.max(2000, options.messages * 4) })
  const collectionId = seeded.collections[0] ?? 0
  const tokens = await makeUsers(library, seeded.collections, options.users)
  const ids = library.db
    .all<{ id: number }>(
      'SELECT id FROM items WHERE collection_id = ? AND state = 0 ORDER BY id LIMIT ?',
      collectionId,
      options.messages,
    )
    .map(({ id }) => id)
  const server = await startServer(product, data)
  try {
    await Bun.sleep(2_000)
    const task: ListenTask = {
      port: server.port,
      tokens,
      connections: options.clients,
      channel: channels.collection(collectionId),
      messages: ids.length,
      seconds: timeoutSeconds,
    }
    const bursts = []
    for (let n = 0; n < options.repeat; n++) {
      bursts.push(await measureBurst({ library, pid: server.pid, ids, collectionId, task }, options.commits))
      await Bun.sleep(1_000)
    }
    return bursts
  } finally {
    await server.stop()
    library.close()
  }
}

function rowsOf(bursts: Awaited<ReturnType<typeof measureAll>>, { clients, messages }: Options): Row[] {
  const all = (of: (burst: (typeof bursts)[number]) => number) => median(bursts.map(of))
  const first = bursts[0]
  return [
    { name: 'received', value: all(({ heard }) => heard), unit: 'messages', reach: { least: clients * messages } },
    { name: 'from writing to listener: p50', value: all(({ delays }) => median(delays)), unit: 'ms' },
    {
      name: 'from writing to listener: p99',
      value: all(({ delays }) => quantile(delays, 0.99)),
      unit: 'ms',
      reach: { most: 1000 },
    },
    { name: 'from writing to listener: slowest', value: all(({ delays }) => delays.at(-1) ?? Number.NaN), unit: 'ms' },
    {
      name: 'CPU of the server for a message to one listener',
      value: all(({ cpu, heard }) => (cpu / heard) * 1e6),
      unit: 'µs',
    },
    { name: 'memory at rest', value: (first?.atRest ?? Number.NaN) / MB, unit: 'MB' },
    {
      name: 'memory that the listeners add',
      value: all(({ connected }) => (connected - (first?.atRest ?? 0)) / MB),
      unit: 'MB',
    },
    {
      name: 'memory that listeners and burst add, at the peak',
      value: all(({ peak }) => (peak - (first?.atRest ?? 0)) / MB),
      unit: 'MB',
      reach: { most: 50 },
    },
  ]
}

async function main() {
  const { values } = parseArgs({
    options: {
      clients: { type: 'string', default: '1000' },
      messages: { type: 'string', default: '1000' },
      commits: { type: 'string', default: '1' },
      users: { type: 'string', default: '100' },
      repeat: { type: 'string', default: '5' },
      binary: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const number = (text: string, least: number, most: number) => z.coerce.number().int().min(least).max(most).parse(text)
  const options: Options = {
    clients: number(values.clients, 1, 5000),
    messages: number(values.messages, 1, 10_000),
    commits: number(values.commits, 1, 10_000),
    users: number(values.users, 1, 1000),
    repeat: number(values.repeat, 1, 20),
    binary: values.binary,
  }
  mkdirSync(cacheDirectory(), { recursive: true })
  const work = mkdtempSync(join(cacheDirectory(), 'realtime-'))
  try {
    const bursts = await measureAll(options, work)
    const rows = rowsOf(bursts, options)
    if (values.json) {
      const figures = bursts.map(({ first, last, delays, ...burst }) => burst)
      return console.log(JSON.stringify({ options, bursts: figures, rows }))
    }
    console.log(
      `${options.clients} listeners of ${options.users} users, bursts of ${options.messages} messages in ${options.commits} commits`,
    )
    for (const line of rowsAsText(rows)) console.log(line)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (import.meta.main) await main()
