/** Finds faces in a browser: the pages' worker in Chromium, on pictures as the server sends them. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { z } from 'zod'
import { longestEdge } from '../core/media/cache/renditions.ts'
import { picturePixels } from '../core/media/decode/pictures.ts'
import { loadSharp } from '../core/media/decode/sharp.ts'
import type { Box } from '../schema/boxes.ts'

export interface AnalysedPicture {
  path: string
  /** In thousandths of the longer edge. */
  faces: (Box & { score: number; vector: readonly number[] })[]
}

const results = z.array(
  z.array(
    z.object({
      box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
      confidence: z.number(),
      vector: z.array(z.number()),
    }),
  ),
)

const pages = join(import.meta.dir, '../dist/web')

/** Runs in the page: sends each picture to the worker, one after the other. */
const findInPage = `async ({ worker, modelsUrl, count, confidence }) => {
  const program = new Worker(worker)
  let last = 0
  const send = (request, transfer = []) => new Promise((done, failed) => {
    const id = ++last
    const onMessage = ({ data }) => {
      if (data.id !== id) return
      program.removeEventListener('message', onMessage)
      if ('fault' in data) failed(new Error(data.why))
      else done(data.faces)
    }
    program.addEventListener('message', onMessage)
    program.postMessage({ id, request }, transfer)
  })
  await send({ what: 'load', modelsUrl })
  const all = []
  for (let n = 0; n < count; n++) {
    const image = new Image()
    image.src = '/picture/' + n
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth
    canvas.height = image.naturalHeight
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
    all.push(await send({ what: 'find', pixels: { width, height, bytes: data.buffer }, confidence }, [data.buffer]))
  }
  return all
}`

/** Finds the faces on pictures below a directory. Throws without Chromium, or if the pages are not built. */
export async function findFacesInBrowser(
  directory: string,
  pictures: readonly string[],
  confidence: number,
): Promise<AnalysedPicture[]> {
  const build = join(pages, readFileSync(join(pages, 'current'), 'utf8').trim())
  const { assets }: { assets: { path: string }[] } = JSON.parse(readFileSync(join(build, 'manifest.json'), 'utf8'))
  const paths = assets.map(({ path }) => path)
  const worker = paths.find(path => /face-worker/.test(path))
  const model = paths.find(path => path.endsWith('/blazeface.json'))
  if (worker === undefined || model === undefined) throw new Error('the pages have no worker for faces')
  const sharp = await loadSharp()
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const path = decodeURIComponent(new URL(request.url).pathname)
      if (path === '/') return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
      const [, number] = /^\/picture\/(\d+)$/.exec(path) ?? []
      if (number === undefined) return new Response(Bun.file(join(build, path)))
      const bytes = readFileSync(join(directory, pictures[Number(number)] ?? ''))
      const { width = 0, height = 0, orientation = 1 } = await sharp(bytes).metadata()
      const { data, ...raw } = await picturePixels({ input: bytes, width, height, orientation }, longestEdge.large, 0)
      // The format and quality of the server's renditions.
      return new Response(await sharp(data, { raw }).webp({ quality: 80, effort: 1 }).toBuffer())
    },
  })
  const executablePath = Bun.which('chromium') ?? Bun.which('google-chrome') ?? ''
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    await page.goto(server.url.href)
    const modelsUrl = new URL(`/${model.replace(/[^/]*$/, '')}`, server.url).href
    const request = JSON.stringify({ worker: `/${worker}`, modelsUrl, count: pictures.length, confidence })
    const seen = results.parse(await page.evaluate(`(${findInPage})(${request})`))
    return seen.map((faces, n) => ({
      path: pictures[n] ?? '',
      faces: faces.map(({ box, confidence: score, vector }) => ({ ...box, score, vector })),
    }))
  } finally {
    await browser.close()
    await server.stop(true)
  }
}
