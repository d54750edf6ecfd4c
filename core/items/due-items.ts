/** Items whose files lack metadata of the library: marked, retried after a failure, and reported as problems. */
import type { CollectionRow } from '../collections/collections.ts'
import type { Transaction } from '../kernel/database/database.ts'
import * as rows from './item-files.sql.ts'

/** Writing failed and will be retried: the item stays due. */
export const writeProblemCode = 'metadata-write'
/** Everything possible was written; no file format can hold the rest. */
const shortfallCode = 'metadata-shortfall'
/** The tags are not in the file itself, though the collection writes to files: other programs read old values there. */
const besideCode = 'metadata-beside'

/** Sentences about an item's files. An earlier problem or shortfall that is not given again is removed. */
export interface FileNotes {
  problem?: string | null
  shortfall?: string | null
  /** Undefined: not checked, so an earlier report stays. */
  beside: string | null | undefined
}

/** An item that was read in order to write its files. */
export interface ReadItem {
  itemId: number
  name: string
  dir: { path: string }
}

/** Marks the files of an item as due, when its collection writes back. Earlier failures are retried at once. */
export function markDue(tx: Transaction, itemId: number): void {
  tx.run(rows.insertDue, itemId)
  tx.run(rows.tryAtOnce, itemId, writeProblemCode)
}

/** Marks the files of all items of an album as due, when their collections write back. */
export function markAlbumDue(tx: Transaction, albumId: number): void {
  tx.run(rows.insertAlbumDue, albumId)
  tx.run(rows.tryAlbumAtOnce, albumId, writeProblemCode)
}

/** Records that writing failed: if the collection writes back automatically, the item stays due. */
export function storeDue(tx: Transaction, collection: CollectionRow, { itemId }: ReadItem): void {
  if (collection.write_back === 'off' || collection.readonly === 1) return
  tx.run(rows.stayDue, itemId, collection.id)
}

interface ReportContext {
  collectionId: number
  jobId: number
  at: number
}

/** Reports why tags of an item are not in its files, or not in the file itself. Problems of other kinds stay. */
export function noteProblems(
  tx: Transaction,
  where: ReportContext,
  item: ReadItem,
  { problem = null, shortfall = null, beside }: FileNotes,
): void {
  noteProblem(tx, where, item, writeProblemCode, problem)
  noteProblem(tx, where, item, shortfallCode, shortfall)
  if (beside !== undefined) noteProblem(tx, where, item, besideCode, beside)
}

function noteProblem(
  tx: Transaction,
  { collectionId, jobId, at }: ReportContext,
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
