/** Undoes renaming or moving a folder within its collection. */
import { z } from 'zod'
import { collectionById } from '../../collections/collections.sql.ts'
import type { UndoEntry, Undone, UndoOfFiles } from '../../editing/undo.ts'
import { DiskError } from '../../files/disk-error.ts'
import { holderOfProcess } from '../../journal/journal.ts'
import type { Actor } from '../../kernel/database/database.ts'
import { rightsCheckFor } from '../../work/job-rights.ts'
import { hasHiddenBelow } from '../hidden-files.ts'
import type { ChangeParts } from './change-parts.ts'
import { moveWholeFolder } from './whole-folders.ts'

const recordedPath = z.object({ bytes: z.string() })

/**
 * Undo of `folder.move`: the folder gets its old path, if that is free and the folder has not moved since. Refused for
 * a locked session if hidden items are in the folder. The caller holds the collection's lane.
 */
export function folderMoveUndo(parts: Pick<ChangeParts, 'db' | 'clock' | 'disk' | 'journal' | 'log'>): UndoOfFiles {
  const { db, disk, log } = parts
  async function undo(
    { collectionId, before, after }: UndoEntry,
    actor: Actor,
    showsHidden: boolean,
  ): Promise<Undone | 'refused'> {
    const collection = db.get(collectionById, collectionId)
    if (collection === null) return 'gone'
    if (!rightsCheckFor(db, actor.userId)(collection.id, 'admin')) return 'changed'
    const placeOf = (side: unknown) => {
      const inCollection = Buffer.from(recordedPath.parse(side).bytes, 'base64')
      return { collection, inCollection, at: { root: collection.path, path: inCollection } }
    }
    const from = placeOf(after)
    const to = placeOf(before)
    if (!showsHidden && hasHiddenBelow(db, collection.id, from.inCollection)) return 'refused'
    try {
      const [here, there] = [disk.stat(from.at), disk.stat(to.at)]
      // An earlier attempt undid this entry, but its process died before it recorded that.
      if (here === null && there?.kind === 'dir') return 'undone'
      if (here?.kind !== 'dir' || there !== null || collection.readonly === 1 || collection.managed === 1)
        return 'changed'
      await moveWholeFolder(parts, { from, to }, true, { holder: holderOfProcess(), actor })
      return 'undone'
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      log.info('a folder was not moved back', { collection: collection.id, reason: error.message })
      return 'changed'
    }
  }

  return {
    async files(entries, actor, { signal, showsHidden }) {
      const results: (Undone | 'refused')[] = []
      for (const entry of entries) {
        signal.throwIfAborted()
        results.push(await undo(entry, actor, showsHidden))
      }
      return results
    },
  }
}
