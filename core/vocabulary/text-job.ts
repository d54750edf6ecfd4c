/** What follows when something is called otherwise: search text of its items is written anew, and their files are due. */
import { z } from 'zod'
import { keyKinds, keyOf } from '../../schema/keys.ts'
import { itemToEdit } from '../editing/item-edit.ts'
import { markDue } from '../items/due-items.ts'
import { removeText, writeText } from '../items/item-rows.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { JobContext, JobEnd, JobKind } from '../work/jobs.ts'
import { fewItemsOf, itemsUnder, outboxMark, type SweptKind, sweepKey, toldSince } from './key-sweep.ts'

function rewrite(tx: Transaction, id: number): void {
  const item = itemToEdit(tx, id)
  if (item === null) return
  removeText(tx, id)
  writeText(tx, id, item.row)
  markDue(tx, id)
}

/** What was counted for searches before is not right any more. */
function countAnew(tx: Transaction): void {
  tx.run('UPDATE change_counts SET items = items + 1')
}

const kinds: Record<number, SweptKind> = {
  [keyKinds.keystring]: 'keystring',
  [keyKinds.person]: 'person',
  [keyKinds.object]: 'object',
}

/**
 * Something is called otherwise, in the transaction that says so in its row and on its channel. The text of few items is
 * written at once; otherwise the job does it, and until then searches may find the old word: true.
 */
export function nameChanged(tx: Transaction, kind: SweptKind, id: number): boolean {
  const key = keyOf(kind, id)
  const { changes } = tx.run('INSERT OR IGNORE INTO text_due (key) VALUES (?)', key)
  const few = fewItemsOf(tx, key)
  // A row that stood there already is the job's, which may be at work on it.
  if (changes === 0 || few === null) return true
  for (const item of few) rewrite(tx, item)
  tx.run('DELETE FROM text_due WHERE key = ?', key)
  if (few.length > 0) countAnew(tx)
  return false
}

async function rewriteAll(db: LibraryDatabase, key: number, signal: AbortSignal, onItems: (items: number) => void) {
  const since = outboxMark(db)
  await sweepKey(db, key, signal, {
    item: rewrite,
    batch(tx, items) {
      countAnew(tx)
      onItems(items)
    },
  })
  await db.transact({ userId: null }, tx => {
    const kind = kinds[key & 3]
    if (kind === undefined || !toldSince(tx, since, kind, key >> 2)) tx.run('DELETE FROM text_due WHERE key = ?', key)
  })
}

const input = z.object({})
type Input = z.output<typeof input>

async function run(db: LibraryDatabase, context: JobContext<Input>): Promise<JobEnd> {
  let done = 0
  for (;;) {
    const due = db.all<{ key: number }>('SELECT key FROM text_due ORDER BY key')
    const [first] = due
    if (first === undefined) return { state: 'done', message: '' }
    const left = due.reduce((sum, { key }) => sum + itemsUnder(db, key), 0)
    context.progress({ done, total: done + left, message: 'Search text' })
    const before = done
    await rewriteAll(db, first.key, context.signal, items => {
      done = before + items
      context.progress({ done })
    })
  }
}

export function textJob({ db }: { db: LibraryDatabase }): JobKind {
  const kind: JobKind<Input> = {
    kind: 'text',
    input,
    lane: () => 'text',
    collectionId: () => null,
    afterRestart: 'resume',
    run: context => run(db, context),
  }
  return kind
}
