/** Has a library of many large pictures indexed: rate, processor time and memory of it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSharp } from '../core/media/sharp.ts'
import { measure, peakOf } from './measure.ts'

const sides = { width: 4000, height: 3000 }
/** So many are drawn; further ones are the same picture in another file. */
const drawn = 100

/** Pictures of 12 megapixels, each with some of the people of the samples on it, of many sizes. */
async function draw(samples: string, directory: string, count: number): Promise<void> {
  const sharp = await loadSharp()
  const names = readdirSync(samples, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(jpe?g)$/i.test(name))
    .sort()
  const named = (n: number) => join(directory, `${String(n).padStart(5, '0')}.jpg`)
  for (let n = 0; n < Math.min(drawn, count); n++) {
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
    const made = await sharp(ground).composite(parts).jpeg({ quality: 90 }).toBuffer()
    writeFileSync(named(n), made)
  }
  // What stands behind the picture's end nobody looks at, but it makes another content.
  for (let n = drawn; n < count; n++) {
    writeFileSync(named(n), Buffer.concat([readFileSync(named(n % drawn)), Buffer.from(`copy ${n}`)]))
  }
}

/** Prints what indexing takes with each engine. */
export async function manyPictures(samples: string, count: number, json: boolean): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'keepsake-faces-'))
  try {
    const root = join(place, 'pictures')
    mkdirSync(root)
    await draw(samples, root, count)
    const keepsake = [process.execPath, join(import.meta.dir, '../cli/main.ts'), '--data', join(place, 'data')]
    await measure([...keepsake, 'scan', root, '--quiet'])
    for (const engine of ['onnx', 'wasm']) {
      const ran = await measure([...keepsake, 'faces', 'index', '--all', '--engine', engine, '--json'])
      const faces = Number(ran.said.at(-1)?.value.faces ?? 0)
      const peak = peakOf(ran) / 1e6
      const figures = {
        engine,
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
          `${count} pictures of 12 megapixels by ${engine}: ${faces} faces, ${figures.perSecond.toFixed(1)} pictures/s, ` +
            `${figures.cpuMs.toFixed(0)} ms CPU a picture, ${peak.toFixed(0)} MB at most (others had ${Math.round(100 * ran.others)} % of the cores)`,
        )
    }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
