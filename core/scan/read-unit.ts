/** Opens the files of one unit: decodes, reads metadata and sidecars, and decides what belongs together. */
import { rmSync } from 'node:fs'
import { readRegularFile } from '../files/disk.ts'
import { bytesOfRaw, joinPath } from '../files/names.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type FixedSize, renditionPath } from '../media/cache/renditions.ts'
import type { DecodeResult } from '../media/decode/decode.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { problemText } from '../media/decode/problem-text.ts'
import type { MediaKind } from '../media/media-problem.ts'
import { sortableSeconds } from '../metadata/dates.ts'
import { type MergeInput, mergeMetadata } from '../metadata/merge.ts'
import { type Metadata, noMetadata } from '../metadata/metadata.ts'
import { isGuess } from '../metadata/write/written-tags.ts'
import { parseSidecar } from '../metadata/xmp/sidecar.ts'
import { serverZone } from '../metadata/zones.ts'
import type { DiskFile, FoundUnit, UnitFile } from '../survey/found-unit.ts'
import { isMotionOf, type LivePhotoPart, type Unit } from '../survey/group.ts'
import { knownOfContent } from './scan.sql.ts'

export interface Reading {
  db: LibraryDatabase
  pool: DecodePool
  cache: string
  clock: Clock
  collectionId: number
  /** Renditions to create for each item; none: the cache is not changed. */
  sizes: readonly FixedSize[]
}

export interface UnitDirectory {
  id: number
  /** Relative to the collection, for display. */
  path: string
  /** Absolute, as bytes. */
  bytes: Buffer
  files: Map<string, DiskFile>
}

export const listSizes: readonly FixedSize[] = ['tiny', 'small']
export const shownSizes: readonly FixedSize[] = [...listSizes, 'medium']
/** A scan that opens at most this many files creates medium pictures too; after other scans, a job does. */
export const fewFiles = 100

/** Sizes that a scan creates at once for this number of files to open. */
export function sizesFor(files: number): readonly FixedSize[] {
  return files <= fewFiles ? shownSizes : listSizes
}

/** Maximum size of a sidecar, which is text about one picture. */
const largestSidecar = 4 * 1024 * 1024

function absolutePath(dir: UnitDirectory, raw: string): Buffer {
  return joinPath(dir.bytes, bytesOfRaw(raw))
}

/** A file with the decoder's results. */
interface Opened {
  file: DiskFile
  result: DecodeResult
}

function fileOf(dir: UnitDirectory, raw: string): DiskFile {
  const file = dir.files.get(raw)
  if (file === undefined) throw new Error('a unit names a file that its directory does not have')
  return file
}

async function open(
  reading: Reading,
  dir: UnitDirectory,
  raw: string,
  kind: MediaKind,
  wanted: { metadata: boolean; sizes: readonly FixedSize[]; content?: string; pictureHash?: boolean },
): Promise<Opened> {
  const file = fileOf(dir, raw)
  const task = {
    path: absolutePath(dir, raw),
    name: file.name,
    kind,
    cache: reading.cache,
    metadata: wanted.metadata,
    sizes: [...wanted.sizes],
    content: wanted.content,
    pictureHash: wanted.pictureHash,
  }
  const result = await reading.pool.decode(task)
  return { file, result: await withHash(reading, task, result) }
}

/**
 * Adds the thumbhash, which the decoder does not return if all renditions are in the cache. The database has it for the
 * same content, unless the item was purged: then the picture is decoded again.
 */
async function withHash(
  reading: Reading,
  task: Parameters<DecodePool['decode']>[0],
  result: DecodeResult,
): Promise<DecodeResult> {
  const { content, thumbhash, made } = result
  if (task.sizes.length === 0 || thumbhash !== undefined || made.length === 0 || content === undefined) return result
  if (reading.db.get(knownOfContent, content) !== null) return result
  // Exactly like in a first scan, so that the same picture gets the same hashes.
  for (const size of task.sizes) rmSync(renditionPath(reading.cache, content, size), { force: true })
  const again = await reading.pool.decode({ ...task, metadata: false })
  return { ...result, thumbhash: again.thumbhash, phash: again.phash, width: again.width, height: again.height }
}

type Problem = FoundUnit['problems'][number]

/** Sidecars in order of precedence, with their problems. The picture is kept even if a sidecar is unreadable. */
function readSidecars(dir: UnitDirectory, raws: readonly string[]) {
  const data: MergeInput['sidecars'][number][] = []
  const problems: Problem[] = []
  for (const raw of raws) {
    const file = fileOf(dir, raw)
    if (file.size > largestSidecar) {
      problems.push({ raw, code: 'metadata', reason: 'This file is too large for a sidecar.' })
      continue
    }
    const bytes = readRegularFile(absolutePath(dir, raw), largestSidecar)
    if (bytes === null) {
      problems.push({ raw, code: 'unreadable', reason: 'This sidecar cannot be read.' })
      continue
    }
    const parsed = parseSidecar(raw, bytes)
    if (parsed === null) continue
    data.push(parsed)
    for (const reason of parsed.data.warnings)
      problems.push({ raw, code: 'metadata', reason: problemText('metadata', reason, undefined) })
  }
  return { data, problems }
}

/** A file as a possible half of a Live Photo; `companions` provide the date if it has none itself. */
function livePhotoPart(metadata: Metadata | undefined, companions: readonly Metadata[] = []): LivePhotoPart {
  const [date] = [metadata, ...companions].flatMap(data => data?.dates ?? [])
  const guessed = date === undefined || isGuess(date.source)
  return {
    taken: guessed ? null : sortableSeconds(date.local),
    contentIdentifier: metadata?.contentIdentifier ?? null,
    duration: metadata?.duration ?? null,
  }
}

function unitFile(opened: Opened, role: UnitFile['role']): UnitFile {
  return {
    file: opened.file,
    role,
    content: opened.result.content ?? null,
    pair: opened.result.metadata?.contentIdentifier ?? null,
  }
}

/** Problems of a file; those of its metadata only when its picture is readable. */
function problemsOf({ file: { raw }, result }: Opened): Problem[] {
  const warnings = result.metadata?.warnings ?? []
  const ofMetadata = warnings.length === 0 ? [] : [{ code: 'metadata' as const, reason: warnings.join('. ') }]
  return (result.problems.length > 0 ? result.problems : ofMetadata).map(({ code, reason }) => ({
    raw,
    code,
    reason: problemText(code, reason, result.mime),
  }))
}

/** An item's parts besides its main file. */
interface OtherParts {
  companions: readonly Opened[]
  /** The video that is its motion part. */
  film: Opened | null
  sidecars: readonly string[]
}

function assemble(reading: Reading, dir: UnitDirectory, main: Opened, others: OtherParts): FoundUnit {
  const { companions, film } = others
  const sidecars = readSidecars(dir, others.sidecars)
  const mainMetadata = main.result.metadata ?? noMetadata()
  const metadata = mergeMetadata({
    file: mainMetadata,
    companions: companions.flatMap(({ result }) => result.metadata ?? []),
    sidecars: sidecars.data,
    name: main.file.name,
    mtimeMs: main.file.mtimeSeconds * 1000,
    now: reading.clock.now(),
    zone: serverZone(),
  })
  const films = film === null ? [] : [film]
  const parts = [main, ...companions, ...films]
  return {
    collectionId: reading.collectionId,
    dirId: dir.id,
    dirPath: dir.path,
    files: [
      unitFile(main, 'main'),
      ...companions.map(opened => unitFile(opened, 'companion')),
      ...films.map(opened => unitFile(opened, 'motion')),
      ...others.sidecars.map(raw => ({ file: fileOf(dir, raw), role: 'sidecar' as const, content: null, pair: null })),
    ],
    kind: main.result.kind ?? 'image',
    result: main.result,
    metadata,
    motion: film !== null || mainMetadata.motionVideoLength !== undefined,
    movedFrom: null,
    problems: [...parts.flatMap(problemsOf), ...sidecars.problems],
  }
}

/** Opens all files of a unit. Returns two units if the video beside a picture does not belong to it. */
export async function readUnit(
  reading: Reading,
  dir: UnitDirectory,
  unit: Unit,
  kindOf: (raw: string) => MediaKind,
): Promise<FoundUnit[]> {
  const [main, film, companions] = await Promise.all([
    open(reading, dir, unit.main, kindOf(unit.main), { metadata: true, sizes: reading.sizes, pictureHash: true }),
    unit.film === null
      ? null
      : open(reading, dir, unit.film, 'video', { metadata: true, sizes: [], pictureHash: true }),
    Promise.all(unit.companions.map(raw => open(reading, dir, raw, 'image', { metadata: true, sizes: [] }))),
  ])
  const beside = companions.flatMap(({ result }) => result.metadata ?? [])
  if (film !== null && isMotionOf(livePhotoPart(main.result.metadata, beside), livePhotoPart(film.result.metadata))) {
    const sidecars = [...new Set([...unit.sidecars, ...unit.filmSidecars])]
    return [assemble(reading, dir, main, { companions, film, sidecars })]
  }
  const picture = assemble(reading, dir, main, { companions, film: null, sidecars: unit.sidecars })
  if (film === null || unit.film === null) return [picture]
  const { content } = film.result
  const shown = await open(reading, dir, unit.film, 'video', { metadata: false, sizes: reading.sizes, content })
  const whole: Opened = {
    file: film.file,
    result: { ...film.result, ...shown.result, metadata: film.result.metadata ?? shown.result.metadata },
  }
  const sidecars = unit.filmSidecars.filter(raw => !unit.sidecars.includes(raw))
  return [picture, assemble(reading, dir, whole, { companions: [], film: null, sidecars })]
}
