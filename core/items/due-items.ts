/** Items whose files do not say yet what the library says: marked, tried again after a failure, and told of as problems. */
import type { CollectionRow } from '../collections/collections.ts'
import type { Transaction } from '../kernel/database/database.ts'
import * as rows from './item-files.sql.ts'

/** Writing failed and is tried again: the item stays due. */
export const writeProblemCode = 'metadata-write'
/** What could be written was; the rest no file can say. */
const shortfallCode = 'metadata-shortfall'
/** It is written, but not into the file where it was wanted: other programs read something else there. */
const besideCode = 'metadata-beside'

/** What must be reported about an item's files, in sentences. Fields that do not apply are left out. */
export interface FileNotes {
  problem?: string | null
  shortfall?: string | null
  /** Undefined: not checked, so the earlier report stays. */
  beside: string | null | undefined
}

/** An item as it was read for writing. */
export interface ReadItem {
  itemId: number
  name: string
  dir: { path: string }
}

/**
 * The files of an item are to be written, where its collection writes back. Whatever failed before is tried again at once:
 * somebody may have mended it.
 */
export function markDue(tx: Transaction, itemId: number): void {
  tx.run(rows.markDue, itemId)
  tx.run(rows.tryAtOnce, itemId, writeProblemCode)
}

/** Writing has failed: where the collection writes back by itself it is tried again, whoever had requested it. */
export function storeDue(tx: Transaction, collection: CollectionRow, { itemId }: ReadItem): void {
  if (collection.write_back === 'off' || collection.readonly === 1) return
  tx.run(rows.stayDue, itemId, collection.id)
}

interface Where {
  collectionId: number
  jobId: number
  at: number
}

/** Tells why an item's tags are not in its files, not all of them, or not in the file itself. Other problems stay. */
export function noteProblems(
  tx: Transaction,
  where: Where,
  item: ReadItem,
  { problem = null, shortfall = null, beside }: FileNotes,
): void {
  noteProblem(tx, where, item, writeProblemCode, problem)
  noteProblem(tx, where, item, shortfallCode, shortfall)
  if (beside !== undefined) noteProblem(tx, where, item, besideCode, beside)
}

function noteProblem(
  tx: Transaction,
  { collectionId, jobId, at }: Where,
  { itemId, name, dir }: ReadItem,
  code: string,
  reason: string | null,
): void {
  const path = dir.path === '' ? name : `${dir.path}/${name}`
  if (reason === null) tx.run(rows.dropProblem, code, itemId, collectionId, path)
  else {
    tx.run(rows.dropProblemElsewhere, itemId, code, path)
    tx.run(rows.noteProblem, jobId, collectionId, itemId, path, code, reason.slice(0, 1000), at)
  }
}
