/** Runs a queued job here with a progress display, or watches it if a server has taken it. */

import { forTerminal } from '../core/kernel/terminal-text.ts'
import type { Library } from '../core/library.ts'
import type { Progress } from '../core/work/job-kind.ts'
import type { Calls } from '../schema/api/calls.ts'
import type { Client } from '../schema/api/contract.ts'
import type { Job } from '../schema/api/jobs.ts'
import { Failure } from '../schema/errors.ts'
import { plural } from '../schema/figures.ts'
import { isOver } from '../schema/job-words.ts'
import { isTerminal, type Output } from './output.ts'

const pollMs = 400

/** The live display; null without a terminal, and with `--json` or `--quiet`. */
export async function createDisplay(output: Output) {
  if (output.json || output.quiet || !isTerminal()) return null
  const { createProgressDisplay } = await import('../ink-tui/progress-display.tsx')
  return createProgressDisplay()
}

/** Follows a job that another process runs. An interruption cancels the job, as if it ran here. */
async function followJob(
  client: Client<Calls>,
  id: number,
  signal: AbortSignal,
  onProgress: (now: Progress) => void,
  library: Library | null,
): Promise<Job> {
  let cancelling = false
  for (;;) {
    const job = await client.jobs.get({ params: { id } })
    onProgress(job)
    if (isOver(job)) return job
    if (signal.aborted && !cancelling) {
      cancelling = true
      await client.jobs.cancel({ params: { id } })
    }
    // The job's process may have died: then the job is queued again, or fails.
    await library?.jobs.recover()
    await Bun.sleep(pollMs)
  }
}

/** Prints progress as objects of `--json` once per second, so that scripts can show it, too. */
export function progressObjects(output: Output, of: object = {}): (progress: Progress) => void {
  let last = 0
  return ({ done = 0, total = null, counts }) => {
    if (!output.json || performance.now() - last < 1000) return
    last = performance.now()
    output.object({ type: 'progress', ...of, done, total, ...counts })
  }
}

/** Waits for the end of a job and returns it; `library` is null with `--server`. Throws the job's failure. */
export async function finishJob(
  { library, client }: { library: Library | null; client: Client<Calls> },
  id: number,
  options: { title: string; output: Output; signal: AbortSignal },
): Promise<Job> {
  const { title, output, signal } = options
  const display = await createDisplay(output)
  const report = progressObjects(output)
  function onProgress(progress: Progress) {
    display?.update(progress)
    report(progress)
  }
  display?.begin(title)
  try {
    const row = (await library?.jobs.run(id, { signal, onProgress })) ?? null
    const { jobJson } = await import('../core/work/job-row.ts')
    const job = row === null ? await followJob(client, id, signal, onProgress, library) : jobJson(row)
    if (job.state === 'failed') {
      throw new Failure('conflict', job.error ?? 'It failed. See: keepsake jobs --all')
    }
    return job
  } finally {
    display?.end()
  }
}

/** A job's counts: '12 moved, 1 skipped'. */
export function countsText({ counts }: Pick<Job, 'counts'>): string {
  return Object.entries(counts)
    .map(([name, n]) => `${n} ${name}`)
    .join(', ')
}

/** Prints how a job ended, or the summary of `--json` with `more`; returns the command's exit code. */
export function printJobEnd(job: Job, output: Output, what: string, more: object = {}): number {
  // Only the job's state counts, because a Ctrl-C after its end did not interrupt anything.
  const state = job.state === 'cancelled' ? 'interrupted' : job.state
  const figures = countsText(job)
  if (state === 'stopped') {
    if (figures !== '') output.say(`${what}: ${figures}.`)
    output.warn(`keepsake: ${forTerminal(job.message)}`)
  }
  if (output.json) {
    const why = state === 'stopped' ? { error: job.message } : {}
    output.end({ state, problems: job.problems, ...job.counts, ...why, ...more })
  } else if (state === 'stopped') return 7
  else if (state === 'interrupted')
    output.warn('Interrupted. Finished work is kept; run the same command again to continue.')
  else {
    const words = figures === '' ? forTerminal(job.message) || 'done' : figures
    // The job's own message besides its counts, such as why some were skipped.
    const reasons = figures === '' || job.message === '' ? '' : ` ${forTerminal(job.message)}`
    output.say(`${what}: ${words}.${reasons}`)
    if (job.problems > 0) output.warn(`${plural(job.problems, 'problem')}. See: keepsake problems`)
  }
  if (state === 'interrupted') return 130
  if (state === 'stopped') return 7
  return job.problems > 0 ? 3 : 0
}
