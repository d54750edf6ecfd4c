/** Marks the items of keystrings that begin or cease to hide them, a few at a time; until then `visibleItems` asks both. */
import { z } from 'zod'
import { keyOf } from '../../schema/keys.ts'
import { channels } from '../../schema/realtime.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { JobContext, JobEnd, JobKind } from '../work/jobs.ts'
import { collectionsUnder, fewItemsOf, itemsUnder, outboxMark, sweepKey, toldSince } from './key-sweep.ts'

/** The items' lists have changed: whoever looks at one asks for it again. */
export function tellCollections(tx: Transaction, ids: readonly number[]): void {
  for (const id of ids) {
    tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
  }
}

/** Counts the hiding keystrings of an item anew. */
function recount(tx: Transaction, id: number): void {
  tx.run(
    `UPDATE items SET hidden_by = c.n, version = version + 1
     FROM (SELECT count(*) AS n FROM items AS i, json_each(i.keys) AS j JOIN keystrings AS k ON k.id = (j.value ->> 0) >> 2
           WHERE i.id = ? AND (j.value ->> 0) & 3 = 0 AND k.is_associated_items_hidden = 1) AS c
     WHERE items.id = ? AND items.hidden_by <> c.n`,
    id,
    id,
  )
}

/** All of a keystring's items are marked: from now on their rows alone decide who sees them. */
function finish(tx: Transaction, keystring: number): void {
  tx.run('DELETE FROM pending_hide WHERE keystring_id = ?', keystring)
  // Items that are hidden no longer come to light with this row: what was counted before is wrong.
  tx.run('UPDATE change_counts SET items = items + 1')
  tellCollections(tx, collectionsUnder(tx, keyOf('keystring', keystring)))
}

/**
 * A keystring begins or ceases to hide its items, in the transaction that says so in its row and on the channel of
 * keystrings. Hiding takes effect with it. Few items are marked at once; otherwise the job does it: true.
 */
export function hidingChanged(tx: Transaction, keystring: number): boolean {
  const { changes } = tx.run('INSERT OR IGNORE INTO pending_hide (keystring_id) VALUES (?)', keystring)
  const few = fewItemsOf(tx, keyOf('keystring', keystring))
  // A row that stood there already is the job's, which may be at work on it.
  if (changes === 0 || few === null) {
    tellCollections(tx, collectionsUnder(tx, keyOf('keystring', keystring)))
    return true
  }
  for (const id of few) recount(tx, id)
  finish(tx, keystring)
  return false
}

/** Marks the items of one keystring; again from the start when somebody changed his mind meanwhile. */
async function mark(db: LibraryDatabase, keystring: number, signal: AbortSignal, onItems: (items: number) => void) {
  const since = outboxMark(db)
  await sweepKey(db, keyOf('keystring', keystring), signal, { item: recount, batch: (_tx, items) => onItems(items) })
  await db.transact({ userId: null }, tx => {
    if (!toldSince(tx, since, 'keystring', keystring)) finish(tx, keystring)
  })
}

const input = z.object({})
type Input = z.output<typeof input>

async function run(db: LibraryDatabase, context: JobContext<Input>): Promise<JobEnd> {
  let done = 0
  for (;;) {
    const pending = db.all<{ id: number }>('SELECT keystring_id AS id FROM pending_hide ORDER BY keystring_id')
    const [first] = pending
    if (first === undefined) return { state: 'done', message: '' }
    const left = pending.reduce((sum, { id }) => sum + itemsUnder(db, keyOf('keystring', id)), 0)
    context.progress({ done, total: done + left, message: 'Hidden items' })
    const before = done
    await mark(db, first.id, context.signal, items => {
      done = before + items
      context.progress({ done })
    })
  }
}

export function hideJob({ db }: { db: LibraryDatabase }): JobKind {
  const kind: JobKind<Input> = {
    kind: 'hide',
    input,
    lane: () => 'hide',
    collectionId: () => null,
    afterRestart: 'resume',
    run: context => run(db, context),
  }
  return kind
}
