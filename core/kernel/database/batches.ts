/** Work on many rows in short transactions with pauses between them, so that nobody else has to wait. */
import { publishCollections } from '../events.ts'
import type { Actor, LibraryDatabase, Transaction } from './database.ts'

/** A batch ends at whichever comes first. */
export const batchItems = 200
/** After so long others get their turn: without the pause other writers starve for seconds (measured: 2.8 s). */
const batchMs = 25
const pauseMs = 5
/** The write-ahead log is moved into the database when it has grown to this. */
const longestLog = 16 * 1024 * 1024

/** Transactions that are quick share 25 ms, with one pause after them. `isOver` tells one that it has had its time. */
function inTurns(db: LibraryDatabase, actor: Actor) {
  /** When others get their turn; 0 before a transaction has begun. */
  let until = 0
  const isOver = () => performance.now() >= until
  return async <T>(work: (tx: Transaction, isOver: () => boolean) => T): Promise<T> => {
    if (until !== 0 && isOver()) {
      if (db.logSize() > longestLog) db.checkpoint('TRUNCATE')
      await Bun.sleep(pauseMs)
      until = 0
    }
    // Wrapped, because a transaction's own answer may be anything but a promise.
    const { answer } = await db.transact(actor, tx => {
      if (until === 0) until = performance.now() + batchMs
      return { answer: work(tx, isOver) }
    })
    return answer
  }
}

/**
 * Runs batches until one returns null: each gets what the one before it answered, and `isOver`. A batch runs again when
 * the database was busy, so it must go by nothing but what it gets and the database.
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
  /** Queues a piece of work; pieces run in the order they came, each whole in one transaction. */
  add(work: (tx: Transaction) => void): void
  /** Waits until everything queued so far is committed; throws what a piece threw. */
  flush(): Promise<void>
  /** How much waits: whoever feeds should stop at some hundreds. */
  waiting(): number
}

/**
 * Writes what comes piece by piece. Once a batch the collection is notified of: browsers reload once, not once an item.
 */
export function createBatchWriter(db: LibraryDatabase, step: string, collection: () => number): BatchWriter {
  const queue: ((tx: Transaction) => void)[] = []
  let running: Promise<void> | null = null
  let failed: unknown = null

  async function run() {
    // A moment for more to come: files arrive in bursts of a worker's answers.
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
