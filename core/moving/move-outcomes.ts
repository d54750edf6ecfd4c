/** What became of the items that were to be moved: counted, and told where something went wrong. */
import { channels } from '../../schema/realtime.ts'
import type { Transaction } from '../kernel/database/database.ts'

/** Code of a problem that a move leaves behind; gone when the file is moved. */
const code = 'move'

/** Lists a file that could not be moved for its administrators. */
export function noteFailedMove(
  tx: Transaction,
  file: { collectionId: number; itemId: number | null; path: string; jobId: number; at: number },
  reason: string,
): void {
  tx.run(
    `INSERT INTO problems (job_id, collection_id, item_id, path, code, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (collection_id, path, code) DO UPDATE SET reason = excluded.reason, job_id = excluded.job_id, at = excluded.at`,
    file.jobId,
    file.collectionId,
    file.itemId,
    file.path,
    code,
    reason.slice(0, 1000),
    file.at,
  )
}

/** Forgets what stood in the way of moving an item before. */
export function clearFailedMoves(tx: Transaction, itemId: number): void {
  tx.run('DELETE FROM problems WHERE item_id = ? AND code = ?', itemId, code)
}

/** Tells collections, once for many items, that they have changed. */
export function tellCollections(tx: Transaction, ids: Iterable<number>): void {
  for (const id of new Set(ids)) {
    tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
  }
}

/** 'Skipped: 3 in the recycle bin, 1 already there.', or '' when nothing was. */
export function skippedMessage(reasons: ReadonlyMap<string, number>): string {
  if (reasons.size === 0) return ''
  return `Skipped: ${[...reasons].map(([reason, n]) => `${n} ${reason}`).join(', ')}.`
}
