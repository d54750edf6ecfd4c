/** Work on many rows in short transactions, with pauses between them for other writers. */
import { publishCollections } from '../events.ts'
import type { Actor, LibraryDatabase, Transaction } from './database.ts'

/** A batch ends after this many items or after `batchMs`, whichever comes first. */
export const batchItems = 200
/** After this time, other writers get a turn. Without the pause, they starve for seconds (measured: 2.8 s). */
const batchMs = 25
const pauseMs = 5
/** The write-ahead log is moved into the database at this size. */
const maxLogBytes = 16 * 1024 * 1024

/** Returns a function that runs transactions, and pauses after each 25 ms of them. `isOver`: whether that time is up. */
function inTurns(db: LibraryDatabase, actor: Actor) {
  /** When the next pause is due; 0 before the first transaction after a pause. */
  let until = 0
  const isOver = () => performance.now() >= until
  return async <T>(work: (tx: Transaction, isOver: () => boolean) => T): Promise<T> => {
    if (until !== 0 && isOver()) {
      if (db.logSize() > maxLogBytes) db.checkpoint('TRUNCATE')
      await Bun.sleep(pauseMs)
      until = 0
    }
    // Wrapped in an object, because a transaction's own result must not be awaited if it is a promise.
    const { result } = await db.transact(actor, tx => {
      if (until === 0) until = performance.now() + batchMs
      return { result: work(tx, isOver) }
    })
    return result
  }
}

/**
 * Runs batches until one returns null: each gets the result of the one before, and `isOver`. A batch runs again when
 * the database was busy, so it must depend only on its input and the database.
 */
export async function inBatches<State>(
  db: LibraryDatabase,
  actor: Actor,
  signal: AbortSignal,
  start: State,
  batch: (tx: Transaction, state: State, isOver: () => boolean) => State | null,
): Promise<void> {
  const transact = inTurns(db, actor)
  for (let state: State | null = start; state !== null; ) {
    signal.throwIfAborted()
    const before: State = state
    state = await transact((tx, isOver) => batch(tx, before, isOver))
  }
}

export interface BatchWriter {
  /** Queues a piece of work; pieces run in order, several in one transaction. */
  add(work: (tx: Transaction) => void): void
  /** Waits until the queue is empty and committed; rethrows errors of a piece. */
  flush(): Promise<void>
  /** Length of the queue: producers should stop at some hundreds. */
  waiting(): number
}

/** Writes queued pieces in batches. Each batch publishes one event of the collection, so that browsers reload once. */
export function createBatchWriter(db: LibraryDatabase, step: string, collection: () => number): BatchWriter {
  const queue: ((tx: Transaction) => void)[] = []
  let running: Promise<void> | null = null
  let failed: unknown = null

  async function run() {
    // Waits a moment for more pieces: files arrive in bursts of a worker's results.
    await Bun.sleep(20)
    const transact = inTurns(db, { userId: null, step })
    try {
      while (queue.length > 0) {
        const taken = await transact((tx, isOver) => {
          let n = 0
          while (n < queue.length && n < batchItems && (n === 0 || !isOver())) queue[n++]?.(tx)
          publishCollections(tx, [collection()])
          return n
        })
        queue.splice(0, taken)
      }
    } catch (error) {
      failed = error
      queue.length = 0
    }
  }

  return {
    add(work) {
      queue.push(work)
      running ??= run().finally(() => {
        running = null
      })
    },
    async flush() {
      while (running !== null) await running
      if (failed !== null) throw failed
    },
    waiting: () => queue.length,
  }
}
