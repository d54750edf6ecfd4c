/** Runs a job that a call has queued: here with a progress display, or watched where a server has taken it. */
import type { JobRow } from '../core/job-row.ts'
import type { Progress } from '../core/jobs.ts'
import type { Library } from '../core/library.ts'
import { forTerminal, isTerminal, type Output, plural } from './output.ts'

const lookMs = 400
const finished = new Set(['done', 'failed', 'cancelled', 'stopped'])

async function displayFor(output: Output) {
  if (output.json || output.quiet || !isTerminal()) return null
  const { createProgressDisplay } = await import('../ink-tui/progress-display.tsx')
  return createProgressDisplay()
}

function progressOf(row: JobRow): Progress {
  const counts: Record<string, number> = JSON.parse(row.counts)
  return { done: row.done, total: row.total, message: row.message, counts }
}

/** Somebody else has the job: his rows tell how far it is. An interruption asks it to stop, as it would here. */
async function watched(
  library: Library,
  id: number,
  signal: AbortSignal,
  onProgress: (now: Progress) => void,
): Promise<JobRow> {
  const { terminalViewer } = await import('../core/access.ts')
  let asked = false
  for (;;) {
    const row = library.jobs.row(id)
    if (row === null) throw new Error('the job is not there any more')
    onProgress(progressOf(row))
    if (finished.has(row.state)) return row
    if (signal.aborted && !asked) {
      asked = true
      await library.jobs.cancel(terminalViewer, id)
    }
    await library.jobs.recover()
    await Bun.sleep(lookMs)
  }
}

/**
 * Brings a job to its end and answers its row. Objects of `--json` tell how far it is once a second. A failure of the job
 * is thrown as it was foreseen.
 */
export async function runTask(
  library: Library,
  id: number,
  options: { title: string; output: Output; signal: AbortSignal },
): Promise<JobRow> {
  const { title, output, signal } = options
  const display = await displayFor(output)
  let last = 0
  function onProgress(progress: Progress) {
    display?.update(progress)
    if (!output.json || performance.now() - last < 1000) return
    last = performance.now()
    output.object({ type: 'progress', done: progress.done ?? 0, total: progress.total ?? null, ...progress.counts })
  }
  display?.begin(title)
  try {
    const row = (await library.jobs.run(id, { signal, onProgress })) ?? (await watched(library, id, signal, onProgress))
    if (row.state === 'failed') {
      const { Failure } = await import('../schema/errors.ts')
      throw new Failure('conflict', row.error ?? 'It failed. See: keepsake jobs --all')
    }
    return row
  } finally {
    display?.end()
  }
}

/** What a job counted, as words: '12 moved, 1 skipped'. */
export function countsText(row: JobRow): string {
  const counts: Record<string, number> = JSON.parse(row.counts)
  return Object.entries(counts)
    .map(([name, n]) => `${n} ${name}`)
    .join(', ')
}

/** Tells how a job ended, as words or as the summary of `--json`; answers the command's exit code. */
export function endOfTask(row: JobRow, output: Output, signal: AbortSignal, what: string): number {
  const counts: Record<string, number> = JSON.parse(row.counts)
  const state = row.state === 'cancelled' || signal.aborted ? 'interrupted' : row.state
  if (output.json) output.object({ type: 'summary', schema: 1, state, problems: row.problems, ...counts })
  else if (state === 'interrupted') output.warn('Interrupted. What was done stays whole; the same command goes on.')
  else {
    const figures = countsText(row)
    const words = figures === '' ? row.message || 'done' : figures
    // What a job says at its end, beside its figures: why some were skipped.
    const more = figures === '' || row.message === '' ? '' : ` ${forTerminal(row.message)}`
    output.say(`${what}: ${words}.${more}`)
    if (row.problems > 0) output.warn(`${plural(row.problems, 'problem')}. See: keepsake problems`)
  }
  if (state === 'interrupted') return 130
  return row.problems > 0 ? 3 : 0
}
