/** Runs work on the files of collections while holding their lanes, so that no job of these collections runs. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { Failure, sentence } from '../../../schema/errors.ts'
import { jobs as jobRows } from '../../../schema/tables/jobs.ts'
import type { Viewer } from '../../accounts/access.ts'
import type { CollectionRow } from '../../collections/collections.ts'
import { holderOfProcess } from '../../journal/journal.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import type { JobKind } from '../../work/job-kind.ts'
import type { Jobs } from '../../work/jobs.ts'

const recordedMove = z.object({
  userId: z.int().nullable(),
  step: z.string(),
  /** Virtual paths of each source and its target. */
  moves: z.array(z.tuple([z.string(), z.string()])),
})
export type InterruptedMove = z.output<typeof recordedMove>

const input = z.object({
  work: z.string(),
  collections: z.array(z.int().positive()).min(1),
  /** Null for a job of an earlier version. */
  move: recordedMove.nullable().default(null),
})
type LaneInput = z.output<typeof input>

/** Jobs that are usually short, and how long to wait for them (milliseconds). */
const shortKinds: ReadonlySet<unknown> = new Set(['files', 'metadata-write', 'undo'])
const maxWaitMs = 5_000
const retryMs = 100

function isShortJob(error: unknown): boolean {
  if (!(error instanceof Failure) || error.code !== 'busy') return false
  const { current } = error
  return typeof current === 'object' && current !== null && 'kind' in current && shortKinds.has(current.kind)
}

/** The work of a job. `holder` owns its rows in the journal. */
type Work = (how: { holder: number; signal: AbortSignal }) => Promise<void>

type ResumeMove = (move: InterruptedMove, how: { holder: number; signal: AbortSignal }) => Promise<void>

interface LaneRequest {
  collections: readonly CollectionRow[]
  move: InterruptedMove
  signal: AbortSignal | undefined
}

/**
 * Runs jobs of the kind 'files' within the request. After a crash, the journal finishes or undoes the current files,
 * and the job resumes with the rest. Everything it moves is one step of the history.
 */
export function createLaneWork() {
  const waiting = new Map<string, { work: Work; refusal: Failure | null }>()
  let resumeMove: ResumeMove | null = null

  const kind: JobKind<LaneInput> = {
    kind: 'files',
    input,
    lane: ({ collections }) => collections.map(id => `collection-${id}`).join(' '),
    collectionId: ({ collections }) => collections[0] ?? null,
    afterRestart: 'resume',
    async run(context) {
      const request = waiting.get(context.input.work)
      if (request === undefined) {
        const { move } = context.input
        if (move === null || resumeMove === null)
          throw new Failure('interrupted', 'The process that started this has ended.')
        context.progress({ message: 'Continuing an interrupted move' })
        await resumeMove(move, { holder: context.jobId, signal: context.signal })
        return { state: 'done', message: 'This move was interrupted, and is now finished. The history can undo it.' }
      }
      try {
        await request.work({ holder: context.jobId, signal: context.signal })
      } catch (error) {
        // `run` throws this failure to the requester; the job itself counts as done.
        if (!(error instanceof Failure) || context.signal.aborted) throw error
        request.refusal = error
      }
      return { state: 'done' }
    },
  }

  /** Acquires the lanes. Waits if short jobs hold them; throws `busy` for long ones. */
  async function acquireLanes(jobs: Jobs, viewer: Viewer, wanted: LaneInput, signal?: AbortSignal): Promise<number> {
    const until = performance.now() + maxWaitMs
    for (;;) {
      try {
        return await jobs.enqueue(viewer, 'files', wanted, { inProcess: true })
      } catch (error) {
        if (!isShortJob(error) || performance.now() >= until) throw error
      }
      await Bun.sleep(retryMs)
      signal?.throwIfAborted()
    }
  }

  /** Runs the work while no scan, sort or transfer of these collections runs; throws `busy` if one does. */
  async function run(
    { db, jobs }: { db: LibraryDatabase; jobs: Jobs },
    viewer: Viewer,
    { collections, move, signal }: LaneRequest,
    work: Work,
  ): Promise<void> {
    if (collections.length === 0) {
      await work({ holder: holderOfProcess(), signal: signal ?? new AbortController().signal })
      return
    }
    const key = crypto.randomUUID()
    const request: { work: Work; refusal: Failure | null } = { work, refusal: null }
    waiting.set(key, request)
    try {
      const id = await acquireLanes(
        jobs,
        viewer,
        { work: key, collections: collections.map(one => one.id), move },
        signal,
      )
      const ended = await jobs.run(id, signal === undefined ? {} : { signal })
      if (ended?.state !== 'done') throw new Failure('interrupted', 'This was interrupted.')
      // The history records the change; a list of jobs with every rename would be useless.
      await db.transact(viewer, tx => tx.orm.delete(jobRows).where(eq(jobRows.id, id)).run())
      if (request.refusal !== null) throw request.refusal
    } catch (error) {
      throw error instanceof Failure && error.code === 'busy' ? busy(collections, error) : error
    } finally {
      waiting.delete(key)
    }
  }

  return {
    kind,
    run,
    /** Sets the function that resumes a move. It is not imported, because its module imports this one. */
    setResumeMove(resume: ResumeMove): void {
      resumeMove = resume
    },
  }
}

export type LaneWork = ReturnType<typeof createLaneWork>

function busy(collections: readonly CollectionRow[], cause: Failure): Failure {
  const names = collections.map(({ name }) => `'${name}'`).join(' or ')
  return new Failure(
    'busy',
    sentence`Another job works on ${names} now. Try again when it has ended, or cancel it in the list of jobs.`,
    { cause, current: cause.current, retryAfter: 5 },
  )
}
