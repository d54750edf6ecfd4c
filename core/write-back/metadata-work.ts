/** Starts jobs that write or read metadata: by calls for a whole collection, and automatically after edits. */
import { Failure, sentence } from '../../schema/errors.ts'
import { terminalViewer, type Viewer } from '../accounts/access.ts'
import type { Collections } from '../collections/collections.ts'
import { requireNothingHidden } from '../filter/hidden-items.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Jobs } from '../work/jobs.ts'
import { dueCollections } from './write-back.sql.ts'

export interface MetadataParts {
  db: LibraryDatabase
  clock: Clock
  collections: Collections
  jobs: Jobs
}

/** Retry interval after a job that failed as a whole, for example because a disk was unavailable. */
const retryAfterMs = 15 * 60_000

export function createMetadataWork({ db, clock, collections, jobs }: MetadataParts) {
  function due(): number[] {
    const now = clock.now()
    return db.all(dueCollections, { now, before: now - retryAfterMs }).map(({ id }) => id)
  }

  return {
    due,

    /** Starts writing in each collection with due items; a busy one is skipped until the next time. */
    async queueDue(): Promise<void> {
      for (const collectionId of due()) {
        try {
          await jobs.enqueue(terminalViewer, 'metadata-write', { collectionId })
        } catch (error) {
          if (!(error instanceof Failure && error.code === 'busy')) throw error
        }
      }
    },

    /** Starts writing everything that the files of a collection lack; returns the job. For admins of the collection. */
    async startExport(viewer: Viewer, id: number): Promise<number> {
      const collection = collections.requireRight(viewer, id, 'admin')
      if (collection.readonly === 1) {
        throw new Failure(
          'denied',
          sentence`The collection '${collection.name}' is read-only: nothing is written to its files.`,
        )
      }
      return jobs.enqueue(viewer, 'metadata-export', { collectionId: id })
    },

    /**
     * Starts reading the metadata of a collection's files again; returns the job. For admins of the collection. The
     * files' keywords replace those that hide items, so a locked session gets 409 if the collection has hidden items.
     */
    async startImport(viewer: Viewer, id: number): Promise<number> {
      collections.requireRight(viewer, id, 'admin')
      requireNothingHidden(db, viewer, id, '')
      return jobs.enqueue(viewer, 'metadata-import', { collectionId: id })
    },
  }
}

export type MetadataWork = ReturnType<typeof createMetadataWork>
