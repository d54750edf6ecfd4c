/** Creates folders and files, saves texts and uploads: each file is written atomically. */
import { Failure, sentence } from '../../../schema/errors.ts'
import type { PlaceFacts } from '../../files/disk.ts'
import { joinPath } from '../../files/names.ts'
import { type FileFacts, versionOf } from '../../files/open-file.ts'
import type { WriteOptions } from '../../files/write-whole.ts'
import { fileFailure, namingFailures } from '../file-failures.ts'
import { itemAt, mainItemAt } from '../item-at.ts'
import type { FilePlace } from '../places.ts'
import { newName } from '../virtual-path.ts'
import {
  type Change,
  changedMeanwhile,
  folderOf,
  nameOfPlace,
  nameTaken,
  refusalAt,
  requireFolder,
  requireWritablePlace,
  statOf,
  stoppable,
  tooLargeFile,
} from './change-parts.ts'
import { type HeldFolder, holdFolder, writeInto } from './held-folders.ts'
import type { ReceivedFile } from './receiving.ts'
import { replacePicture } from './replaced-picture.ts'

export interface FileUpload {
  /** Name of the file in the folder; ignored when a file is replaced. */
  name: string
  /** Replaces a file with that name; otherwise a taken name is a `conflict`. */
  overwrite?: boolean
  /** Milliseconds since the epoch: the file's modification time at its source. */
  modified?: number
  /** Length in bytes, if the sender announces it. */
  length?: number | null
  /** Version of the file on which this one is based: if the file has changed since, it is not replaced (`changed`). */
  version?: string
}

type Content = Uint8Array | AsyncIterable<Uint8Array>

/** Whether the file still has the version that the user saw. `tag`: an ETag, which a proxy may have weakened. */
function hasVersion(now: FileFacts, tag: string): boolean {
  const version = tag.replace(/^W\//, '').replaceAll('"', '')
  return version === versionOf(now) || version.startsWith(`${versionOf(now)}-`)
}

async function* counted(
  change: Change,
  content: AsyncIterable<Uint8Array>,
  { length, min }: { length: number | null; min: number },
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of stoppable(content, change.signal)) {
    size += piece.length
    if (size > change.limit) throw tooLargeFile(change)
    yield piece
  }
  if (length !== null && size !== length)
    throw new Failure('invalid', sentence`${size} of ${length} bytes arrived: send the file again.`, { field: 'file' })
  if (size < min) throw new Failure('invalid', 'The file that was sent is empty.', { field: 'file' })
}

/** Synchronizes the library with a folder, whatever its path is now. */
async function synchronize({ synchronizer, viewer }: Change, folder: HeldFolder): Promise<void> {
  const changed = await folder.changed()
  if (changed !== null) await synchronizer.synchronize(viewer, [changed])
}

/** Writes a file into the requested folder, whatever its path is now, and synchronizes the library. */
async function write(change: Change, place: FilePlace, content: Content, how: WriteOptions): Promise<void> {
  const held = namingFailures(place, () => holdFolder(change, folderOf(place)))
  try {
    await writeInto(change, { place, held }, content, how).catch((error: unknown) => {
      throw refusalAt(place, error)
    })
    await synchronize(change, held)
  } finally {
    held.close()
  }
}

/** Replaces a file; the previous bytes of a library file are kept. */
async function replace(
  change: Change,
  { place, before }: { place: FilePlace; before: PlaceFacts },
  content: Content,
  more: { modified?: number } = {},
): Promise<void> {
  try {
    const item = itemAt(change.db, place)
    if (item !== null) await change.kept.keep(item.itemId, place.at, nameOfPlace(place))
  } catch (error) {
    throw fileFailure(error, place)
  }
  await write(change, place, content, { replace: true, expected: before, ...more })
}

/** Renames a file that is already in its folder. Returns false if it is not, needs another time or replaces a file. */
async function placeByRename(
  change: Change,
  place: FilePlace,
  request: FileUpload,
  { folder, modified, at }: ReceivedFile,
): Promise<boolean> {
  if (folder === null || (request.modified ?? null) !== modified) return false
  const target = change.places.within(place, newName(request.name))
  await change.places.requireUnhidden(change.viewer, target)
  try {
    change.disk.move(at, { root: folder.at.root, path: joinPath(folder.at.path, nameOfPlace(target)) })
  } catch (error) {
    if (request.overwrite === true && error instanceof Failure && error.code === 'conflict') return false
    throw refusalAt(target, error)
  }
  await synchronize(change, folder)
  return true
}

/** Returns the place of a new entry. Throws if its name is taken or invalid, or if a hidden file has it. */
async function requireFree(change: Change, folder: FilePlace, name: string): Promise<FilePlace> {
  const { places, viewer } = change
  requireFolder(places, folder)
  requireWritablePlace(folder)
  const place = places.within(folder, newName(name))
  await places.requireUnhidden(viewer, place)
  if (statOf(change, place) !== null) throw nameTaken(place.virtual)
  return place
}

export async function createFolder(change: Change, folder: FilePlace, name: string): Promise<void> {
  const place = await requireFree(change, folder, name)
  try {
    change.disk.createDirectory(place.at)
  } catch (error) {
    throw refusalAt(place, error)
  }
}

export async function createFile(change: Change, folder: FilePlace, name: string): Promise<void> {
  await write(change, await requireFree(change, folder, name), new Uint8Array(0), {})
}

export async function saveText(change: Change, place: FilePlace, content: string, version?: string): Promise<string> {
  const before = change.places.requireEntry(place)
  if (before.kind !== 'file') throw new Failure('invalid', sentence`${place.virtual} is a folder.`, { field: 'path' })
  requireWritablePlace(place)
  const bytes = Buffer.from(content)
  if (version !== undefined && !hasVersion(before, version)) {
    // Whether the file has the new bytes already, because the response to an earlier attempt was lost.
    const isSaved = () => before.size === bytes.length && bytes.equals(change.disk.read(place.at, before.size))
    if (namingFailures(place, isSaved)) return content
    throw changedMeanwhile(place)
  }
  if (bytes.length > change.limit) throw tooLargeFile(change)
  await replace(change, { place, before }, bytes)
  return content
}

export async function uploadFile(
  change: Change,
  place: FilePlace,
  request: FileUpload,
  sent: AsyncIterable<Uint8Array> | ReceivedFile,
): Promise<void> {
  const { db, places, limit, viewer } = change
  if ('folder' in sent && (await placeByRename(change, place, request, sent))) return
  const content = 'folder' in sent ? sent.content() : sent
  const facts = places.requireEntry(place)
  requireWritablePlace(place)
  const { length = null } = request
  if ((length ?? 0) > limit) throw tooLargeFile(change)
  const isFile = facts.kind === 'file'
  const target = isFile ? place : places.within(place, newName(request.name))
  if (!isFile) await places.requireUnhidden(viewer, target)
  const there = isFile ? facts : statOf(change, target)
  const replaces = there !== null && (isFile || request.overwrite === true)
  if (there !== null && !replaces) throw nameTaken(target.virtual)
  if (there !== null && there.kind !== 'file')
    throw new Failure('conflict', sentence`${target.virtual} is not a file and is not replaced.`, { field: 'name' })
  if (there !== null && request.version !== undefined && !hasVersion(there, request.version))
    throw changedMeanwhile(target)
  // Replacing a picture by an empty file is a mistake, but a new file may be empty.
  const pieces = counted(change, content, { length, min: replaces ? 1 : 0 })
  const more = request.modified === undefined ? {} : { modified: request.modified / 1000 }
  if (there === null) return write(change, target, pieces, more)
  const old = { place: target, before: there }
  const itemId = mainItemAt(db, target)
  if (itemId === null) return replace(change, old, pieces, more)
  await replacePicture(change, { ...old, itemId }, pieces, (bytes, modified) =>
    replace(change, old, bytes, { modified, ...more }),
  )
}
