/** Work on many rows in short transactions with pauses between them, so that nobody else has to wait. */
import type { Actor, LibraryDatabase, Transaction } from './database.ts'

/** A batch ends at whichever comes first. */
export const batchItems = 200
/** After so long others get their turn: without the pause other writers starve for seconds (measured: 2.8 s). */
const batchMs = 25
const pauseMs = 5
/** The write-ahead log is moved into the database when it has grown to this. */
const longestLog = 16 * 1024 * 1024

/**
 * Runs batches until one answers null: each gets what the one before it answered. `isOver` tells a batch that it has had
 * its time; batches that are quicker share it, with one pause. A batch runs again when the database was busy, so it must go by nothing but what it gets and the database.
 */
export async function inBatches<State>(
  db: LibraryDatabase,
  actor: Actor,
  signal: AbortSignal,
  start: State,
  batch: (tx: Transaction, state: State, isOver: () => boolean) => State | null,
): Promise<void> {
  let state = start
  /** When others get their turn; 0 before a transaction has begun. */
  let until = 0
  for (;;) {
    signal.throwIfAborted()
    // Wrapped, because a transaction's own answer may be anything but a promise.
    const { next, isOver } = await db.transact(actor, tx => {
      if (until === 0) until = performance.now() + batchMs
      const isOver = () => performance.now() >= until
      return { next: batch(tx, state, isOver), isOver: isOver() }
    })
    if (next === null) return
    state = next
    if (!isOver) continue
    if (db.logSize() > longestLog) db.checkpoint('TRUNCATE')
    await Bun.sleep(pauseMs)
    until = 0
  }
}
