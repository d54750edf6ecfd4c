/** Reports failed moves as problems, and skipped items in a sentence. */
import { problems } from '../../schema/tables/jobs.ts'
import type { Transaction } from '../kernel/database/database.ts'

/** Records a failed move as a problem, which administrators see. */
export function noteFailedMove(
  tx: Transaction,
  file: { collectionId: number; itemId: number | null; path: string; jobId: number; at: number },
  reason: string,
): void {
  const now = { reason: reason.slice(0, 1000), jobId: file.jobId, at: file.at }
  tx.orm
    .insert(problems)
    .values({ ...file, ...now, code: 'move' })
    .onConflictDoUpdate({ target: [problems.collectionId, problems.path, problems.code], set: now })
    .run()
}

/** 'Skipped: 3 in the recycle bin, 1 already there.', or '' when nothing was skipped. */
export function skippedMessage(reasons: ReadonlyMap<string, number>): string {
  if (reasons.size === 0) return ''
  return `Skipped: ${[...reasons].map(([reason, n]) => `${n} ${reason}`).join(', ')}.`
}
