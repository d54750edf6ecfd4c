/** What the file manager changes: one function an action, each whole or not at all, and followed by the library at once. */
import { Failure } from '../../../schema/errors.ts'
import { channels } from '../../../schema/realtime.ts'
import { demandGlobalAdmin, terminalViewer, type Viewer } from '../../accounts/access.ts'
import { closeUnit } from '../../journal/journal.ts'
import { beginUnit } from '../../moving/journal-units.ts'
import type { FilePlace } from '../places.ts'
import { archiveItems } from './archive.ts'
import { createBringIn } from './bring-in.ts'
import type { Change, ChangeParts } from './change-parts.ts'
import { createClaims } from './claims.ts'
import { removeItems } from './deleting.ts'
import { createKeptBytes } from './kept-bytes.ts'
import { moveItems, renameItem, resumeMove } from './moving.ts'
import { type ReceivedFile, type Receiving, receiveFile } from './receiving.ts'
import { unarchiveInto } from './unarchive.ts'
import { newFile, newFolder, saveText, uploadFile } from './writing.ts'

/**
 * A row in the journal until the library has followed: whoever finds it after a kill looks through the collections. It
 * names no file that there is anything to do with.
 */
async function followed<T>(change: Change, places: readonly FilePlace[], work: () => Promise<T>): Promise<T> {
  const { db, bringIn, viewer, signal } = change
  const inside = places.find(({ collection }) => collection !== null)
  if (inside === undefined) return work()
  const unit = await beginUnit(change, viewer, [{ operation: 'write', source: inside.at }])
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
async function loggingErrors<T>({ db, log, viewer }: Change, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await db
      .transact(viewer, tx => tx.event(channels.files, { action: 'update' }))
      .catch((error: unknown) => log.warn('browsers were not told of a change', { error }))
  }
}

/** What is looked at before a change, and what the library follows after it. */
interface Around<Args extends unknown[]> {
  /** The places that it changes something at. */
  touches?: (args: Args) => readonly FilePlace[]
  /** 409 where something hidden is below these places; and what the error names. */
  unhidden?: (args: Args) => [places: readonly FilePlace[], field?: string]
}

/**
 * All functions take places that `Places.find` gave for this very request, and ask for global admins again. They throw
 * Failures: `denied` for a read-only collection, a link or a root, `conflict` for a taken name, for what a managed
 * collection forbids and for what holds or would replace hidden files, `busy` while a job works on the collection,
 * `invalid` for bad names. What was begun is taken back, also when the signal aborts that most of them take last.
 */
export function createFileActions(ground: Omit<ChangeParts, 'bringIn' | 'kept' | 'claims'>) {
  const bringIn = createBringIn(ground)
  const parts: ChangeParts = { ...ground, bringIn, kept: createKeptBytes(ground), claims: createClaims() }
  ground.lanes.resumesWith((move, how) =>
    resumeMove({ ...parts, viewer: terminalViewer, signal: how.signal }, move, how),
  )

  function action<Args extends unknown[], T>(
    work: (change: Change, ...args: Args) => Promise<T>,
    { touches, unhidden }: Around<NoInfer<Args>> = {},
  ) {
    return async (viewer: Viewer, ...given: [...args: Args, signal?: AbortSignal]): Promise<T> => {
      demandGlobalAdmin(viewer)
      const change: Change = { ...parts, viewer, signal: given.find(one => one instanceof AbortSignal) }
      const args = given as unknown as Args
      if (unhidden !== undefined) await ground.places.demandNoneHidden(viewer, ...unhidden(args))
      return loggingErrors(change, () => followed(change, touches?.(args) ?? [], () => work(change, ...args)))
    }
  }

  return {
    /** Bytes of the largest file that may be uploaded. */
    limit: ground.limit,

    newFolder: action(newFolder),
    newFile: action(newFile, { touches: ([folder]) => [folder] }),

    /** Gives a file that is there another content, and answers it. `changed` where it is not of that `version` any more. */
    save: action(saveText, { touches: ([file]) => [file] }),

    /** Takes a file in while it is not known yet what it will be called, or where it goes: `upload` brings it there. */
    async receive(viewer: Viewer, content: AsyncIterable<Uint8Array>, how: Receiving): Promise<ReceivedFile> {
      demandGlobalAdmin(viewer)
      return receiveFile({ ...parts, viewer, signal: how.signal }, content, how)
    },

    /**
     * Takes a file in from a stream, or one that was received, into a folder, or in the place of a file (a cropped picture).
     * Aborting leaves nothing. `tooLarge` for more than `limit` bytes.
     */
    upload: action(uploadFile, { touches: ([place]) => [place] }),

    rename: action(renameItem, { touches: ([item]) => [item], unhidden: ([item]) => [[item], 'item'] }),
    move: action(moveItems, { touches: ([items, target]) => [...items, target], unhidden: ([items]) => [items] }),
    remove: action(removeItems, { touches: ([items]) => items, unhidden: ([items]) => [items] }),

    /** Packs files and folders into a new zip in a folder; '.zip' is put to a name that lacks it. */
    archive: action(archiveItems, { unhidden: ([, items]) => [items] }),

    unarchive: action(unarchiveInto, { touches: ([folder]) => [folder] }),

    /** Removes what was kept of replaced files for long enough. */
    sweep: (): Promise<void> => parts.kept.prune(),

    /** Waits for what is being brought into the library, and lets go of its decoders. */
    close: () => bringIn.close(),
  }
}

export type FileActions = ReturnType<typeof createFileActions>
