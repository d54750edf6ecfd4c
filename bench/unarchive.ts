/** Measures the file manager's unarchive with an archive of very many empty files: time, and the server's memory. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildZip } from '../tests/support/zip-maker.ts'
import { mustRun, productCommand, type Row, rowsAsText, usageOf } from './measure.ts'
import { clientOf, type Server, startServer } from './server.ts'

const usage = `bun bench/unarchive.ts [options]
  --files N         empty files in the archive (30000)
  --binary PATH     measure an executable instead of this source
  --json            the result as one object`

const account = { username: 'bench', password: 'bench-password' }
const MB = 1024 * 1024
/** The time that the server gets to release memory. */
const restMs = 20_000

/** What the archive looks like, and where it is unpacked. */
const cases = [
  { name: 'all at the top, outside of collections', into: '/outside', path: (n: number) => `${n}.txt` },
  {
    name: 'in 300 folders, outside of collections',
    into: '/outside',
    path: (n: number) => `top/${n % 300}/${n}.txt`,
  },
  { name: 'all at the top, in a collection', into: '/inside', path: (n: number) => `${n}.jpg` },
] as const

/** Bytes of the server's own process, without the scans and decoders that it starts. */
function memoryOf(pid: number): number {
  const found = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))
  return Number(found?.[1] ?? 0) * 1024
}

/** What one archive took. Memory in bytes: before, the highest, and after a rest. */
interface UnpackCost {
  seconds: number
  cpu: number
  before: number
  peak: number
  after: number
}

async function unpack(server: Server, token: string, root: string, item: string): Promise<UnpackCost> {
  const before = memoryOf(server.pid)
  let peak = before
  const sampler = setInterval(() => {
    peak = Math.max(peak, memoryOf(server.pid))
  }, 100)
  const startedAt = performance.now()
  const { ownCpu } = usageOf(server.pid)
  const query = new URLSearchParams({ q: 'unarchive', path: root, item })
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/files?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = usageOf(server.pid).ownCpu - ownCpu
  clearInterval(sampler)
  if (!response.ok) throw new Error(`unarchive was refused: ${text.slice(0, 300)}`)
  await Bun.sleep(restMs)
  return { seconds, cpu, before, peak, after: memoryOf(server.pid) }
}

function rowsOf(name: string, { seconds, cpu, before, peak, after }: UnpackCost): Row[] {
  return [
    { name: `${name}: time`, value: seconds, unit: 's', reach: { most: 10 } },
    { name: '  processor time of the server', value: cpu, unit: 's' },
    { name: '  memory before', value: before / MB, unit: 'MB' },
    { name: '  highest', value: peak / MB, unit: 'MB' },
    { name: '  after a rest', value: after / MB, unit: 'MB', floor: before / MB },
  ]
}

async function main() {
  const { values } = parseArgs({
    options: {
      files: { type: 'string', default: '30000' },
      binary: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(usage)
    return
  }
  const work = mkdtempSync(join(tmpdir(), 'keepsake-unarchive-'))
  try {
    const product = productCommand(values.binary, work)
    const data = join(work, 'data')
    const [outside, inside] = [join(work, 'outside'), join(work, 'inside')]
    for (const directory of [outside, inside]) mkdirSync(directory)
    await mustRun([...product, '--data', data, 'user', 'create', account.username, '--admin'], `${account.password}\n`)
    await mustRun([...product, '--data', data, 'config', 'set', 'roots', outside])
    const server = await startServer(product, data, inside)
    try {
      const { token } = await clientOf(server.port, null).users.login({ body: account })
      const rows: Row[] = []
      for (const [n, { name, into, path }] of cases.entries()) {
        const files = Array.from({ length: Number(values.files) }, (_, at) => ({ name: path(at) }))
        const folder = `case ${n}`
        mkdirSync(join(work, into, folder))
        writeFileSync(join(work, into, folder, 'archive.zip'), buildZip(files))
        const at = `${into}/${folder}`
        rows.push(...rowsOf(name, await unpack(server, token, at, `${at}/archive.zip`)))
      }
      if (values.json) console.log(JSON.stringify({ files: Number(values.files), rows }))
      else for (const line of rowsAsText(rows)) console.log(line)
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

await main()
