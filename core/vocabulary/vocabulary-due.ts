/** Ensures that pending hiding, search texts, indexing and place names have a job, even after a crash in between. */
import { desc, eq } from 'drizzle-orm'
import { Failure } from '../../schema/errors.ts'
import { placeDue, searchTextDue, textDue } from '../../schema/tables/changes.ts'
import { jobs } from '../../schema/tables/jobs.ts'
import { pendingHide } from '../../schema/tables/vocabulary.ts'
import { terminalViewer } from '../accounts/access.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'
import type { Jobs } from '../work/jobs.ts'

/** Tables of pending work, by the kind of the job, which is also its lane. */
const dueIn = { hide: pendingHide, text: textDue, index: searchTextDue, places: placeDue }

/** Retry interval after a failure (milliseconds). */
const againAfterMs = 10 * 60_000

export interface DueParts {
  db: LibraryDatabase
  clock: Clock
  jobs: Pick<Jobs, 'enqueue' | 'inLane'>
  log: Log
}

function hasJustFailed({ db, clock }: DueParts, lane: string): boolean {
  const last = db.orm.select().from(jobs).where(eq(jobs.lane, lane)).orderBy(desc(jobs.id)).limit(1).get()
  return last?.state === 'failed' && (last.finishedAt ?? 0) > clock.now() - againAfterMs
}

/** Queues a job for each table with pending work that has no job yet. Never throws: the supervisor tries again. */
export async function queueVocabularyWork(parts: DueParts): Promise<void> {
  for (const [kind, table] of Object.entries(dueIn)) {
    try {
      if (parts.db.orm.select().from(table).limit(1).get() === undefined) continue
      if (parts.jobs.inLane(kind) || hasJustFailed(parts, kind)) continue
      await parts.jobs.enqueue(terminalViewer, kind, {})
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy'))
        parts.log.warn('a job could not be queued', { kind, error })
    }
  }
}
