/** When metadata is written and read anew: by the calls for a whole collection, and by itself after edits. */
import { Failure } from '../../schema/errors.ts'
import { terminalViewer, type Viewer } from '../accounts/access.ts'
import type { Collections } from '../collections/collections.ts'
import { demandNothingHidden } from '../filter/hidden-items.ts'
import { mayBeTried } from '../items/due-items.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Jobs } from '../work/jobs.ts'

export interface MetadataParts {
  db: LibraryDatabase
  clock: Clock
  collections: Collections
  jobs: Jobs
}

/** After a job that failed as a whole (a disk is away) nothing is tried for so long. Milliseconds. */
const patience = 15 * 60_000

export function createMetadataWork({ db, clock, collections, jobs }: MetadataParts) {
  /** Collections that write back and have items whose files do not say yet what the library says, and may be tried. */
  function due(): number[] {
    return db
      .all<{ id: number }>(
        `SELECT c.id FROM collections AS c
         WHERE c.write_back <> 'off' AND c.readonly = 0
           AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'metadata-write' AND collection_id = c.id
             AND (state IN ('queued', 'running') OR (state IN ('failed', 'cancelled') AND finished_at > $before)))
           AND EXISTS (SELECT 1 FROM metadata_due AS m JOIN items AS i ON i.id = m.item_id
             WHERE i.collection_id = c.id AND i.missing IS NULL AND ${mayBeTried('$now')}
               AND EXISTS (SELECT 1 FROM files WHERE item_id = i.id AND role = 'main'))
         ORDER BY c.id`,
        { now: clock.now(), before: clock.now() - patience },
      )
      .map(({ id }) => id)
  }

  return {
    due,

    /** Starts writing in each collection where something is due; one that is busy has its turn the next time. */
    async queueDue(): Promise<void> {
      for (const collectionId of due()) {
        try {
          await jobs.enqueue(terminalViewer, 'metadata-write', { collectionId })
        } catch (error) {
          if (!(error instanceof Failure && error.code === 'busy')) throw error
        }
      }
    },

    /** Starts writing all that the files of a collection do not say; answers the job. Admins of it only. */
    async startExport(viewer: Viewer, id: number): Promise<number> {
      const collection = collections.demand(viewer, id, 'admin')
      if (collection.readonly === 1) {
        throw new Failure(
          'denied',
          `The collection '${collection.name}' is read-only: nothing is written to its files.`,
        )
      }
      return jobs.enqueue(viewer, 'metadata-export', { collectionId: id })
    },

    /**
     * Starts reading the metadata of a collection's files again; returns the job. Admins of it only. The files' keywords
     * replace those that hide items, so a locked session gets 409 where items are hidden.
     */
    async startImport(viewer: Viewer, id: number): Promise<number> {
      collections.demand(viewer, id, 'admin')
      demandNothingHidden(db, viewer, id, '')
      return jobs.enqueue(viewer, 'metadata-import', { collectionId: id })
    },
  }
}

export type MetadataWork = ReturnType<typeof createMetadataWork>
