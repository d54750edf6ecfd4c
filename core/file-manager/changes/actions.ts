/** Changes of the file manager: one function per action, each atomic and synchronized with the library at once. */
import { Failure } from '../../../schema/errors.ts'
import { channels } from '../../../schema/realtime.ts'
import { requireGlobalAdmin, terminalViewer, type Viewer } from '../../accounts/access.ts'
import { closeUnit } from '../../journal/journal.ts'
import { beginUnit } from '../../moving/journal-units.ts'
import type { FilePlace } from '../places.ts'
import { archiveItems } from './archive.ts'
import type { Change, ChangeParts } from './change-parts.ts'
import { removeItems } from './deleting.ts'
import { createKeptBytes } from './kept-bytes.ts'
import { moveItems, renameItem, resumeMove } from './moving.ts'
import { createPlaceLocks } from './place-locks.ts'
import { type ReceivedFile, type Receiving, receiveFile } from './receiving.ts'
import { createSynchronizer } from './synchronizer.ts'
import { unarchiveInto } from './unarchive.ts'
import { createFile, createFolder, saveText, uploadFile } from './writing.ts'

/** Keeps a row in the journal until `work` has changed and synchronized: after a crash, recovery scans the collection. */
async function withJournalRow<T>(change: Change, places: readonly FilePlace[], work: () => Promise<T>): Promise<T> {
  const { db, synchronizer, viewer, signal } = change
  const inside = places.find(({ collection }) => collection !== null)
  if (inside === undefined) return work()
  const unit = await beginUnit(change, viewer, [{ operation: 'write', source: inside.at }])
  const failures = synchronizer.failures()
  // Whether the change is synchronized or was rolled back. If neither is certain, the next start scans the collection.
  let isClear = false
  try {
    const result = await work()
    isClear = synchronizer.failures() === failures
    return result
  } catch (error) {
    const wasExpected = error instanceof Failure || signal?.aborted === true
    isClear = wasExpected && synchronizer.failures() === failures
    throw error
  } finally {
    if (isClear) await db.transact(viewer, tx => closeUnit(tx, unit))
  }
}

/** Makes browsers reload the folders that they show, even if a change failed after a part of it was done. */
async function notifyingBrowsers<T>({ db, log, viewer }: Change, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await db
      .transact(viewer, tx => tx.event(channels.files, { action: 'update' }))
      .catch((error: unknown) => log.warn('browsers could not be notified of a change', { error }))
  }
}

/** Which places an action checks before its change, and records in the journal. */
interface ActionChecks<Args extends unknown[]> {
  /** Places that change: see `withJournalRow`. */
  touched?: (args: Args) => readonly FilePlace[]
  /** Places below which nothing may be hidden (409), and the field that the failure names. */
  unhidden?: (args: Args) => [places: readonly FilePlace[], field?: string]
}

/**
 * All functions take places that `find` returned, and require a global admin. Failures: `denied` for a read-only
 * collection or a link; `conflict` for a taken name, hidden files, a root, or a change that a managed collection
 * forbids; `busy` while a job uses the collection; `invalid` for bad names. A failure or abort undoes everything except
 * completed moves.
 */
export function createFileActions(base: Omit<ChangeParts, 'synchronizer' | 'kept' | 'locks'>) {
  const synchronizer = createSynchronizer(base)
  const parts: ChangeParts = { ...base, synchronizer, kept: createKeptBytes(base), locks: createPlaceLocks() }
  base.lanes.setResumeMove((move, how) =>
    resumeMove({ ...parts, viewer: terminalViewer, signal: how.signal }, move, how),
  )

  function action<Args extends unknown[], T>(
    work: (change: Change, ...args: Args) => Promise<T>,
    { touched, unhidden }: ActionChecks<NoInfer<Args>> = {},
  ) {
    return async (viewer: Viewer, ...given: [...args: Args, signal?: AbortSignal]): Promise<T> => {
      requireGlobalAdmin(viewer)
      const change: Change = { ...parts, viewer, signal: given.find(one => one instanceof AbortSignal) }
      const args = given as unknown as Args
      if (unhidden !== undefined) await base.places.requireNoneHidden(viewer, ...unhidden(args))
      return notifyingBrowsers(change, () => withJournalRow(change, touched?.(args) ?? [], () => work(change, ...args)))
    }
  }

  return {
    /** Largest size of an uploaded file in bytes. */
    limit: base.limit,

    createFolder: action(createFolder),
    createFile: action(createFile, { touched: ([folder]) => [folder] }),

    /** Replaces and returns the content of a file. Throws `changed` if the file no longer has that `version`. */
    save: action(saveText, { touched: ([file]) => [file] }),

    /** Receives a file before its name or folder is known; `upload` places it. */
    async receive(viewer: Viewer, content: AsyncIterable<Uint8Array>, how: Receiving): Promise<ReceivedFile> {
      requireGlobalAdmin(viewer)
      return receiveFile({ ...parts, viewer, signal: how.signal }, content, how)
    },

    /**
     * Stores a file, from a stream or received earlier, in a folder; or replaces a file with it (a cropped picture). An
     * abort leaves no new file. Throws `tooLarge` above `limit` bytes.
     */
    upload: action(uploadFile, { touched: ([place]) => [place] }),

    rename: action(renameItem, { touched: ([item]) => [item], unhidden: ([item]) => [[item], 'item'] }),
    move: action(moveItems, { touched: ([items, target]) => [...items, target], unhidden: ([items]) => [items] }),
    remove: action(removeItems, { touched: ([items]) => items, unhidden: ([items]) => [items] }),

    /** Packs files and folders into a new zip in a folder; appends '.zip' if the name lacks it. */
    archive: action(archiveItems, { unhidden: ([, items]) => [items] }),

    unarchive: action(unarchiveInto, { touched: ([folder]) => [folder] }),

    /** Removes the copies of replaced files whose retention time is over. */
    sweep: (): Promise<void> => parts.kept.prune(),

    /** Stops pending synchronization, and closes its decoders. */
    close: () => synchronizer.close(),
  }
}

export type FileActions = ReturnType<typeof createFileActions>
