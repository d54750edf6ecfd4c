/** Processes all items of a keystring, person or object, in small batches. */
import { z } from 'zod'
import { keyKinds } from '../../schema/keys.ts'
import { channels } from '../../schema/realtime.ts'
import { batchItems, inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../work/job-kind.ts'
import type { CountedKind } from './key-counts.ts'
import {
  collectionsUnderKey,
  eventOfThing,
  itemsOfKey,
  itemsUnderKey,
  lastEvent,
  nextItemsOfKey,
} from './vocabulary.sql.ts'

/** By the kind of a key: its name in messages, and the channel of its changes. */
const eventsByKind: Record<number, { name: CountedKind; channel: (id: number) => string }> = {
  [keyKinds.keystring]: { name: 'keystring', channel: () => channels.keystrings },
  [keyKinds.person]: { name: 'person', channel: channels.person },
  [keyKinds.object]: { name: 'object', channel: channels.object },
}

type ReadAccess = Pick<LibraryDatabase, 'all' | 'get'>

/** Ids of the items with a key, in any state; null if there are too many for one transaction. */
export function fewItemsOf(tx: ReadAccess, key: number): number[] | null {
  const rows = tx.all(itemsOfKey, key, batchItems + 1)
  return rows.length > batchItems ? null : rows.map(({ id }) => id)
}

export function countItemsUnder(db: Pick<LibraryDatabase, 'get'>, key: number): number {
  return db.get(itemsUnderKey, key)?.n ?? 0
}

export function collectionsUnder(tx: ReadAccess, key: number): number[] {
  return tx.all(collectionsUnderKey, key).map(({ id }) => id)
}

/** A job that takes one key after another, and processes its items, until no key is due. */
interface Sweep {
  kind: 'hide' | 'text'
  message: string
  /** Keys whose items are to be processed. */
  due(db: LibraryDatabase): number[]
  item(tx: Transaction, id: number): void
  batch?(tx: Transaction): void
  /** Called when all items of the key are done, and the data that they depend on has not changed meanwhile. */
  finish(tx: Transaction, key: number): void
}

/**
 * Does the work for every item of a key, oldest first. The key stays due if its keystring, person or object has changed
 * meanwhile. Items that get the key meanwhile may be skipped: the code that adds the key does the work.
 */
async function sweepKey(
  db: LibraryDatabase,
  key: number,
  signal: AbortSignal,
  { item, batch, finish }: Sweep,
  onItems: (done: number) => void,
): Promise<void> {
  const since = db.get(lastEvent)?.id ?? 0
  const start = { taken: Number.MIN_SAFE_INTEGER, id: 0, done: 0 }
  await inBatches(db, { userId: null }, signal, start, (tx, state, isOver) => {
    const rows = tx.all(nextItemsOfKey, key, state.taken, state.id, batchItems)
    if (rows.length === 0) return null
    let { taken, id, done } = state
    for (const row of rows) {
      item(tx, row.item_id)
      taken = row.taken
      id = row.item_id
      done++
      if (isOver()) break
    }
    batch?.(tx)
    onItems(done)
    return { taken, id, done }
  })
  await db.transact({ userId: null }, tx => {
    if (!hasChangedSince(tx, since, key)) finish(tx, key)
  })
}

const input = z.object({})

async function run(db: LibraryDatabase, sweep: Sweep, { progress, signal }: JobContext<unknown>): Promise<JobEnd> {
  let done = 0
  for (;;) {
    const due = sweep.due(db)
    const [first] = due
    if (first === undefined) return { state: 'done', message: '' }
    const left = due.reduce((sum, key) => sum + countItemsUnder(db, key), 0)
    progress({ done, total: done + left, message: sweep.message })
    const before = done
    await sweepKey(db, first, signal, sweep, items => {
      done = before + items
      progress({ done })
    })
  }
}

export function sweepJob(db: LibraryDatabase, sweep: Sweep): JobKind {
  const { kind } = sweep
  return jobKind({ kind, input, lane: () => kind, run: context => run(db, sweep, context) })
}

/** Whether a change of the key's keystring, person or object was published after an event. */
function hasChangedSince(tx: ReadAccess, event: number, key: number): boolean {
  const kind = eventsByKind[key & 3]
  const id = key >> 2
  return kind !== undefined && tx.get(eventOfThing, event, kind.channel(id), `$.${kind.name}.id`, id) !== null
}
