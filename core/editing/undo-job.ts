/** Undoes a step of the history, entry by entry from the last to the first. Skips and counts what was changed since. */
import { z } from 'zod'
import { rightsOn, type Viewer } from '../accounts/access.ts'
import { hiddenAmong } from '../filter/hidden-items.ts'
import { collectionOfItem } from '../items/item-files.sql.ts'
import { batchItems, inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { publishCollections } from '../kernel/events.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../work/job-kind.ts'
import { countOfStep, countUndone, itemsOfStep, markUndone, nextOfStep, unmarkUndone } from './editing.sql.ts'
import { type ManyParts, viewerOf } from './many-items.ts'
import { isOfFiles, mayUndo, type UndoEntry, type Undone, type UndoTable, undoOf } from './undo.ts'

const input = z.object({
  step: z.string(),
  undoStep: z.string(),
  userId: z.int().nullable(),
  /** Whether the user sees hidden items. If not, changes of hidden items are skipped. */
  showsHidden: z.boolean().default(true),
  collectionId: z.int().nullable(),
  lane: z.string(),
})
export type UndoInput = z.output<typeof input>

interface UndoParts extends ManyParts {
  undos: UndoTable
}

function entryOf({ before, after, ...row }: RowOfQuery<typeof nextOfStep>): UndoEntry {
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  return { ...row, before: parsed(before), after: parsed(after) }
}

const filesAtOnce = 20

type Counts = Record<Undone | 'refused', number>

interface State {
  /** Only entries before this one are left. */
  at: number
  counts: Counts
  done: number
}

/** The ids of a step's hidden items, as JSON. */
function hiddenOfStep(db: LibraryDatabase, step: string): string {
  const ids = db.all(itemsOfStep, step).map(({ id }) => id)
  return JSON.stringify([...hiddenAmong(db, ids)])
}

async function run(parts: UndoParts, { input: undo, signal, progress }: JobContext<UndoInput>): Promise<JobEnd> {
  const { db, undos } = parts
  const { step, undoStep, userId } = undo
  const actor = { userId, step: undoStep }
  const leftOut = undo.showsHidden ? '[]' : hiddenOfStep(db, step)
  const total = db.get(countOfStep, step, leftOut)?.n ?? 0
  const undoneBefore = db.get(countUndone, step, leftOut, undoStep)?.n ?? 0
  let state: State = {
    at: Number.MAX_SAFE_INTEGER,
    counts: { undone: undoneBefore, changed: 0, gone: 0, refused: 0 },
    done: undoneBefore,
  }

  /** Items may have moved to collections where the user has no rights. */
  function isRefused(viewer: Viewer | null, tx: Transaction, entry: UndoEntry): boolean {
    const { itemId } = entry
    if (viewer === null) return true
    if (!mayUndo(undos, entry, { tx, viewer, showsHidden: undo.showsHidden })) return true
    if (itemId === null) return false
    const collection = tx.get(collectionOfItem, itemId)
    return collection !== null && !rightsOn(viewer, collection.id).update
  }

  const mark = (tx: Transaction, id: number) => tx.run(markUndone, undoStep, id)

  /** Undoes entries up to the first whose files must be moved, or up to the end of the step. */
  function batch(tx: Transaction, from: State, isOver: () => boolean): State | null {
    const rows = tx.all(nextOfStep, step, leftOut, from.at, batchItems)
    const now: State = { ...from, counts: { ...from.counts } }
    const viewer = viewerOf(parts, userId)
    const touched = new Set<number>()
    let next: State | null = now
    for (const row of rows) {
      const entry = entryOf(row)
      const how = undoOf(undos, entry)
      if (isOfFiles(how)) {
        next = null
        break
      }
      const result = how === null || isRefused(viewer, tx, entry) ? 'refused' : how(tx, entry)
      if (result === 'undone') mark(tx, row.id)
      if (entry.collectionId !== null) touched.add(entry.collectionId)
      now.at = row.id
      now.counts[result]++
      now.done++
      if (isOver()) break
    }
    publishCollections(tx, touched)
    state = now
    progress({ done: now.done, total, counts: { ...now.counts } })
    return rows.length === 0 ? null : next
  }

  /** Undoes the next entries of one undo of files, up to twenty. Returns false if no entry is left. */
  async function undoFiles(): Promise<boolean> {
    const rows = db.all(nextOfStep, step, leftOut, state.at, filesAtOnce)
    const [first] = rows
    if (first === undefined) return false
    const how = undoOf(undos, entryOf(first))
    if (!isOfFiles(how)) return true
    signal.throwIfAborted()
    const entries: UndoEntry[] = []
    const items = new Set<number | null>()
    for (const entry of rows.map(entryOf)) {
      // An item that was moved twice is moved back one move at a time.
      if (undoOf(undos, entry) !== how || items.has(entry.itemId)) break
      items.add(entry.itemId)
      entries.push(entry)
    }
    const results = await how.files(entries, actor, { signal, showsHidden: undo.showsHidden })
    await db.transact(actor, tx => {
      for (const [n, { id }] of entries.entries()) if (results[n] === 'undone') mark(tx, id)
    })
    const counts = { ...state.counts }
    for (const result of results) counts[result]++
    state = { at: entries.at(-1)?.id ?? 0, counts, done: state.done + entries.length }
    progress({ done: state.done, total, counts: { ...counts } })
    return true
  }

  do await inBatches(db, actor, signal, state, batch)
  while (await undoFiles())

  // If the step was itself an undo, the rows that it had undone are redone now, and can be undone again.
  await db.transact(actor, tx => void tx.run(unmarkUndone, step))
  return { state: 'done' }
}

export function undoJob(parts: UndoParts): JobKind {
  return jobKind({
    kind: 'undo',
    input,
    lane: ({ lane }) => lane,
    collectionId: ({ collectionId }) => collectionId,
    run: context => run(parts, context),
  })
}
