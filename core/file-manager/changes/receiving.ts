/** Receives files before their target is known: they have a temporary name until they are placed or removed. */
import type { Failure } from '../../../schema/errors.ts'
import type { DiskPlace } from '../../files/anchor.ts'
import type { Disk } from '../../files/disk.ts'
import { DiskError } from '../../files/disk-error.ts'
import { joinPath } from '../../files/names.ts'
import { fileFailure, namingFailures } from '../file-failures.ts'
import type { FilePlace } from '../places.ts'
import { type Change, folderOf, requireWritablePlace, stoppable, tooLargeFile } from './change-parts.ts'
import { beginAssembly, type HeldFolder, holdFolder, undoAssembly } from './held-folders.ts'

export interface ReceivedFile {
  at: DiskPlace
  size: number
  /** Modification time that the client sent, in milliseconds since the epoch; null if it sent none. */
  modified: number | null
  /** The target folder, if the file is already in it and only needs its name. Otherwise null, as for a replacement. */
  folder: HeldFolder | null
  content(): AsyncGenerator<Uint8Array>
  /** Removes the file unless it was placed. Must always be called; repeated calls do nothing. */
  close(): Promise<void>
}

export interface Receiving {
  /** The target folder, or the file to replace; null while unknown. */
  place: FilePlace | null
  /** Milliseconds since the epoch. */
  modified?: number
  maxBytes: number
  /** The failure to throw above `maxBytes`; without it, the failure for a file that is too large. */
  tooLarge?: () => Failure
  signal?: AbortSignal
}

function holdTarget(change: Change, place: FilePlace): { at: DiskPlace; isFolder: boolean; held: HeldFolder } {
  const isFolder = change.places.requireEntry(place).kind === 'dir'
  requireWritablePlace(place)
  const folder = isFolder ? place : folderOf(place)
  return { at: folder.at, isFolder, held: namingFailures(place, () => holdFolder(change, folder)) }
}

/** The cache directory, for files whose target is unknown. */
function cacheFolder({ cache }: Change): ReturnType<typeof holdTarget> {
  const at: DiskPlace = { root: cache, path: Buffer.of() }
  return { at, isFolder: false, held: { at, isHeld: false, changed: async () => null, close() {} } }
}

/**
 * Receives a file from a stream into the target folder; the caller closes it. Throws `tooLarge` above `maxBytes`. After
 * an abort or an error no file is left; after a crash, the journal removes it.
 */
export async function receiveFile(
  change: Change,
  content: AsyncIterable<Uint8Array>,
  { place, modified, maxBytes, tooLarge = () => tooLargeFile(change), signal }: Receiving,
): Promise<ReceivedFile> {
  const { disk } = change
  const { at: into, isFolder, held } = place === null ? cacheFolder(change) : holdTarget(change, place)
  const started = await beginAssembly(change, into)
  const at: DiskPlace = { root: held.at.root, path: joinPath(held.at.path, started.temporary) }
  let isOpen = true
  async function close() {
    if (!isOpen) return
    isOpen = false
    try {
      await undoAssembly(change, started, held)
    } finally {
      held.close()
    }
  }
  let size = 0
  async function* counted() {
    for await (const piece of stoppable(content, signal)) {
      size += piece.length
      if (size > maxBytes) throw tooLarge()
      yield piece
    }
  }
  try {
    await disk.writeUnhashed(at, counted(), modified === undefined ? {} : { modified: modified / 1000 })
    const folder = isFolder ? held : null
    return { at, size, modified: modified ?? null, folder, content: () => contentAt(disk, at), close }
  } catch (error) {
    await close()
    const isFull = error instanceof DiskError && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(error.code)
    throw fileFailure(error, isFull || place === null ? 'The file' : place)
  }
}

/** Reads a file, which is opened when the first chunk is requested. */
async function* contentAt(disk: Disk, at: DiskPlace): AsyncGenerator<Uint8Array> {
  yield* disk.open(at).stream()
}
