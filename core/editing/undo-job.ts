/** Undoes a step of the history, entry by entry from its end; what was changed since stays as it is, and is counted. */
import { z } from 'zod'
import { channels } from '../../schema/realtime.ts'
import { rightsOn, terminalViewer, type Viewer } from '../accounts/access.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import { hiddenAmong } from '../filter/hidden-items.ts'
import { batchItems, inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { JobContext, JobEnd, JobKind } from '../work/jobs.ts'
import { isOfFiles, mayUndo, type UndoEntry, type Undone, type UndoTable, undoOf } from './undo.ts'

const input = z.object({
  step: z.string(),
  /** The step that undoing is in the history. */
  undoStep: z.string(),
  userId: z.int().nullable(),
  /** Whoever undoes it sees hidden items; otherwise what was done to those stays as it is. */
  showsHidden: z.boolean().default(true),
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

/** Entries of files that are taken back together. */
const filesAtOnce = 20

type Counts = Record<Undone | 'refused', number>

interface State {
  /** Entries before this one are left. */
  at: number
  counts: Counts
  done: number
}

/** Rows of a step but those of these items. */
const rowsOfStep = `FROM history WHERE step = ?1
  AND (item_id IS NULL OR item_id NOT IN (SELECT value FROM json_each(?2)))`
const nextRows = `SELECT * ${rowsOfStep} AND id < ?3 AND undone_by IS NULL ORDER BY id DESC LIMIT ?4`

/** Ids of the items of a step that are hidden now, as JSON. */
function hiddenOfStep(db: LibraryDatabase, step: string): string {
  const rows = db.all<{ id: number }>(
    'SELECT DISTINCT item_id AS id FROM history WHERE step = ? AND item_id IS NOT NULL',
    step,
  )
  return JSON.stringify([
    ...hiddenAmong(
      db,
      rows.map(({ id }) => id),
    ),
  ])
}

async function run(parts: UndoParts, { input: undo, signal, progress }: JobContext<UndoInput>): Promise<JobEnd> {
  const { db, rights, undos } = parts
  const { step, undoStep, userId } = undo
  const actor = { userId, step: undoStep }
  const left = undo.showsHidden ? '[]' : hiddenOfStep(db, step)
  const total = db.get<{ n: number }>(`SELECT count(*) AS n ${rowsOfStep}`, step, left)?.n ?? 0
  const before = db.get<{ n: number }>(`SELECT count(*) AS n ${rowsOfStep} AND undone_by = ?3`, step, left, undoStep)
  const undoneBefore = before?.n ?? 0
  let state: State = {
    at: Number.MAX_SAFE_INTEGER,
    counts: { undone: undoneBefore, changed: 0, gone: 0, refused: 0 },
    done: undoneBefore,
  }

  /** Items may have moved to where the one who undoes has no say. */
  function isRefused(viewer: Viewer | null, tx: Transaction, entry: UndoEntry): boolean {
    const { itemId } = entry
    if (viewer === null) return true
    if (!mayUndo(undos, entry, { globalAdmin: viewer.globalAdmin, showsHidden: undo.showsHidden })) return true
    if (itemId === null) return false
    const item = tx.get<{ collection_id: number }>('SELECT collection_id FROM items WHERE id = ?', itemId)
    return item !== null && !rightsOn(viewer, item.collection_id).update
  }

  const viewerNow = () => (userId === null ? terminalViewer : viewerOfUser(db, rights, userId))
  const mark = (tx: Transaction, id: number) => tx.run('UPDATE history SET undone_by = ? WHERE id = ?', undoStep, id)

  /** Takes entries back until one needs its files moved, or the step is at its end. */
  function batch(tx: Transaction, from: State, isOver: () => boolean): State | null {
    const rows = tx.all<HistoryRow>(nextRows, step, left, from.at, batchItems)
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

  /** The entries that the batches have stopped at, as far as one way undoes them; false when there is none. */
  async function undoFiles(): Promise<boolean> {
    const rows = db.all<HistoryRow>(nextRows, step, left, state.at, filesAtOnce)
    const [first] = rows
    if (first === undefined) return false
    const how = undoOf(undos, entryOf(first))
    if (!isOfFiles(how)) return true
    signal.throwIfAborted()
    const entries: UndoEntry[] = []
    const items = new Set<number | null>()
    for (const entry of rows.map(entryOf)) {
      // An item that was moved twice goes back one step after the other.
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

  // What had been undone and is redone now can be undone again.
  await db.transact(actor, tx => {
    const more = tx.get('SELECT 1 FROM history WHERE step = ? AND undone_by IS NULL LIMIT 1', step)
    if (more === null) tx.run('UPDATE history SET undone_by = NULL WHERE undone_by = ?', step)
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
