/** Sees to it that what a change of the vocabulary left to be done has a job: no crash between the two loses it. */
import { Failure } from '../../schema/errors.ts'
import { terminalViewer } from '../accounts/access.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'
import type { Jobs } from '../work/jobs.ts'

/** Kinds of jobs, which are their lanes too, by the table of what is left to them. */
const dueIn = { pending_hide: 'hide', text_due: 'text', place_due: 'places' } as const

/** One that failed is tried again after so long (milliseconds). */
const againAfterMs = 10 * 60_000

export interface DueParts {
  db: LibraryDatabase
  clock: Clock
  jobs: Pick<Jobs, 'enqueue' | 'inLane'>
  log: Log
}

function hasJustFailed({ db, clock }: DueParts, lane: string): boolean {
  const last = db.get<{ state: string; finished_at: number | null }>(
    'SELECT state, finished_at FROM jobs WHERE lane = ? ORDER BY id DESC LIMIT 1',
    lane,
  )
  return last?.state === 'failed' && (last.finished_at ?? 0) > clock.now() - againAfterMs
}

/**
 * Queues a job for what waits in these tables and has none. Called after a change that left something, and
 * by the supervisor whenever it looks after the jobs. Never fails: the next look tries again.
 */
export async function queueVocabularyWork(parts: DueParts): Promise<void> {
  for (const [table, kind] of Object.entries(dueIn)) {
    try {
      if (parts.db.get(`SELECT 1 FROM ${table} LIMIT 1`) === null) continue
      if (parts.jobs.inLane(kind) || hasJustFailed(parts, kind)) continue
      await parts.jobs.enqueue(terminalViewer, kind, {})
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'busy'))
        parts.log.warn('a job could not be queued', { kind, error })
    }
  }
}
