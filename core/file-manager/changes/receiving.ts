/** Files that arrive before all is said of them: held under a name of ours until they get their own, or go. */
import type { Failure } from '../../../schema/errors.ts'
import type { DiskPlace } from '../../files/anchor.ts'
import type { Disk } from '../../files/disk.ts'
import { DiskError } from '../../files/disk-error.ts'
import { joinPath } from '../../files/names.ts'
import { fileFailure, namingFailures } from '../file-failures.ts'
import type { FilePlace } from '../places.ts'
import { type Change, demandWritable, folderOf, stoppable, tooLargeFile } from './change-parts.ts'
import { type HeldFolder, holdFolder, openFolder, undoFolder } from './held-folders.ts'

/** A file that is here whole, and nowhere to be seen. */
export interface ReceivedFile {
  at: DiskPlace
  size: number
  /** Milliseconds since the epoch, as its own time was said when it came; null where none was. */
  modified: number | null
  /**
   * The folder that it was sent to, and is in: there a free name is all that it needs. Null where it lies elsewhere.
   */
  folder: HeldFolder | null
  content(): AsyncGenerator<Uint8Array>
  /** Removes it, unless it has got its place. To be called in any case; once is enough. */
  close(): Promise<void>
}

export interface Receiving {
  /** The folder that it is sent to, or the file that it is to replace; null where nobody has said so yet. */
  place: FilePlace | null
  /** Milliseconds since the epoch. */
  modified?: number
  /** This many bytes are taken, and not one more. */
  most: number
  /** What is notified of more, where that is not what one file may have. */
  tooLarge?: () => Failure
  signal?: AbortSignal
}

/** Of a file that is to be replaced, the folder that it is in. */
function heldFor(change: Change, place: FilePlace): { at: DiskPlace; isFolder: boolean; held: HeldFolder } {
  const isFolder = change.places.look(place).kind === 'dir'
  demandWritable(place)
  const folder = isFolder ? place : folderOf(place)
  return { at: folder.at, isFolder, held: namingFailures(place, () => holdFolder(change, folder)) }
}

/** Who may go where is not known yet: it waits in the data directory. */
function waiting({ cache }: Change): ReturnType<typeof heldFor> {
  const at: DiskPlace = { root: cache, path: Buffer.of() }
  return { at, isFolder: false, held: { at, isHeld: false, changed: async () => null, close() {} } }
}

/**
 * Takes a file in from a stream, into the folder that it is sent to. `tooLarge` for more than `most` bytes; aborting, or
 * a stream that fails, leaves nothing. The caller closes what is answered. A row of the journal sees to it that nothing of
 * it stays when this process is killed.
 */
export async function receiveFile(
  change: Change,
  content: AsyncIterable<Uint8Array>,
  { place, modified, most, tooLarge = () => tooLargeFile(change), signal }: Receiving,
): Promise<ReceivedFile> {
  const { disk } = change
  const { at: into, isFolder, held } = place === null ? waiting(change) : heldFor(change, place)
  const started = await openFolder(change, into)
  const at: DiskPlace = { root: held.at.root, path: joinPath(held.at.path, started.temporary) }
  let isOpen = true
  async function close() {
    if (!isOpen) return
    isOpen = false
    try {
      await undoFolder(change, started, held)
    } finally {
      held.close()
    }
  }
  let size = 0
  async function* counted() {
    for await (const piece of stoppable(content, signal)) {
      size += piece.length
      if (size > most) throw tooLarge()
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

/** Opened when the first piece is requested. */
async function* contentAt(disk: Disk, at: DiskPlace): AsyncGenerator<Uint8Array> {
  yield* disk.open(at).stream()
}
