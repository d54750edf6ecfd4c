/** Writes what a scan read about one item: the item, its files, regions and problems, in one transaction. */
import { eq } from 'drizzle-orm'
import { Failure } from '../../schema/errors.ts'
import { items } from '../../schema/tables/items.ts'
import { joinAlbumsOfFiles } from '../albums/albums-of-files.ts'
import { reconcileFaces, referenceFacesOf } from '../editing/boxes/box-faces.ts'
import { matchFaces } from '../editing/boxes/face-matches.ts'
import { type ItemToEdit, itemToEdit } from '../editing/item-edit.ts'
import { withoutLookedUpName } from '../editing/item-parts.ts'
import { dropFiles, setMissing } from '../items/item-files.sql.ts'
import {
  type ItemDetailsColumn,
  type ItemRow,
  parseTags,
  type StoredPlace,
  type StoredTag,
  type StoredTags,
} from '../items/item-row.ts'
import { insertItem, updateItem } from '../items/item-rows.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import type { RenditionSize } from '../media/cache/renditions.ts'
import type { DecodeResult } from '../media/decode/decode.ts'
import { placeholderCodes } from '../media/media-problem.ts'
import type { ItemMetadata } from '../metadata/merge.ts'
import { isGuess } from '../metadata/write/written-tags.ts'
import {
  displayPath,
  type FoundUnit,
  isNoItem,
  problemsToReport,
  type SaveResult,
  type UnitFile,
} from '../survey/found-unit.ts'
import { keystringsOfFile } from '../words/renamed.ts'
import { setProblems } from '../work/problems.ts'
import { boxesOfFile, isEdited, protectedBoxes, type SubjectBox, subjectIds, writeBoxesOfFile } from './file-regions.ts'
import { recordImport, replaceValues } from './file-wins.ts'
import { knownItem, knownOfContent, putPictureHash, tombstoneOf } from './scan.sql.ts'
import { mainFileOf } from './unit-files.sql.ts'
import { adoptItemOfPart, hasPairedFilm, itemOf, writeFiles } from './unit-files.ts'

const sizeBits: Record<RenditionSize, number> = { tiny: 1, small: 2, medium: 4, large: 8, variant: 16 }

/** Bits of `items.renditions` for sizes that are in the cache. */
export function renditionBits(sizes: readonly RenditionSize[]): number {
  return sizes.reduce((bits, size) => bits | sizeBits[size], 0)
}

type KnownItem = RowOfQuery<typeof knownItem>

/** The resulting tag: a user's tag is kept; otherwise the file's, with a new version only if it differs. */
function mergeFileTag<Data>(before: StoredTag<Data> | undefined, now: Data | undefined): StoredTag<Data> | undefined {
  if (before?.u === 1) return before
  if (JSON.stringify(withoutLookedUpName(before?.d)) === JSON.stringify(now)) return before
  if (now === undefined) return before === undefined ? undefined : { v: before.v + 1 }
  return { v: (before?.v ?? 0) + 1, d: now }
}

function storedPlace({ latitude, longitude, placeName }: ItemMetadata): StoredPlace | undefined {
  if (latitude === null && placeName === null) return undefined
  return { latitude, longitude, placeName: placeName ?? '' }
}

function tagsOf(tx: Transaction, before: StoredTags, metadata: ItemMetadata, boxes: readonly SubjectBox[]): StoredTags {
  const has = (type: SubjectBox['type']) => (boxes.some(box => box.type === type) ? (true as const) : undefined)
  const date = metadata.date === null || isGuess(metadata.date.source) ? undefined : metadata.date.local
  const ofItem = [before.Category, before.Keywords, before.Author].flatMap(tag => tag?.d ?? [])
  // A user's list is kept, and the file's keystrings are not created for it.
  const words = (tag: StoredTag<number[]> | undefined, inFile: readonly string[]) => {
    if (tag?.u === 1) return tag
    const ids = keystringsOfFile(tx, inFile, ofItem)
    return mergeFileTag(tag, ids.length === 0 ? undefined : ids)
  }
  const tags: StoredTags = {
    DateTimeOriginal: mergeFileTag(before.DateTimeOriginal, date),
    Description: mergeFileTag(before.Description, metadata.description ?? undefined),
    Category: words(before.Category, metadata.category),
    Keywords: words(before.Keywords, metadata.keywords),
    Author: words(before.Author, metadata.author),
    Locations: mergeFileTag(before.Locations, storedPlace(metadata)),
    People: mergeFileTag(before.People, has('person')),
    Object: mergeFileTag(before.Object, has('object')),
    Rating: before.Rating,
  }
  // Absent tags are omitted, not written as undefined.
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

function rowOf(
  tx: Transaction,
  unit: FoundUnit,
  main: UnitFile,
  known: KnownItem | null,
): { row: ItemRow; boxes: SubjectBox[] } {
  const { metadata, result } = unit
  const before = known === null ? {} : parseTags(known.tags)
  const content = result.content ?? ''
  // When all renditions were in the cache, nothing was decoded: uses the values of an item with the same content.
  const sameContent = result.thumbhash === undefined && content !== '' ? tx.get(knownOfContent, content) : null
  const found = boxesOfFile(tx, metadata)
  const kept = known === null ? [] : protectedBoxes(tx, known.id, before)
  const boxes = [...found.filter(box => !isEdited(before, box.type)), ...kept]
  const tags = tagsOf(tx, before, metadata, found)
  const isDateEdited = before.DateTimeOriginal?.u === 1 && known !== null
  const isPlaceEdited = before.Locations?.u === 1
  const reason = unit.problems.find(
    problem => problem.raw === main.file.raw && placeholderCodes.has(problem.code),
  )?.reason
  const position = isPlaceEdited ? before.Locations?.d : storedPlace(metadata)
  return {
    boxes: found,
    row: {
      collectionId: unit.collectionId,
      dirId: unit.dirId,
      name: main.file.name,
      type: unit.kind,
      taken: isDateEdited ? known.taken : (metadata.date?.seconds ?? main.file.mtimeSeconds),
      takenOffset: isDateEdited ? known.takenOffset : (metadata.date?.offset ?? null),
      takenSource: isDateEdited ? known.takenSource : (metadata.date?.source ?? 'file'),
      latitude: position?.latitude ?? null,
      longitude: position?.longitude ?? null,
      rating: before.Rating?.u === 1 ? (before.Rating.d ?? null) : (metadata.rating ?? (metadata.favorite ? 5 : null)),
      width: result.width ?? sameContent?.width ?? metadata.width ?? 0,
      height: result.height ?? sameContent?.height ?? metadata.height ?? 0,
      duration: metadata.duration,
      mime: result.mime ?? '',
      size: main.file.size,
      content,
      thumbhash: result.thumbhash ?? sameContent?.thumbhash ?? null,
      phash: result.phash ?? sameContent?.phash ?? null,
      renditions: renditionBits(result.made) | (sameContent?.renditions ?? 0),
      problem: result.made.length > 0 ? null : (reason ?? null),
      motion: unit.motion || (known !== null && hasPairedFilm(tx, known.id, main)),
      tags,
      details: detailsOf(metadata, result),
      people: subjectIds(boxes, 'person'),
      objects: subjectIds(boxes, 'object'),
    },
  }
}

function writeProblems(tx: Transaction, unit: FoundUnit, itemId: number | null, job: ScanStamp): void {
  const found = Map.groupBy(problemsToReport(unit), ({ raw }) => raw)
  for (const { file } of unit.files) {
    const path = displayPath(unit.dirPath, file.name)
    const where = { collectionId: unit.collectionId, path, itemId, jobId: job.jobId, at: job.nowMs }
    setProblems(tx, where, found.get(file.raw) ?? [])
  }
}

export interface ScanStamp {
  jobId: number
  /** Milliseconds and whole seconds since the epoch. */
  nowMs: number
  now: number
  /** Values in files replace those of users. */
  fileWins?: boolean
}

/** Marks an item as missing because another item's file has taken its place, unless the two changed places. */
function markReplacedItemMissing(tx: Transaction, id: number, now: number): void {
  if (tx.get(mainFileOf, id) !== null) return
  tx.run(setMissing, now, id)
  tx.run(dropFiles, id)
}

/** Writes one unit. If its file is empty or broken, an existing item is kept, but no new one is created. */
export function saveUnit(tx: Transaction, unit: FoundUnit, stamp: ScanStamp): SaveResult {
  const main = unit.files.find(file => file.role === 'main')
  if (main === undefined) throw new Failure('invalid', 'a unit without a main file')
  const here = itemOf(tx, unit, main)
  const existing = unit.movedFrom ?? here
  const id = existing ?? adoptItemOfPart(tx, unit, main)
  const { content } = unit.result
  const isPurged = content !== undefined && tx.get(tombstoneOf, unit.collectionId, content) !== null
  if (id === null && (isPurged || isNoItem(unit))) {
    writeFiles(tx, unit, null)
    writeProblems(tx, unit, null, stamp)
    return 'skipped'
  }
  const known = id === null ? null : tx.get(knownItem, id)
  const references = known === null ? null : referenceFacesOf(tx, known.id)
  let beforeImport: ItemToEdit | null = null
  if (known !== null && stamp.fileWins === true) {
    beforeImport = itemToEdit(tx, known.id)
    const freed = replaceValues(tx, known.id, parseTags(known.tags), unit.metadata, boxesOfFile(tx, unit.metadata))
    if (freed === null) beforeImport = null
    else known.tags = JSON.stringify(freed)
  }
  const { row, boxes } = rowOf(tx, unit, main, known)
  const itemId = known === null ? insertItem(tx, row, stamp.now) : known.id
  const write = (columns: Partial<typeof items.$inferInsert>) =>
    tx.orm.update(items).set(columns).where(eq(items.id, itemId)).run()
  const { rotation, recycled } = unit.metadata
  // A new item takes its file's rotation, as does an adopted one (`adoptItemOfPart`). Later the library's wins.
  if (existing === null && rotation !== null) write({ rotation })
  // A new item gets the full time in the bin: its sidecar may come from another library.
  if (known === null && recycled === true) write({ deleted: stamp.now })
  if (known !== null) {
    updateItem(tx, itemId, row)
    if (known.missing !== null) write({ missing: null })
  }
  writeBoxesOfFile(tx, itemId, row.tags, boxes)
  const gone = references === null ? [] : reconcileFaces(tx, itemId, references)
  if (unit.result.pictureHash !== undefined) tx.run(putPictureHash, itemId, unit.result.pictureHash)
  // Later the library's albums win over what the files name.
  if (known === null) joinAlbumsOfFiles(tx, itemId, unit.metadata.albums ?? [], stamp.now)
  // New regions may turn faces into known ones.
  matchFaces(tx, itemId)
  writeFiles(tx, unit, itemId)
  if (here !== null && here !== itemId) markReplacedItemMissing(tx, here, stamp.now)
  writeProblems(tx, unit, itemId, stamp)
  recordImport(tx, beforeImport, itemId, gone)
  if (known === null) return 'new'
  // An item that was missing and is back at its place has not moved.
  return unit.movedFrom === null || (known.dirId === row.dirId && known.name === row.name) ? 'changed' : 'moved'
}
