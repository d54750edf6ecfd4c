/** What the file manager changes: one function an action, each whole or not at all, and followed by the library at once. */
import { Failure } from '../../../schema/errors.ts'
import { channels } from '../../../schema/realtime.ts'
import { demandGlobalAdmin, type Viewer } from '../../accounts/access.ts'
import { closeUnit, holderOfProcess, writeJournal } from '../../journal/journal.ts'
import type { Place } from '../places.ts'
import { archiveItems } from './archive.ts'
import { createBringIn } from './bring-in.ts'
import type { ChangeParts } from './change-parts.ts'
import { createClaims } from './claims.ts'
import { createDeleting } from './deleting.ts'
import { createKeptBytes } from './kept-bytes.ts'
import type { LaneWork } from './lane-work.ts'
import { createMoving } from './moving.ts'
import { createReceiving, type ReceivedFile, type Receiving } from './receiving.ts'
import { createUnarchiving } from './unarchive.ts'
import { createWriting, type FileUpload } from './writing.ts'

export type { FileUpload, ReceivedFile }

/**
 * All functions take places that `Places.find` gave for this very request, and ask for global admins once more. They throw
 * Failures: `denied` for a read-only collection, a link or a root, `conflict` for a taken name, for what a managed
 * collection forbids and for what holds or would replace hidden files, `busy` while a job works on the collection, `invalid` for bad names. What was begun is taken back.
 */
export function createFileActions(parts: Omit<ChangeParts, 'bringIn' | 'kept'> & { lanes: LaneWork }) {
  const bringIn = createBringIn(parts)
  const claims = createClaims()
  const change: ChangeParts = { ...parts, bringIn, kept: createKeptBytes(parts) }
  const writing = createWriting(change)
  const moving = createMoving({ ...change, lanes: parts.lanes, claims })
  const deleting = createDeleting({ ...change, claims })
  const unarchiving = createUnarchiving(change)
  const receiving = createReceiving(change)

  /**
   * A row in the journal until the library has followed: whoever finds it after a kill looks through the collections. It
   * names no file that there is anything to do with.
   */
  async function followed<T>(
    viewer: Viewer,
    places: readonly Place[],
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const inside = places.find(({ collection }) => collection !== null)
    if (inside === undefined) return work()
    const unit = crypto.randomUUID()
    const { db, clock } = parts
    await db.transact(viewer, tx => {
      const entry = { unit, operation: 'write' as const, itemId: null, hash: null, size: 0 }
      const mark = { ...entry, source: inside.at, destination: null, temporary: null }
      writeJournal(tx, holderOfProcess(), [mark], clock.now())
    })
    const failures = bringIn.failures()
    // What was foreseen has been taken back. After anything else nobody knows: the next start looks through the collections.
    let isClear = false
    try {
      const result = await work()
      isClear = bringIn.failures() === failures
      return result
    } catch (error) {
      const wasForeseen = error instanceof Failure || signal?.aborted === true
      isClear = wasForeseen && bringIn.failures() === failures
      throw error
    } finally {
      if (isClear) await db.transact(viewer, tx => closeUnit(tx, unit))
    }
  }

  /** Browsers that show a folder ask for it again: also where some of it was done before it failed. */
  async function told<T>(viewer: Viewer, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      await parts.db
        .transact(viewer, tx => tx.event(channels.files, { action: 'update' }))
        .catch((error: unknown) => parts.log.warn('browsers were not told of a change', { error }))
    }
  }

  const changing: typeof followed = (viewer, ...more) => told(viewer, () => followed(viewer, ...more))
  const { demandNoneHidden } = parts.places

  return {
    /** Bytes of the largest file that may be uploaded. */
    limit: parts.limit,

    /** Makes an empty folder in a folder. */
    async newFolder(viewer: Viewer, folder: Place, name: string): Promise<void> {
      demandGlobalAdmin(viewer)
      await told(viewer, () => writing.newFolder(viewer, folder, name))
    },

    /** Makes an empty file in a folder. */
    async newFile(viewer: Viewer, folder: Place, name: string): Promise<void> {
      demandGlobalAdmin(viewer)
      await changing(viewer, [folder], () => writing.newFile(viewer, folder, name))
    },

    /** Gives a file that is there another content, and answers it. `changed` where it is not of that `version` any more. */
    async save(viewer: Viewer, file: Place, content: string, version?: string): Promise<string> {
      demandGlobalAdmin(viewer)
      return changing(viewer, [file], () => writing.save(viewer, file, content, version))
    },

    /** Takes a file in while it is not known yet what it will be called, or where it goes: `upload` brings it there. */
    async receive(viewer: Viewer, content: AsyncIterable<Uint8Array>, how: Receiving): Promise<ReceivedFile> {
      demandGlobalAdmin(viewer)
      return receiving.receive(viewer, content, how)
    },

    /**
     * Takes a file in from a stream, or one that was received. `place` is the folder, or a file that is to be replaced (a cropped picture). Aborting
     * leaves nothing. `tooLarge` for more than `limit` bytes.
     */
    async upload(
      viewer: Viewer,
      place: Place,
      asked: FileUpload,
      content: AsyncIterable<Uint8Array> | ReceivedFile,
      signal?: AbortSignal,
    ): Promise<void> {
      demandGlobalAdmin(viewer)
      await changing(viewer, [place], () => writing.upload(viewer, place, asked, content, signal), signal)
    },

    /** Gives a file or folder another name where it is. */
    async rename(viewer: Viewer, item: Place, name: string, signal?: AbortSignal): Promise<void> {
      demandGlobalAdmin(viewer)
      await demandNoneHidden(viewer, [item], 'item')
      await changing(viewer, [item], () => moving.rename(viewer, item, name, signal), signal)
    },

    /** Moves files and folders into a folder, under the names that they have. */
    async move(viewer: Viewer, items: readonly Place[], target: Place, signal?: AbortSignal): Promise<void> {
      demandGlobalAdmin(viewer)
      await demandNoneHidden(viewer, items)
      await changing(viewer, [...items, target], () => moving.move(viewer, items, target, signal), signal)
    },

    /** Deletes files and folders with all that is in them: all of them, or none. */
    async remove(viewer: Viewer, items: readonly Place[]): Promise<void> {
      demandGlobalAdmin(viewer)
      await demandNoneHidden(viewer, items)
      await changing(viewer, items, () => deleting.remove(viewer, items))
    },

    /** Packs files and folders into a new zip in a folder; '.zip' is put to a name that lacks it. */
    async archive(
      viewer: Viewer,
      folder: Place,
      items: readonly Place[],
      name: string,
      signal?: AbortSignal,
    ): Promise<void> {
      demandGlobalAdmin(viewer)
      await demandNoneHidden(viewer, items)
      await told(viewer, () => archiveItems(change, viewer, { folder, items, name }, signal))
    },

    /** Unpacks a zip into a folder: all of it under names that are free, or nothing. */
    async unarchive(viewer: Viewer, folder: Place, archive: Place, signal?: AbortSignal): Promise<void> {
      demandGlobalAdmin(viewer)
      await changing(viewer, [folder], () => unarchiving.unarchive(viewer, folder, archive, signal), signal)
    },

    /** Removes what was kept of replaced files for long enough. */
    sweep: (): Promise<void> => change.kept.prune(),

    /** Waits for what is being brought into the library, and lets go of its decoders. */
    close: () => bringIn.close(),
  }
}

export type FileActions = ReturnType<typeof createFileActions>
