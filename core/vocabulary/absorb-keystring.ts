/** Renaming a keystring to the name of a hidden one that the user does not see: items get the hidden one instead. */
import { terminalViewer } from '../accounts/access.ts'
import type { Jobs } from '../work/jobs.ts'
import type { MergedPair } from './merge-jobs.ts'

/**
 * Replaces `otherId` by the hidden keystring `id` on items that the user may tag and see, by a job that is not announced. On
 * other items the word stays, so that users cannot hide items of collections they have no rights in.
 */
export function absorbKeystring(jobs: Pick<Jobs, 'enqueue'>) {
  return async (pair: MergedPair, collections: readonly number[]): Promise<void> => {
    const input = { ...pair, userId: null, step: crypto.randomUUID(), collections }
    await jobs.enqueue(terminalViewer, 'merge-keystrings', input)
  }
}
