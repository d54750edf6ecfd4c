/** Work on the files of collections that no job may do at the same time: it holds their lanes while it runs. */
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import type { Viewer } from '../access.ts'
import type { CollectionRow } from '../collections.ts'
import type { JobKind, Jobs } from '../jobs.ts'
import { holderOfProcess } from '../moving/journal.ts'

const input = z.object({ work: z.string(), collections: z.array(z.int().positive()).min(1) })
type LaneInput = z.output<typeof input>

/** `holder` is for the journal's rows. */
export type Work = (how: { holder: number; signal: AbortSignal }) => Promise<void>

/**
 * Jobs of the kind 'files' are run by the process that asks, in the very request: what was killed is not taken up again,
 * for the journal finishes or undoes it.
 */
export function createLaneWork() {
  const waiting = new Map<string, Work>()

  const kind: JobKind<LaneInput> = {
    kind: 'files',
    input,
    lane: ({ collections }) => collections.map(id => `collection-${id}`).join(' '),
    collectionId: ({ collections }) => collections[0] ?? null,
    afterRestart: 'fail',
    async run(context) {
      const work = waiting.get(context.input.work)
      if (work === undefined) throw new Failure('interrupted', 'The process that began this is gone.')
      await work({ holder: context.jobId, signal: context.signal })
      return { state: 'done' }
    },
  }

  /** Does the work while no scan, sort or transfer of these collections runs; `busy` when one does. */
  async function run(
    jobs: Jobs,
    viewer: Viewer,
    collections: readonly CollectionRow[],
    work: Work,
    signal?: AbortSignal,
  ): Promise<void> {
    if (collections.length === 0) {
      await work({ holder: holderOfProcess(), signal: signal ?? new AbortController().signal })
      return
    }
    const key = crypto.randomUUID()
    waiting.set(key, work)
    try {
      const wanted = { work: key, collections: collections.map(({ id }) => id) }
      const id = await jobs.enqueue(viewer, 'files', wanted, { here: true })
      const ended = await jobs.run(id, signal === undefined ? {} : { signal })
      if (ended?.state !== 'done') throw new Failure('interrupted', 'This was broken off.')
    } catch (error) {
      throw error instanceof Failure && error.code === 'busy' ? busy(collections, error) : error
    } finally {
      waiting.delete(key)
    }
  }

  return { kind, run }
}

export type LaneWork = ReturnType<typeof createLaneWork>

function busy(collections: readonly CollectionRow[], cause: Failure): Failure {
  const names = collections.map(({ name }) => `'${name}'`).join(' or ')
  return new Failure(
    'busy',
    `Another job works on ${names} now. Try again when it has ended, or cancel it in the list of jobs.`,
    { cause, current: cause.current, retryAfter: 5 },
  )
}
