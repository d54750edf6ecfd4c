/** Undoes a step of the history, entry by entry from its end; what was changed since stays as it is, and is counted. */
import { z } from 'zod'
import { channels } from '../../schema/realtime.ts'
import { rightsOn, terminalViewer, type Viewer } from '../access.ts'
import { batchItems, inBatches } from '../batches.ts'
import type { LibraryDatabase, Transaction } from '../database.ts'
import type { JobContext, JobEnd, JobKind } from '../jobs.ts'
import type { RightsTable } from '../rights.ts'
import { viewerOfUser } from '../viewers.ts'
import { isOfFiles, type UndoEntry, type Undone, type UndoTable, undoOf } from './undo.ts'

const input = z.object({
  step: z.string(),
  /** The step that undoing is in the history. */
  undoStep: z.string(),
  userId: z.int().nullable(),
  collectionId: z.int().nullable(),
  lane: z.string(),
})
export type UndoInput = z.output<typeof input>

export interface UndoParts {
  db: LibraryDatabase
  rights: RightsTable
  undos: UndoTable
}

interface HistoryRow {
  id: number
  step: string
  operation: string
  collection_id: number | null
  item_id: number | null
  before: string | null
  after: string | null
}

function entryOf(row: HistoryRow): UndoEntry {
  const { before, after } = row
  return {
    id: row.id,
    step: row.step,
    operation: row.operation,
    collectionId: row.collection_id,
    itemId: row.item_id,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  }
}

type Counts = Record<Undone | 'refused', number>

interface State {
  /** Entries before this one are left. */
  at: number
  counts: Counts
  done: number
}

const nextRows = 'SELECT * FROM history WHERE step = ? AND id < ? AND undone_by IS NULL ORDER BY id DESC LIMIT ?'

async function run(parts: UndoParts, { input: undo, signal, progress }: JobContext<UndoInput>): Promise<JobEnd> {
  const { db, rights, undos } = parts
  const { step, undoStep, userId } = undo
  const actor = { userId, step: undoStep }
  const total = db.get<{ n: number }>('SELECT count(*) AS n FROM history WHERE step = ?', step)?.n ?? 0
  const before = db.get<{ n: number }>(
    'SELECT count(*) AS n FROM history WHERE step = ? AND undone_by = ?',
    step,
    undoStep,
  )
  const undoneBefore = before?.n ?? 0
  let state: State = {
    at: Number.MAX_SAFE_INTEGER,
    counts: { undone: undoneBefore, changed: 0, gone: 0, refused: 0 },
    done: undoneBefore,
  }

  /** Items may have moved to where the one who undoes has no say. */
  function isRefused(viewer: Viewer | null, tx: Transaction, { itemId }: UndoEntry): boolean {
    if (viewer === null) return true
    if (itemId === null) return false
    const item = tx.get<{ collection_id: number }>('SELECT collection_id FROM items WHERE id = ?', itemId)
    return item !== null && !rightsOn(viewer, item.collection_id).update
  }

  const viewerNow = () => (userId === null ? terminalViewer : viewerOfUser(db, rights, userId))
  const mark = (tx: Transaction, id: number) => tx.run('UPDATE history SET undone_by = ? WHERE id = ?', undoStep, id)

  /** Takes entries back until one needs its files moved, or the step is at its end. */
  function batch(tx: Transaction, from: State, isOver: () => boolean): State | null {
    const rows = tx.all<HistoryRow>(nextRows, step, from.at, batchItems)
    const now: State = { ...from, counts: { ...from.counts } }
    const viewer = viewerNow()
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
    for (const id of touched) {
      tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
    }
    state = now
    progress({ done: now.done, total, counts: { ...now.counts } })
    return rows.length === 0 ? null : next
  }

  /** The entry that the batches have stopped at; false when there is none. */
  async function undoFiles(): Promise<boolean> {
    const row = db.get<HistoryRow>(nextRows, step, state.at, 1)
    if (row === null) return false
    const entry = entryOf(row)
    const how = undoOf(undos, entry)
    if (!isOfFiles(how)) return true
    signal.throwIfAborted()
    const result = await how.files(entry, actor, signal)
    if (result === 'undone') {
      await db.transact(actor, tx => {
        mark(tx, row.id)
      })
    }
    state = { at: row.id, counts: { ...state.counts, [result]: state.counts[result] + 1 }, done: state.done + 1 }
    progress({ done: state.done, total, counts: { ...state.counts } })
    return true
  }

  do await inBatches(db, actor, signal, state, batch)
  while (await undoFiles())

  // What had been undone and is redone now can be undone again.
  await db.transact(actor, tx => {
    const left = tx.get('SELECT 1 FROM history WHERE step = ? AND undone_by IS NULL LIMIT 1', step)
    if (left === null) tx.run('UPDATE history SET undone_by = NULL WHERE undone_by = ?', step)
  })
  return { state: 'done' }
}

export function undoJob(parts: UndoParts): JobKind {
  const kind: JobKind<UndoInput> = {
    kind: 'undo',
    input,
    lane: ({ lane }) => lane,
    collectionId: ({ collectionId }) => collectionId,
    afterRestart: 'resume',
    run: context => run(parts, context),
  }
  return kind
}
