/** Detects faces on every new or changed picture, one transaction each, so that it may be killed at any time. */
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { limits } from '../../../schema/limits.ts'
import { items } from '../../../schema/tables/items.ts'
import { problems } from '../../../schema/tables/jobs.ts'
import { matchFaces } from '../../editing/boxes/face-matches.ts'
import { displayName, joinPath } from '../../files/names.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import type { Log } from '../../kernel/log.ts'
import { rotationFrom } from '../../media/cache/renditions.ts'
import { rootState, unavailableReason } from '../../survey/safety.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../../work/job-kind.ts'
import { countDue, type DueItem, dueItems, notInspected, storeDetections, storeFault } from './detections.ts'
import * as statements from './faces.sql.ts'
import { groupFaces } from './grouping.ts'
import type { FacePool } from './workers/pool.ts'
import type { DetectionResult } from './workers/worker-messages.ts'

const input = z.object({
  /** 0: every collection. */
  collectionId: z.int().nonnegative().default(0),
  /** Pictures processed before this time are processed again; milliseconds, 0: only those that changed. */
  since: z.int().nonnegative().default(0),
  /** Number of pictures in parallel; 0: from the settings. */
  jobs: z.int().min(0).max(64).default(0),
})
type FacesInput = z.output<typeof input>

export interface FaceParts {
  db: LibraryDatabase
  clock: Clock
  log: Log
  model: string
  openFacePool: (request: Pick<FacesInput, 'jobs'>) => FacePool
}

const systemActor = { userId: null }
const maxInFlight = 8
const itemsAtOnce = 50
/** Code of the problems that this job records and removes. */
const code = 'faces'

function noteProblem(tx: Transaction, item: DueItem, jobId: number, at: number, reason: string): void {
  const path = item.dir === '' ? item.name : `${item.dir}/${item.name}`
  const text = `Faces could not be looked for: ${reason}`.slice(0, 1000)
  tx.run(statements.writeProblem, jobId, item.collectionId, item.id, path, code, text, at)
}

/** Matches faces to regions that were named by files or otherwise since their pictures were processed. */
async function matchAll({ db, model }: FaceParts): Promise<number> {
  const ids = db.all(statements.itemsToMatch, model).map(({ id }) => id)
  let learnt = 0
  for (let from = 0; from < ids.length; from += itemsAtOnce) {
    const part = ids.slice(from, from + itemsAtOnce)
    learnt += await db.transact(systemActor, tx => part.reduce((sum, id) => sum + matchFaces(tx, id).learnt, 0))
  }
  return learnt
}

/** Checks once per root whether its disk is available: pictures on unavailable disks stay due. */
function createRoots() {
  const reasons = new Map<string, string | null>()
  return {
    /** Why a root is unavailable, as a sentence, or null. `isRetry`: checks again if it was available before. */
    unavailableReason(root: string, { isRetry = false } = {}): string | null {
      const before = reasons.get(root)
      if (before !== undefined && (before !== null || !isRetry)) return before
      const reason = unavailableReason(rootState(root))
      reasons.set(root, reason)
      return reason
    },
    reasons: (): string[] => [...reasons.values()].filter(reason => reason !== null),
  }
}

async function run(parts: FaceParts, context: JobContext<FacesInput>): Promise<JobEnd> {
  const { db, clock, model } = parts
  const { input: request, jobId, signal } = context
  const due = { model, collectionId: request.collectionId, since: request.since }
  const confidence = limits.faces.slider / 10
  const roots = createRoots()
  const counts = { pictures: 0, faces: 0, learnt: 0, failed: 0 }
  const total = countDue(db, due)
  const report = (message: string) =>
    context.progress({ done: counts.pictures + counts.failed, total, message, counts: { ...counts } })
  report('Looking for faces')
  // Clears problems that another model had with pictures that this one has processed, and those of deleted pictures.
  await db.transact(systemActor, tx => void tx.run(statements.clearOldProblems, code, model))
  counts.learnt += await matchAll(parts)

  async function store(item: DueItem, result: DetectionResult): Promise<void> {
    // A file that was replaced is due again once a scan has read it.
    if ('changed' in result && result.changed === true) return
    const inspected = { item, model, confidence, at: clock.now() }
    if ('fault' in result) {
      const isUnread = result.unread === true
      if (isUnread && roots.unavailableReason(item.root, { isRetry: true }) !== null) return
      await db.transact(systemActor, tx => {
        // The item may have been permanently deleted meanwhile.
        if (tx.orm.select({ id: items.id }).from(items).where(eq(items.id, item.id)).get() === undefined) return
        // A file that could not be read stays due.
        if (!isUnread) storeFault(tx, inspected, result.fault)
        noteProblem(tx, item, jobId, clock.now(), result.fault)
      })
      counts.failed++
      return
    }
    const stored = await db.transact(systemActor, tx => {
      const isOld = and(eq(problems.itemId, item.id), eq(problems.code, code))
      tx.orm.delete(problems).where(isOld).run()
      return storeDetections(tx, inspected, result.faces)
    })
    counts.pictures++
    counts.faces += stored?.faces ?? 0
    counts.learnt += stored?.learnt ?? 0
  }

  const pool = total === 0 ? null : parts.openFacePool(request)
  const running = new Set<Promise<void>>()
  let failure: unknown = null
  try {
    let after = 0
    for (let page = dueItems(db, due, after); page.length > 0 && pool !== null; page = dueItems(db, due, after)) {
      for (const item of page) {
        after = item.id
        if (roots.unavailableReason(item.root) !== null) continue
        while (running.size >= maxInFlight) await Promise.race(running)
        signal.throwIfAborted()
        if (failure !== null) throw failure
        const { id, name, content } = item
        const path = joinPath(Buffer.from(item.root), item.dirBytes, item.nameBytes)
        const rotation = rotationFrom(item.rotation)
        const one: Promise<void> = pool
          .findFaces({ id, path, name, content, rotation, confidence })
          .then(result => store(item, result))
          .then(() => report(displayName(item.nameBytes)))
          .catch((error: unknown) => {
            failure ??= error
          })
          .finally(() => running.delete(one))
        running.add(one)
      }
    }
    await Promise.all(running)
    if (failure !== null) throw failure
  } finally {
    await pool?.close()
    await Promise.allSettled(running)
  }
  signal.throwIfAborted()
  const unavailable = roots.reasons()
  if (unavailable[0] !== undefined && request.collectionId !== 0)
    return { state: 'stopped', message: notInspected(unavailable[0]) }
  await groupFaces(db, model, { signal, onProgress: done => report(`Grouping: ${done}`) })
  context.progress({ done: counts.pictures + counts.failed, total, message: '', counts: { ...counts } })
  if (pool !== null) parts.log.info('faces were looked for', { ...counts })
  return {
    state: 'done',
    message: unavailable.map(notInspected).join(' '),
    problems: counts.failed + unavailable.length,
  }
}

export function facesJob(parts: FaceParts): JobKind {
  return jobKind({
    kind: 'faces',
    input,
    lane: () => 'faces',
    collectionId: ({ collectionId }) => (collectionId === 0 ? null : collectionId),
    run: context => run(parts, context),
  })
}

export function groupsJob(parts: Pick<FaceParts, 'db' | 'model'>): JobKind {
  return jobKind({
    kind: 'face-groups',
    input: z.object({}),
    lane: () => 'faces',
    async run({ signal, progress }) {
      const groups = await groupFaces(parts.db, parts.model, {
        signal,
        onProgress: done => progress({ done, total: null, message: 'Grouping' }),
      })
      return { state: 'done', message: groups === 1 ? '1 group.' : `${groups} groups.` }
    },
  })
}
