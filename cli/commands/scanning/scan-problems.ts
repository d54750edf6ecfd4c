/** Prints problems after scans: each new one, and the number of all. */

import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { Problem } from '../../../schema/api/jobs.ts'
import { Failure } from '../../../schema/errors.ts'
import { plural } from '../../../schema/figures.ts'
import type { Output } from '../../output.ts'

const remedy = 'See: keepsake problems'

const maxShown = 20

/** Prints a collection's problems after job `jobId`: in JSON all of them, in words only those the job found. */
export function printProblems(output: Output, name: string, problems: readonly Problem[], jobId: number): void {
  if (output.json) {
    for (const { path, code, reason } of problems)
      output.object({ type: 'problem', collection: name, path, code, reason })
    return
  }
  const fresh = problems.filter(problem => problem.job_id === jobId)
  for (const { path, reason } of fresh.slice(0, maxShown)) output.warn(`  ${forTerminal(path)}: ${forTerminal(reason)}`)
  if (fresh.length > maxShown) output.warn(`  and ${fresh.length - maxShown} more${output.quiet ? `. ${remedy}` : ''}`)
}

/** Awaits `scan`. If another scan of the collection is running, fails if `isOnly`, else warns and returns null. */
export async function awaitUnlessBusy<T>(
  output: Output,
  { id, name }: { id: number; name: string },
  isOnly: boolean,
  scan: Promise<T>,
): Promise<T | null> {
  try {
    return await scan
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'busy' || isOnly) throw error
    output.warn(`keepsake: ${forTerminal(name)}: ${error.message}`)
    if (output.json) output.object({ type: 'collection', id, name, state: 'busy' })
    return null
  }
}

/** Prints the number of problems after all scans. Not a warning, so that cron does not mail old ones each night. */
export function printProblemCount(output: Output, problems: number): void {
  if (problems > 0) output.say(`${plural(problems, 'problem')}. ${remedy}`)
}
