/** The floor: what two plain tools need for the same files, without a library around them. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { measure } from './measure.ts'
import type { PhotoSet } from './photos.ts'

/** Seconds for each file; `perSecond` is the rate with as many processes as cores. */
export interface Floor {
  files: number
  thumbnailCpu: number
  thumbnailsPerSecond: number
  metadataCpu: number
}

/** Files in one call: a command line has its limits. */
const inACall = 400

/** What is missing; null when nothing is. */
export function floorTools(): string | null {
  const packages = { vipsthumbnail: 'libvips-tools', exiftool: 'libimage-exiftool-perl' }
  const missing = Object.entries(packages).filter(([tool]) => Bun.which(tool) === null)
  if (missing.length === 0) return null
  return `No floor: ${missing.map(([tool, name]) => `${tool} (Debian: ${name})`).join(' and ')} missing.`
}

/**
 * vipsthumbnail makes a WebP of 480 pixels from each file, one process a core with one thread each; exiftool tells all it
 * knows of each as JSON.
 */
export async function measureFloor(set: PhotoSet, files: readonly string[], work: string): Promise<Floor> {
  const links = join(work, 'floor-links')
  const made = join(work, 'floor-made')
  for (const directory of [links, made]) {
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
  }
  // Names repeat from folder to folder, and results are named after them.
  const paths = files.map((_, n) => join(links, `${n}.jpg`))
  for (const [n, file] of files.entries()) symlinkSync(join(set.directory, file), paths[n] ?? '')

  const cores = availableParallelism()
  const environment = { VIPS_CONCURRENCY: '1' }
  let cpu = 0
  const startedAt = performance.now()
  const calls = Array.from({ length: Math.ceil(paths.length / inACall) }, (_, n) =>
    paths.slice(n * inACall, (n + 1) * inACall),
  )
  // With fewer calls than cores the last one would be alone for most of the time.
  const evenly = calls.length < cores * 3 ? sliced(paths, cores) : calls
  const next = evenly.values()
  await Promise.all(
    Array.from({ length: cores }, async () => {
      for (const some of next) {
        const command = ['vipsthumbnail', '--size', '480x480', '-o', join(made, '%s.webp[Q=76]'), ...some]
        const ran = await measure(command, { environment, discard: true })
        if (ran.code !== 0) throw new Error(`vipsthumbnail: ${ran.err}`)
        cpu += ran.cpu
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const told = await measure(['exiftool', '-json', '-r', links], { discard: true })
  if (told.code !== 0) throw new Error(`exiftool: ${told.err}`)
  for (const directory of [links, made]) rmSync(directory, { recursive: true })
  return {
    files: files.length,
    thumbnailCpu: cpu / files.length,
    thumbnailsPerSecond: files.length / seconds,
    metadataCpu: told.cpu / files.length,
  }
}

function sliced(paths: readonly string[], parts: number): string[][] {
  return Array.from({ length: parts }, (_, part) => paths.filter((_path, n) => n % parts === part))
}

/** Some of the files, spread over all: the floor of 20,000 need not take half an hour. */
export function spread(files: readonly string[], most: number): string[] {
  const step = Math.max(1, files.length / most)
  return Array.from({ length: Math.min(most, files.length) }, (_, n) => files[Math.floor(n * step)] ?? '')
}
