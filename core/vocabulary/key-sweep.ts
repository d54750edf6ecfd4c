/** Goes through all items that are filed under a keystring, person or object, a few at a time. */
import { channels } from '../../schema/realtime.ts'
import { batchItems, inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'

/** What can be called otherwise, or hide. */
export type SweptKind = 'keystring' | 'person' | 'object'

/** Where it is told. */
const channelOf = {
  keystring: () => channels.keystrings,
  person: channels.person,
  object: channels.object,
} as const

interface Place {
  taken: number
  item_id: number
}

interface State {
  after: Place
  done: number
}

/** What is done at once, within the transaction that made it necessary, is at most so many items. */
const fewItems = batchItems

/** Ids of the items under a key, whatever their state; null when there are more than a few. */
export function fewItemsOf(tx: Pick<Transaction, 'all'>, key: number): number[] | null {
  const rows = tx.all<{ id: number }>(`SELECT item_id AS id FROM keyed WHERE key = ? LIMIT ${fewItems + 1}`, key)
  return rows.length > fewItems ? null : rows.map(({ id }) => id)
}

/** How many items there are under a key, in all collections and states. */
export function itemsUnder(db: Pick<LibraryDatabase, 'get'>, key: number): number {
  return db.get<{ n: number }>('SELECT coalesce(sum(n), 0) AS n FROM key_count WHERE key = ?', key)?.n ?? 0
}

/** The collections that have items under a key. */
export function collectionsUnder(tx: Pick<Transaction, 'all'>, key: number): number[] {
  const rows = tx.all<{ id: number }>('SELECT DISTINCT collection_id AS id FROM key_count WHERE key = ?', key)
  return rows.map(({ id }) => id)
}

/**
 * Does `work` for every item under a key, oldest first. One that gets the key or another date meanwhile may be left out:
 * whoever writes an item does for it what is wanted.
 */
export async function sweepKey(
  db: LibraryDatabase,
  key: number,
  signal: AbortSignal,
  work: {
    item(tx: Transaction, id: number): void
    /** At the end of each transaction; `done` is how many items it has been in all. */
    batch(tx: Transaction, done: number): void
  },
): Promise<void> {
  const start: State = { after: { taken: Number.MIN_SAFE_INTEGER, item_id: 0 }, done: 0 }
  await inBatches(db, { userId: null }, signal, start, (tx, state, isOver) => {
    const rows = tx.all<Place>(
      `SELECT taken, item_id FROM keyed WHERE key = ? AND (taken, item_id) > (?, ?)
       ORDER BY taken, item_id LIMIT ${batchItems}`,
      key,
      state.after.taken,
      state.after.item_id,
    )
    if (rows.length === 0) return null
    let { after, done } = state
    for (const row of rows) {
      work.item(tx, row.item_id)
      after = row
      done++
      if (isOver()) break
    }
    work.batch(tx, done)
    return { after, done }
  })
}

/** Where the outbox stands now. */
export function outboxMark(db: Pick<LibraryDatabase, 'get'>): number {
  return db.get<{ id: number | null }>('SELECT max(id) AS id FROM events')?.id ?? 0
}

/**
 * Was something told of this thing after the mark? Whoever changes what a sweep goes by tells it in the same transaction,
 * so that the sweep knows when it must begin again.
 */
export function toldSince(tx: Pick<Transaction, 'get'>, mark: number, kind: SweptKind, id: number): boolean {
  return (
    tx.get(
      'SELECT 1 FROM events WHERE id > ? AND channel = ? AND message ->> ? = ? LIMIT 1',
      mark,
      channelOf[kind](id),
      `$.${kind}.id`,
      id,
    ) !== null
  )
}
