/** Writes what a scan found out about the files of one item: the item, its files, regions and problems, in one transaction. */
import { Failure } from '../../schema/errors.ts'
import type { Transaction } from '../database.ts'
import {
  deleteItem,
  type ItemDetailsColumn,
  type ItemRow,
  insertItem,
  type StoredTag,
  type StoredTags,
  updateItem,
} from '../item-rows.ts'
import { keystringIds } from '../keystrings.ts'
import type { DecodeResult, MediaKind } from '../media/decode.ts'
import type { RenditionSize } from '../media/renditions.ts'
import { extensionOf } from '../media/sniff.ts'
import type { ItemMetadata } from '../metadata/merge.ts'
import { objectByName } from '../objects.ts'
import { personByName } from '../people.ts'
import { setProblems } from '../problems.ts'

/** A file as it lies on the disk. `raw` is its name's bytes, one character each; `name` is for people. */
export interface DiskFile {
  raw: string
  name: string
  size: number
  mtimeSeconds: number
  mtimeNanoseconds: number
}

/** A file of an item with the part it plays. `content` is null for sidecars, which are not keyed. */
export interface UnitFile {
  file: DiskFile
  role: 'main' | 'companion' | 'motion' | 'sidecar'
  content: string | null
  pair: string | null
}

/** Everything about one item, ready to be written. */
export interface FoundUnit {
  collectionId: number
  dirId: number
  /** Of the directory, for display: problems are listed by path. */
  dirPath: string
  files: UnitFile[]
  kind: MediaKind
  result: DecodeResult
  metadata: ItemMetadata
  /** A film belongs to the picture, or lies within its file. */
  motion: boolean
  /** Item whose file went elsewhere: this file is it. */
  movedFrom: number | null
  problems: { raw: string; code: string; reason: string }[]
}

export type Saved = 'new' | 'changed' | 'moved' | 'skipped'

const sizeBits: Record<RenditionSize, number> = { tiny: 1, small: 2, medium: 4, large: 8, variant: 16 }

/** Bits of `items.renditions` for sizes that are in the cache. */
export function renditionBits(sizes: readonly RenditionSize[]): number {
  return sizes.reduce((bits, size) => bits | sizeBits[size], 0)
}

interface KnownItem {
  id: number
  tags: string
  content: string
  thumbhash: string | null
  phash: string | null
  width: number
  height: number
  renditions: number
  taken: number
  taken_offset: number | null
  taken_source: string
  latitude: number | null
  longitude: number | null
  rating: number | null
}

function parseTags(text: string): StoredTags {
  // The column is written by item-rows alone.
  return JSON.parse(text)
}

/** The tag as it shall stand: a user's stays; else the file's, with a new version only when it says something else. */
function fromFile<Data>(before: StoredTag<Data> | undefined, now: Data | undefined): StoredTag<Data> | undefined {
  if (before?.u === 1) return before
  if (JSON.stringify(before?.d) === JSON.stringify(now)) return before
  if (now === undefined) return before === undefined ? undefined : { v: before.v + 1 }
  return { v: (before?.v ?? 0) + 1, d: now }
}

function listFromFile(before: StoredTag<number[]> | undefined, now: number[]): StoredTag<number[]> | undefined {
  return fromFile(before, now.length === 0 ? undefined : now)
}

function place(
  metadata: ItemMetadata,
): { latitude: number | null; longitude: number | null; placeName: string } | undefined {
  const { latitude, longitude, placeName } = metadata
  if (latitude === null && placeName === null) return undefined
  return { latitude, longitude, placeName: placeName ?? '' }
}

/** A box with whom or what it shows. Lengths in thousandths of the longer edge; all 0 where nobody knows where. */
interface Box {
  type: 'person' | 'object'
  subject: number
  x: number
  y: number
  width: number
  height: number
}

/** The boxes that the file tells of, with their people and objects found or made. */
function boxesOfFile(tx: Transaction, { regions, people }: ItemMetadata): Box[] {
  const nowhere = people.map(name => ({ kind: 'person' as const, name, x: 0, y: 0, width: 0, height: 0 }))
  return [...regions, ...nowhere].flatMap(({ kind, name, x, y, width, height }) => {
    const subject = kind === 'person' ? personByName(tx, name) : objectByName(tx, name)
    return subject === null ? [] : [{ type: kind, subject, x, y, width, height }]
  })
}

/** What stands in `regions` and is not the file's to change: users' and faces', and all of a type that a user edited. */
function boxesKept(tx: Transaction, itemId: number, tags: StoredTags): Box[] {
  return tx
    .all<Box & { source: string }>(
      'SELECT type, coalesce(person_id, object_id) AS subject, x, y, width, height, source FROM regions WHERE item_id = ?',
      itemId,
    )
    .filter(box => box.source !== 'file' || isEdited(tags, box.type))
}

function isEdited(tags: StoredTags, type: Box['type']): boolean {
  return (type === 'person' ? tags.People : tags.Object)?.u === 1
}

function writeBoxes(tx: Transaction, itemId: number, tags: StoredTags, boxes: readonly Box[]): void {
  for (const type of ['person', 'object'] as const) {
    if (isEdited(tags, type)) continue
    tx.run("DELETE FROM regions WHERE item_id = ? AND type = ? AND source = 'file'", itemId, type)
    for (const box of boxes) {
      if (box.type !== type) continue
      tx.run(
        `INSERT INTO regions (item_id, type, person_id, object_id, x, y, width, height, source)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'file')`,
        itemId,
        type,
        type === 'person' ? box.subject : null,
        type === 'object' ? box.subject : null,
        box.x,
        box.y,
        box.width,
        box.height,
      )
    }
  }
}

function subjects(boxes: readonly Box[], type: Box['type']): number[] {
  return [...new Set(boxes.filter(box => box.type === type).map(box => box.subject))]
}

/** Sources that are guesses: they place an item in the timeline, but are no tag. */
const guesses = new Set(['name', 'file'])

function tagsOf(tx: Transaction, before: StoredTags, metadata: ItemMetadata, boxes: readonly Box[]): StoredTags {
  const has = (type: Box['type']) => (boxes.some(box => box.type === type) ? (true as const) : undefined)
  const date = metadata.date === null || guesses.has(metadata.date.source) ? undefined : metadata.date.local
  const tags: StoredTags = {
    DateTimeOriginal: fromFile(before.DateTimeOriginal, date),
    Description: fromFile(before.Description, metadata.description ?? undefined),
    Category: listFromFile(before.Category, keystringIds(tx, metadata.category)),
    Keywords: listFromFile(before.Keywords, keystringIds(tx, metadata.keywords)),
    Author: listFromFile(before.Author, keystringIds(tx, metadata.author)),
    Locations: fromFile(before.Locations, place(metadata)),
    People: fromFile(before.People, has('person')),
    Object: fromFile(before.Object, has('object')),
  }
  // Absent tags are left out, not written as undefined.
  return JSON.parse(JSON.stringify(tags))
}

function detailsOf(metadata: ItemMetadata, result: DecodeResult): ItemDetailsColumn {
  const details: ItemDetailsColumn = {
    camera: Object.keys(metadata.camera).length === 0 ? undefined : metadata.camera,
    title: metadata.title ?? undefined,
    altitude: metadata.altitude ?? undefined,
    frameRate: metadata.frameRate ?? undefined,
    videoCodec: metadata.videoCodec ?? undefined,
    audioCodec: metadata.audioCodec ?? undefined,
    orientation: metadata.orientation,
    motionOffset: metadata.motionVideoOffset ?? undefined,
    motionLength: metadata.motionVideoLength ?? undefined,
    frames: result.frames,
  }
  return JSON.parse(JSON.stringify(details))
}

/** Of a file whose renditions were all in the cache nothing was decoded: what is known of the same content serves. */
function sameContent(tx: Transaction, content: string): KnownItem | null {
  return tx.get<KnownItem>(
    `SELECT ${knownColumns} FROM items WHERE content = ? AND thumbhash IS NOT NULL LIMIT 1`,
    content,
  )
}

const knownColumns =
  'id, tags, content, thumbhash, phash, width, height, renditions, taken, taken_offset, taken_source, latitude, longitude, rating'

function rowOf(
  tx: Transaction,
  unit: FoundUnit,
  main: UnitFile,
  known: KnownItem | null,
): { row: ItemRow; boxes: Box[] } {
  const { metadata, result } = unit
  const before = known === null ? {} : parseTags(known.tags)
  const content = result.content ?? ''
  const like = result.thumbhash === undefined && content !== '' ? sameContent(tx, content) : null
  const found = boxesOfFile(tx, metadata)
  const kept = known === null ? [] : boxesKept(tx, known.id, before)
  const boxes = [...found.filter(box => !isEdited(before, box.type)), ...kept]
  const tags = tagsOf(tx, before, metadata, found)
  const editedDate = before.DateTimeOriginal?.u === 1 && known !== null
  const editedPlace = before.Locations?.u === 1
  const reason = unit.problems.find(problem => problem.raw === main.file.raw && placeholders.has(problem.code))?.reason
  const position = editedPlace ? before.Locations?.d : place(metadata)
  return {
    boxes: found,
    row: {
      collectionId: unit.collectionId,
      dirId: unit.dirId,
      name: main.file.name,
      type: unit.kind,
      taken: editedDate ? known.taken : (metadata.date?.seconds ?? main.file.mtimeSeconds),
      takenOffset: editedDate ? known.taken_offset : (metadata.date?.offset ?? null),
      takenSource: editedDate ? known.taken_source : (metadata.date?.source ?? 'file'),
      latitude: position?.latitude ?? null,
      longitude: position?.longitude ?? null,
      rating: metadata.rating ?? (metadata.favorite ? 5 : null),
      width: result.width ?? like?.width ?? metadata.width ?? 0,
      height: result.height ?? like?.height ?? metadata.height ?? 0,
      duration: metadata.duration,
      mime: result.mime ?? '',
      size: main.file.size,
      content,
      thumbhash: result.thumbhash ?? like?.thumbhash ?? null,
      phash: result.phash ?? like?.phash ?? null,
      renditions: renditionBits(result.made) | (like?.renditions ?? 0),
      problem: result.made.length > 0 ? null : (reason ?? null),
      motion: unit.motion,
      tags,
      details: detailsOf(metadata, result),
      people: subjects(boxes, 'person'),
      objects: subjects(boxes, 'object'),
    },
  }
}

/** Problems that leave a placeholder instead of the picture. */
const placeholders = new Set(['unreadable', 'undecodable', 'too-large', 'timeout', 'crashed', 'unsupported'])

interface FileRow {
  id: number
  item_id: number | null
  role: string
}

/** The item that this file is already: by its row, or because its main file is gone and this was its companion. */
function itemOf(tx: Transaction, unit: FoundUnit, main: UnitFile): number | null {
  const row = tx.get<FileRow>(
    'SELECT id, item_id, role FROM files WHERE dir_id = ? AND name_bytes = ?',
    unit.dirId,
    Buffer.from(main.file.raw, 'latin1'),
  )
  if (row === null || row.item_id === null) return null
  if (row.role === 'main') return row.item_id
  if (row.role !== 'companion') return null
  const named = unit.files.map(file => file.file.raw)
  const head = tx.get<{ name_bytes: Uint8Array }>(
    "SELECT name_bytes FROM files WHERE item_id = ? AND role = 'main'",
    row.item_id,
  )
  const headIsHere = head !== null && named.includes(Buffer.from(head.name_bytes).toString('latin1'))
  return headIsHere ? null : row.item_id
}

/** A film or a RAW that had an item of its own loses it to its picture; one that a user has written on is only missing. */
function demote(tx: Transaction, dirId: number, name: Buffer, itemId: number | null): void {
  const before = tx.get<FileRow & { tags: string; taken: number }>(
    `SELECT f.id, f.item_id, f.role, i.tags, i.taken FROM files AS f JOIN items AS i ON i.id = f.item_id
     WHERE f.dir_id = ? AND f.name_bytes = ? AND f.role = 'main'`,
    dirId,
    name,
  )
  if (before === null || before.item_id === null || before.item_id === itemId) return
  const edited = Object.values(parseTags(before.tags)).some(tag => tag.u === 1)
  if (edited) tx.run('UPDATE items SET missing = unixepoch() WHERE id = ?', before.item_id)
  else deleteItem(tx, before.item_id)
  tx.run("UPDATE files SET item_id = NULL, role = 'none' WHERE item_id = ?", before.item_id)
}

function writeFiles(tx: Transaction, unit: FoundUnit, itemId: number | null): void {
  const kept = unit.files.map(({ file, role, content, pair }) => {
    const bytes = Buffer.from(file.raw, 'latin1')
    if (role !== 'main') demote(tx, unit.dirId, bytes, itemId)
    tx.run(
      `INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns, content, pair) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (dir_id, name_bytes) DO UPDATE SET item_id = excluded.item_id, role = excluded.role, size = excluded.size,
         mtime = excluded.mtime, mtime_ns = excluded.mtime_ns, content = excluded.content, pair = excluded.pair,
         full_hash = CASE WHEN content IS excluded.content THEN full_hash END`,
      unit.dirId,
      bytes,
      itemId,
      itemId === null ? 'none' : role,
      file.size,
      file.mtimeSeconds,
      file.mtimeNanoseconds,
      content,
      pair,
    )
    return bytes
  })
  if (itemId === null) return
  // What was the item's before and is not now: files of the place it moved from, a companion that is gone.
  for (const row of tx.all<{ id: number; dir_id: number; name_bytes: Uint8Array }>(
    'SELECT id, dir_id, name_bytes FROM files WHERE item_id = ?',
    itemId,
  )) {
    const stays = row.dir_id === unit.dirId && kept.some(bytes => bytes.equals(row.name_bytes))
    if (!stays) tx.run('DELETE FROM files WHERE id = ?', row.id)
  }
}

/** Path of a file within its collection, for display. */
export function displayPath(dirPath: string, name: string): string {
  return dirPath === '' ? name : `${dirPath}/${name}`
}

function writeProblems(tx: Transaction, unit: FoundUnit, itemId: number | null, job: ScanStamp): void {
  for (const { file } of unit.files) {
    // Whatever has no extension was only looked into: that it is no media is as it should be.
    const guessed = extensionOf(file.name) === ''
    const found = unit.problems.filter(
      ({ raw, code }) => raw === file.raw && !(guessed && (code === 'not-media' || code === 'empty')),
    )
    const path = displayPath(unit.dirPath, file.name)
    setProblems(tx, { collectionId: unit.collectionId, path, itemId, jobId: job.jobId, at: job.nowMs }, found)
  }
}

export interface ScanStamp {
  jobId: number
  /** Milliseconds and whole seconds since the epoch. */
  nowMs: number
  now: number
}

/** Nothing to show and nothing that could be shown one day: no item, only its problem. */
export function isNoItem(unit: FoundUnit): boolean {
  return unit.problems.some(
    problem => problem.raw === unit.files[0]?.file.raw && (problem.code === 'empty' || problem.code === 'not-media'),
  )
}

/**
 * Writes one unit. An item whose file is now empty or no picture keeps its row and what people wrote on it; a file that
 * never was an item becomes none.
 */
export function saveUnit(tx: Transaction, unit: FoundUnit, stamp: ScanStamp): Saved {
  const main = unit.files.find(file => file.role === 'main')
  if (main === undefined) throw new Failure('invalid', 'a unit without a main file')
  const here = itemOf(tx, unit, main)
  const id = unit.movedFrom ?? here
  const buried =
    unit.result.content !== undefined &&
    tx.get(
      'SELECT 1 FROM tombstones WHERE collection_id = ? AND content = ?',
      unit.collectionId,
      unit.result.content,
    ) !== null
  if (id === null && (buried || isNoItem(unit))) {
    writeFiles(tx, unit, null)
    writeProblems(tx, unit, null, stamp)
    return 'skipped'
  }
  const known = id === null ? null : tx.get<KnownItem>(`SELECT ${knownColumns} FROM items WHERE id = ?`, id)
  const { row, boxes } = rowOf(tx, unit, main, known)
  const itemId = known === null ? insertItem(tx, row, stamp.now) : known.id
  if (known !== null) updateItem(tx, itemId, row)
  writeBoxes(tx, itemId, row.tags, boxes)
  writeFiles(tx, unit, itemId)
  writeProblems(tx, unit, itemId, stamp)
  if (known === null) return 'new'
  return unit.movedFrom === null ? 'changed' : 'moved'
}
