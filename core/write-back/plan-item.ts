/** Reads an item's files like a scan, and determines what has to be written into them. */
import { Failure } from '../../schema/errors.ts'
import type { CollectionRow } from '../collections/collections.ts'
import type { Disk } from '../files/disk.ts'
import { DiskError } from '../files/disk-error.ts'
import { bytesOfRaw, displayRaw, joinPath, rawOf } from '../files/names.ts'
import type { FileNotes } from '../items/due-items.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { contentKeyOf } from '../media/decode/content-key.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { memorySource } from '../metadata/byte-source.ts'
import { descriptorSource } from '../metadata/file-source.ts'
import { type Metadata, noMetadata } from '../metadata/metadata.ts'
import { readMediaMetadata, readMetadataOf } from '../metadata/read.ts'
import { isWritable } from '../metadata/write/picture-file.ts'
import { hasUnwantedPosition, planWrite, type SidecarNow, type WritePlan } from '../metadata/write/plan.ts'
import type { WantedTags } from '../metadata/write/written-tags.ts'
import { parseSidecar } from '../metadata/xmp/sidecar.ts'
import { serverZone } from '../metadata/zones.ts'
import { rotReason } from '../scan/rot.ts'
import type { DiskFile } from '../survey/found-unit.ts'
import { isAsKnown, type MetadataDirectory } from './directory.ts'
import { wantedTags } from './item-tags.ts'
import type { ItemWrites, MetadataWrite } from './write.ts'
import type { itemsToWritePage } from './write-back.sql.ts'

export type ExportedRow = RowOfQuery<typeof itemsToWritePage>

export type Inspection =
  | { kind: 'same'; wanted: WantedTags; beside: FileNotes['beside'] }
  | { kind: 'write'; item: ItemWrites }
  /** A temporary obstacle: the item is retried. */
  | { kind: 'skipped' | 'failed'; reason: string }
  | { kind: 'unrepresentable'; reason: string; wanted: WantedTags }

export interface InspectParts {
  db: LibraryDatabase
  disk: Disk
  clock: Clock
  collection: CollectionRow
  /** For videos, which external tools read better than Keepsake's readers. */
  pool: () => DecodePool
}

/** Larger files get a sidecar, because rewriting needs them in memory twice. */
const maxFileBytes = 256 * 1024 * 1024
const maxSidecarBytes = 4 * 1024 * 1024

const changedReason =
  'Its files were changed by another program since the last scan: scan the collection, then export again.'

/**
 * Determines what has to be written for an item. A file that differs from the library's record is skipped, unless it
 * has the requested values already: a scan has to read it first. `whyNotInFile`: why nothing can be written into the
 * file itself, if that is known already.
 */
export async function inspectItem(
  parts: InspectParts,
  directory: MetadataDirectory | string | null,
  row: ExportedRow,
  whyNotInFile: string | null,
): Promise<Inspection> {
  const raw = rawOf(row.nameBytes)
  if (typeof directory === 'string') return { kind: 'failed', reason: `Its directory cannot be read: ${directory}` }
  const main = directory?.files.get(raw)
  if (directory === null || main === undefined) return { kind: 'skipped', reason: 'Its file is not there.' }
  try {
    return await inspect(parts, directory, row, main, whyNotInFile)
  } catch (error) {
    if (error instanceof DiskError || error instanceof Failure) return { kind: 'failed', reason: error.message }
    throw error
  }
}

async function inspect(
  parts: InspectParts,
  directory: MetadataDirectory,
  row: ExportedRow,
  main: DiskFile,
  whyNotInFile: string | null,
): Promise<Inspection> {
  const { db, clock, collection } = parts
  const { raw } = main
  const placeOf = (name: string) => ({ root: collection.path, path: joinPath(directory.bytes, bytesOfRaw(name)) })
  const sidecarRaws = (directory.sidecars.get(raw) ?? []).filter(
    name => (directory.files.get(name)?.size ?? 0) <= maxSidecarBytes,
  )
  const texts = new Map(sidecarRaws.map(name => [name, parts.disk.read(placeOf(name), maxSidecarBytes)]))
  const companions = directory.companions.get(raw) ?? []
  const targets = directory.targets(raw)
  const { metadata, bytes, whyNot } = await readMain(parts, row, main, placeOf(raw), whyNotInFile)
  const wanted = wantedTags(db, row)
  const plan = planWrite({
    wanted,
    files: {
      name: main.name,
      mtimeMs: main.mtimeSeconds * 1000,
      now: clock.now(),
      zone: serverZone(),
      file: metadata,
      companions: companions.map(name => readPicture(parts.disk, placeOf(name))),
      sidecars: sidecarRaws.flatMap((name): SidecarNow[] => {
        const found = parseSidecar(name, texts.get(name) ?? new Uint8Array())
        return found === null ? [] : [{ raw: name, ...found }]
      }),
    },
    content: bytes,
    targets: targets.map(name => ({ raw: name, bytes: texts.get(name) ?? null })),
  })
  const left = leftPositionProblem(parts, row, main, metadata, plan?.content ?? null, wanted)
  if (plan === null) {
    // As long as the tags are in a sidecar, the reason for not writing them into the file still applies.
    const hasSidecar = sidecarRaws.some(name => /\.xmp$/i.test(name))
    const stillApplies = left === null && hasSidecar && parts.collection.write_back === 'file'
    return { kind: 'same', wanted, beside: stillApplies ? undefined : left }
  }
  const touched = [raw, ...sidecarRaws, ...(plan.sidecar === null ? [] : [plan.sidecar.raw])]
  if (!touched.every(name => isAsKnown(directory, name))) return { kind: 'skipped', reason: changedReason }
  // Rewriting a damaged file would make the damage a part of its content.
  if (bytes !== null && plan.content !== null && row.content !== '' && contentKeyOf(bytes) !== row.content)
    return { kind: 'failed', reason: rotReason }
  if (plan.content === null && plan.sidecar === null) {
    const reason = plan.shortfall
    if (reason === null) return { kind: 'same', wanted, beside: undefined }
    return plan.isSidecarDamaged ? { kind: 'failed', reason } : { kind: 'unrepresentable', reason, wanted }
  }
  const inSidecar =
    plan.content === null && plan.sidecar !== null ? sidecarProblem(plan.sidecar, plan.beside ?? whyNot) : null
  const beside = [inSidecar, left].filter(text => text !== null).join(' ') || null
  return { kind: 'write', item: { ...writesOf(directory, row, main, plan), beside, wanted } }
}

function writesOf(directory: MetadataDirectory, row: ExportedRow, main: DiskFile, plan: WritePlan) {
  const writes: MetadataWrite[] = []
  // The sidecar first: if the file then fails, the sidecar's values are read anyway.
  if (plan.sidecar !== null) {
    const { raw, bytes } = plan.sidecar
    writes.push({ raw, bytes, before: directory.files.get(raw) ?? null, isMain: false })
  }
  if (plan.content !== null) writes.push({ raw: main.raw, bytes: plan.content, before: main, isMain: true })
  return {
    itemId: row.id,
    name: row.name,
    nameBytes: row.nameBytes,
    content: row.content,
    dir: { id: directory.id, bytes: directory.bytes, path: directory.path },
    writes,
    shortfall: plan.shortfall,
  }
}

/** The problem of an item whose tags could only be written into a sidecar. */
function sidecarProblem({ raw }: { raw: string }, reason: string | null): string | null {
  return reason === null
    ? null
    : `Its tags are in ${displayRaw(raw)} and not in the file itself: ${reason}. Other programs may read the old ones.`
}

/** The problem of an item whose position was removed, although other programs still read one in its file. */
function leftPositionProblem(
  { collection }: InspectParts,
  { type }: ExportedRow,
  { name }: DiskFile,
  before: Metadata,
  content: Uint8Array | null,
  wanted: WantedTags,
): string | null {
  const file = content === null ? before : readMetadataOf(memorySource(content), name)
  if (!hasUnwantedPosition(wanted, file)) return null
  const isOffered = type === 'image' && /\.(?:jpe?g|jpe|jfif|png|webp)$/i.test(name) && collection.write_back !== 'file'
  const remedy = isOffered
    ? 'To take it out of the file, let the collection write into files, and export its metadata again.'
    : 'To take it out of the file, another program is needed.'
  return `The position that was removed still stands in the file itself, where other programs show it. ${remedy}`
}

interface FileLocation {
  root: string
  path: Buffer
}

/** The main file's metadata, and its bytes if it is to be rewritten. `whyNot`: why a writable file is not rewritten. */
async function readMain(
  { disk, collection, pool }: InspectParts,
  row: ExportedRow,
  main: DiskFile,
  place: FileLocation,
  whyNotInFile: string | null,
): Promise<{ metadata: Metadata; bytes: Uint8Array | null; whyNot: string | null }> {
  if (row.type === 'video') {
    const result = await pool().decode({
      path: joinPath(Buffer.from(place.root), place.path),
      name: main.name,
      kind: 'video',
      content: row.content,
      cache: '',
      metadata: true,
      sizes: [],
    })
    const unreadable = result.problems.find(({ code }) => code === 'unreadable')
    if (unreadable !== undefined) throw new DiskError('EIO', '', unreadable.reason)
    return { metadata: result.metadata ?? noMetadata(), bytes: null, whyNot: null }
  }
  const writesIntoFile = collection.write_back === 'file' && main.size <= maxFileBytes
  if (!writesIntoFile) return { metadata: readPicture(disk, place), bytes: null, whyNot: null }
  const file = disk.open(place)
  try {
    const isWritableKind = isWritable(file.read(0, 200))
    const whyNot = isWritableKind ? (whyNotInFile ?? file.whyNotReplaced) : null
    return {
      metadata: readMediaMetadata(descriptorSource(file.fd, file.size)),
      bytes: isWritableKind && whyNot === null ? file.read(0, file.size) : null,
      whyNot,
    }
  } finally {
    file.close()
  }
}

function readPicture(disk: Disk, place: FileLocation): Metadata {
  const file = disk.open(place)
  try {
    return readMediaMetadata(descriptorSource(file.fd, file.size))
  } finally {
    file.close()
  }
}
