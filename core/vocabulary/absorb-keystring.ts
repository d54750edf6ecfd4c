/** Renaming a keystring to the name of a hidden one that the user does not see: items get the hidden one instead. */
import { terminalViewer } from '../access.ts'
import type { Jobs } from '../jobs.ts'
import type { MergedPair } from './merge-jobs.ts'

/**
 * Gives the items of `otherId` the hidden keystring `id` instead, by a job that nobody is told of. Only items that the
 * user may tag, and sees: for others the word stays what it was, so that nobody hides items of collections that are not
 * theirs.
 */
export function absorbKeystring(jobs: Pick<Jobs, 'enqueue'>) {
  return async (pair: MergedPair, collections: readonly number[]): Promise<void> => {
    const input = { ...pair, userId: null, step: crypto.randomUUID(), collections }
    await jobs.enqueue(terminalViewer, 'merge-keystrings', input)
  }
}
