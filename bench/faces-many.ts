/** Indexes a library of many large pictures: its rate, processor time and memory. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSharp } from '../core/media/decode/sharp.ts'
import { imageAddress } from '../schema/addresses.ts'
import { mustRun, peakOf, productCommand, quantile } from './measure.ts'
import { clientOf, startServer } from './server.ts'

const sides = { width: 4000, height: 3000 }
/** Number of pictures to draw; further ones are copies with other bytes at the end. */
const drawnCount = 100

/** Draws pictures of 12 megapixels, each with people of the samples in various sizes. */
async function draw(samples: string, directory: string, count: number): Promise<void> {
  const sharp = await loadSharp()
  const names = readdirSync(samples, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(jpe?g)$/i.test(name))
    .sort()
  const pathOf = (n: number) => join(directory, `${String(n).padStart(5, '0')}.jpg`)
  for (let n = 0; n < Math.min(drawnCount, count); n++) {
    const parts = await Promise.all(
      Array.from({ length: 1 + (n % 3) }, async (_, at) => {
        const edge = 300 + ((n * 97 + at * 313) % 900)
        const bytes = readFileSync(join(samples, names[(n * 5 + at * 17) % names.length] ?? ''))
        const input = await sharp(bytes).resize(edge, edge, { fit: 'inside' }).toBuffer()
        return { input, left: 100 + at * 1250, top: 100 + ((n * 131) % 1600) }
      }),
    )
    const grey = { r: 60 + (n % 100), g: 90, b: 120 }
    const noise = { type: 'gaussian' as const, mean: 120, sigma: 20 }
    const ground = await sharp({ create: { width: 1000, height: 750, channels: 3, background: grey, noise } })
      .resize(sides.width, sides.height)
      .png({ compressionLevel: 0 })
      .toBuffer()
    const image = await sharp(ground).composite(parts).jpeg({ quality: 90 }).toBuffer()
    writeFileSync(pathOf(n), image)
  }
  // Adds bytes after the end of the picture: no decoder reads them, but they change the content.
  for (let n = drawnCount; n < count; n++) {
    writeFileSync(pathOf(n), Buffer.concat([readFileSync(pathOf(n % drawnCount)), Buffer.from(`copy ${n}`)]))
  }
}

const account = { username: 'bench', password: 'bench-password' }
/** Number of previews on each page. */
const previewsInView = 24
/** The pause before the next page is opened. */
const pauseMs = 250

/** Milliseconds that lists and previews took. */
interface ResponseTimes {
  list: number[]
  preview: number[]
}

async function measureTime(into: number[], send: () => Promise<unknown>): Promise<void> {
  const from = performance.now()
  await send()
  into.push(performance.now() - from)
}

/** Opens pages of the library one after the other until `isOver` returns true. */
async function browse(port: number, token: string, isOver: () => Promise<boolean>): Promise<ResponseTimes> {
  const waits: ResponseTimes = { list: [], preview: [] }
  const client = clientOf(port, token)
  for (let page = 1; !(await isOver()); page = (page % 40) + 1) {
    let seen: { id: number; reloads: string }[] = []
    await measureTime(waits.list, async () => {
      const query = { limit: previewsInView, page }
      seen = (await client.items.list({ params: { collectionId: 0 }, query })).items
    })
    await Promise.all(
      seen.map(item =>
        measureTime(waits.preview, async () => {
          const address = `http://127.0.0.1:${port}${imageAddress(item, 'small')}`
          await (await fetch(address, { headers: { Authorization: `Bearer ${token}` } })).arrayBuffer()
        }),
      ),
    )
    await Bun.sleep(pauseMs)
  }
  return waits
}

const asText = (numbers: readonly number[]) =>
  [0.5, 0.95, 1].map(share => quantile(numbers, share).toFixed(share === 1 ? 0 : 1)).join(', ')

/** Prints how long users wait for pages of an idle server, and of a server whose worker is finding faces. */
async function measurePages(keepsake: readonly string[], data: string, count: number, json: boolean): Promise<void> {
  await mustRun([...keepsake, '--data', data, 'user', 'create', account.username, '--admin'], `${account.password}\n`)
  const server = await startServer(keepsake, data)
  try {
    const { token } = await clientOf(server.port, null).users.login({ body: account })
    const client = clientOf(server.port, token)
    const until = (end: number) => async () => performance.now() > end
    // Warms up, as the first previews are read from the disk.
    await browse(server.port, token, until(performance.now() + 10_000))
    const idle = await browse(server.port, token, until(performance.now() + 20_000))
    const from = performance.now()
    const { taskid } = await client.faces.index({ body: { all: true } })
    const busy = await browse(server.port, token, async () => {
      const { state } = await client.jobs.get({ params: { id: taskid } })
      return state !== 'running' && state !== 'queued'
    })
    const seconds = (performance.now() - from) / 1000
    const figures = { pictures: count, seconds, idle: { ...idle }, busy: { ...busy } }
    if (json) console.log(JSON.stringify({ type: 'page', ...figures }))
    else
      for (const [name, { list, preview }] of [
        ['idle', idle],
        [`while ${count} pictures are searched for faces (${seconds.toFixed(0)} s)`, busy],
      ] as const)
        console.log(
          `page, ${name}: list ${asText(list)} ms, preview ${asText(preview)} ms (p50, p95, most of ${list.length} and ${preview.length})`,
        )
  } finally {
    await server.stop()
  }
}

/** Prints what indexing takes, and what users notice of it. */
export async function measureManyPictures(samples: string, count: number, json: boolean): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'keepsake-faces-'))
  try {
    const root = join(work, 'pictures')
    const data = join(work, 'data')
    mkdirSync(root)
    await draw(samples, root, count)
    const program = productCommand(undefined, work)
    const keepsake = [...program, '--data', data]
    await mustRun([...keepsake, 'scan', root, '--quiet'])
    const ran = await mustRun([...keepsake, 'faces', 'index', '--all', '--json'])
    const faces = Number(ran.jsonLines.at(-1)?.value.faces ?? 0)
    const peak = peakOf(ran) / 1e6
    const figures = {
      pictures: count,
      faces,
      seconds: ran.seconds,
      perSecond: count / ran.seconds,
      cpuMs: (1000 * ran.cpu) / count,
      peakMB: peak,
      others: ran.others,
    }
    if (json) console.log(JSON.stringify(figures))
    else
      console.log(
        `${count} pictures of 12 megapixels: ${faces} faces, ${figures.perSecond.toFixed(1)} pictures/s, ` +
          `${figures.cpuMs.toFixed(0)} ms CPU a picture, ${peak.toFixed(0)} MB at most (others had ${Math.round(100 * ran.others)} % of the cores)`,
      )
    await measurePages(program, data, count, json)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
