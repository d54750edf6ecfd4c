/** The floor of scans: what two plain tools need for the same files, without a library. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { measure } from './measure.ts'
import type { PhotoSet } from './photos.ts'

/** Seconds of CPU for each file; `thumbnailsPerSecond` is the rate with as many processes as cores. */
export interface Floor {
  files: number
  thumbnailCpu: number
  thumbnailsPerSecond: number
  metadataCpu: number
}

/** Maximum number of files in one call, because command lines are limited. */
const filesPerCall = 400

/** A message about missing tools; null when none is missing. */
export function missingFloorTools(): string | null {
  const packages = { vipsthumbnail: 'libvips-tools', exiftool: 'libimage-exiftool-perl' }
  const missing = Object.entries(packages).filter(([tool]) => Bun.which(tool) === null)
  if (missing.length === 0) return null
  return `No floor: ${missing.map(([tool, name]) => `${tool} (Debian: ${name})`).join(' and ')} missing.`
}

/**
 * vipsthumbnail makes a WebP of 480 pixels from each file, in one process per core with one thread each; exiftool prints
 * all metadata of each as JSON.
 */
export async function measureFloor(set: PhotoSet, files: readonly string[], work: string): Promise<Floor> {
  const links = join(work, 'floor-links')
  const output = join(work, 'floor-made')
  for (const directory of [links, output]) {
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
  }
  // Links have unique names, because the results are named after them and file names occur in several folders.
  const paths = files.map((_, n) => join(links, `${n}.jpg`))
  for (const [n, file] of files.entries()) symlinkSync(join(set.directory, file), paths[n] ?? '')

  const cores = availableParallelism()
  const environment = { VIPS_CONCURRENCY: '1' }
  let cpu = 0
  const startedAt = performance.now()
  const calls = Array.from({ length: Math.ceil(paths.length / filesPerCall) }, (_, n) =>
    paths.slice(n * filesPerCall, (n + 1) * filesPerCall),
  )
  // If there are few calls, the files are split evenly, so that no process runs alone at the end.
  const batches = calls.length < cores * 3 ? splitInto(paths, cores) : calls
  const next = batches.values()
  await Promise.all(
    Array.from({ length: cores }, async () => {
      for (const some of next) {
        const command = ['vipsthumbnail', '--size', '480x480', '-o', join(output, '%s.webp[Q=76]'), ...some]
        const ran = await measure(command, { environment, discard: true })
        if (ran.code !== 0) throw new Error(`vipsthumbnail: ${ran.err}`)
        cpu += ran.cpu
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const metadata = await measure(['exiftool', '-json', '-r', links], { discard: true })
  if (metadata.code !== 0) throw new Error(`exiftool: ${metadata.err}`)
  for (const directory of [links, output]) rmSync(directory, { recursive: true })
  return {
    files: files.length,
    thumbnailCpu: cpu / files.length,
    thumbnailsPerSecond: files.length / seconds,
    metadataCpu: metadata.cpu / files.length,
  }
}

function splitInto(paths: readonly string[], parts: number): string[][] {
  return Array.from({ length: parts }, (_, part) => paths.filter((_path, n) => n % parts === part))
}

/** At most `max` of the files, evenly distributed, because the floor of 20,000 files would take half an hour. */
export function sampleOf(files: readonly string[], max: number): string[] {
  const step = Math.max(1, files.length / max)
  return Array.from({ length: Math.min(max, files.length) }, (_, n) => files[Math.floor(n * step)] ?? '')
}
