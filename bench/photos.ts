/** Pictures to measure with: created once for the same parameters and kept in the temporary directory. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadSharp, type Sharp } from '../core/media/decode/sharp.ts'
import { randomOf } from './seed-library.ts'

export interface PhotoSet {
  directory: string
  /** Relative to the directory, sorted. */
  files: string[]
  madeBy: string
  bytes: number
}

export interface WantedPhotos {
  count: number
  /** Mean size of a picture. */
  megapixels: number
}

const maker = join(import.meta.dir, '../../shared/tools/make-library')
/** Share of the requested size that make-library reaches on average: of five pictures, two are smaller (75 %, 50 %). */
const meanOfMaker = 0.85
/** JPEG quality: large pictures get as many bytes as from cameras; the maker's default would give half of that. */
const qualityOf = (megapixels: number) => (megapixels >= 4 ? 96 : 82)

/** Where generated files are kept from run to run. */
export function cacheDirectory(): string {
  return join(tmpdir(), 'keepsake-bench')
}

async function runMaker(directory: string, { count, megapixels }: WantedPhotos): Promise<boolean> {
  if (!existsSync(maker) || Bun.which('python3') === null) return false
  const quality = qualityOf(megapixels)
  const size = (megapixels / meanOfMaker).toFixed(3)
  const command = ['python3', maker, '--out', directory, '--count', `${count}`, '--mp', size, '--quality', `${quality}`]
  const tool = Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' })
  return (await tool.exited) === 0
}

const placeholderDate = '2000:01:01 00:00:00'
const variants = 16
const picturesPerFolder = 40

/** A picture of soft shapes in three scales and sensor noise, so that its JPEG is as large as a photograph's. */
async function pictureOf(sharp: Sharp, seed: number, { megapixels }: WantedPhotos): Promise<Buffer> {
  const random = randomOf(seed)
  const height = Math.max(16, Math.round(Math.sqrt((megapixels * 1e6 * 3) / 4 / 64)) * 8)
  const width = Math.round((height * 4) / 3 / 8) * 8
  const layer = (columns: number, contrast: number) => {
    const rows = Math.ceil((columns * 3) / 4)
    const data = Buffer.from(Array.from({ length: columns * rows * 3 }, () => 128 + (random() - 0.5) * contrast))
    const raw = { width: columns, height: rows, channels: 3 as const }
    return sharp(data, { raw }).resize(width, height, { fit: 'fill', kernel: 'cubic' }).raw().toBuffer()
  }
  const layers = await Promise.all([layer(48, 255), layer(Math.min(width, 360), 90)])
  const grain = await sharp({
    create: { width, height, channels: 3, background: 'grey', noise: { type: 'gaussian', mean: 128, sigma: 16 } },
  })
    .raw()
    .toBuffer()
  const raw = { width, height, channels: 3 as const }
  return sharp(await layer(5, 255), { raw })
    .composite([...layers, grain].map(input => ({ input, raw, blend: 'soft-light' as const })))
    .withExif({ IFD0: { Make: 'Bench', Model: `Camera ${seed % 5}` }, IFD2: { DateTimeOriginal: placeholderDate } })
    .jpeg({ quality: qualityOf(megapixels) - 8 })
    .toBuffer()
}

/** Each file has its own date in its EXIF, so that all contents differ. */
async function drawSet(directory: string, options: WantedPhotos): Promise<void> {
  const sharp = await loadSharp()
  const pictures: Buffer[] = []
  for (let n = 0; n < Math.min(variants, options.count); n++) pictures.push(await pictureOf(sharp, n + 1, options))
  for (let n = 0; n < options.count; n++) {
    const taken = new Date(Date.UTC(2006, 0, 1) + n * 7_919_000)
    const bytes = Buffer.from(pictures[n % pictures.length] ?? Buffer.alloc(0))
    const at = bytes.indexOf(placeholderDate, 0, 'latin1')
    if (at < 0) throw new Error('the date did not get into the picture')
    bytes.write(taken.toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':'), at, 'latin1')
    const folder = join(directory, String(taken.getUTCFullYear()), `event ${Math.floor(n / picturesPerFolder)}`)
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `IMG_${String(n).padStart(5, '0')}.JPG`)
    writeFileSync(path, bytes)
    utimesSync(path, taken, taken)
  }
}

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort()
}

/** A set of pictures with these parameters; created if it does not exist yet, which takes a minute or two. */
export async function photoSet(options: WantedPhotos): Promise<PhotoSet> {
  const name = `photos-${options.count}-${options.megapixels}mp`
  const places = { tool: join(cacheDirectory(), `${name}-made`), ours: join(cacheDirectory(), `${name}-drawn`) }
  let directory = existsSync(maker) ? places.tool : places.ours
  if (!existsSync(directory)) {
    const partial = `${directory}-${process.pid}`
    process.stderr.write(`Making ${options.count} pictures of ${options.megapixels} megapixels …\n`)
    mkdirSync(partial, { recursive: true })
    try {
      if (directory === places.tool && !(await runMaker(partial, options))) {
        process.stderr.write('make-library did not run (python3 and python3-pil are needed): drawing our own.\n')
        rmSync(partial, { recursive: true })
        directory = places.ours
      }
      if (directory === places.tool || !existsSync(directory)) {
        if (directory === places.ours) await drawSet(partial, options)
        renameSync(partial, directory)
      }
    } finally {
      rmSync(partial, { recursive: true, force: true })
    }
  }
  const files = filesOf(directory)
  const bytes = files.reduce((sum, file) => sum + statSync(join(directory, file)).size, 0)
  return { directory, files, bytes, madeBy: directory === places.tool ? 'make-library' : 'our own generator' }
}

/** The same files in another place, as hard links: remove or replace files there, but do not write into them. */
export function linkInto(set: PhotoSet, files: readonly string[], directory: string): void {
  for (const file of files) {
    const path = join(directory, file)
    mkdirSync(dirname(path), { recursive: true })
    linkSync(join(set.directory, file), path)
  }
}
