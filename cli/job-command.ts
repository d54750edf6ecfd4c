/** Commands that run a job: queue it, show its progress, print its result. */
import type { Command } from 'commander'
import type { Job } from '../schema/api/jobs.ts'
import { Failure } from '../schema/errors.ts'
import { plural } from '../schema/figures.ts'
import { activityText } from '../schema/job-words.ts'
import { countsText, printJobEnd } from './finish-job.ts'
import type { Output } from './output.ts'
import { type Session, withSession } from './session.ts'

/** A queued job with the history step that it makes, or an exit code if there is no job (`--dry-run`). */
export type Started = { job: number; step?: string } | { exit: number }

/** The queued job that a killed process left behind, if that is why a command is refused with `busy`; else null. */
async function leftBehindJob(error: unknown): Promise<{ id: number; kind: string } | null> {
  if (!(error instanceof Failure) || error.code !== 'busy') return null
  const { job } = await import('../schema/api/jobs.ts')
  const { data } = job.safeParse(error.current)
  return data?.state === 'queued' ? data : null
}

/** Maximum number of left-behind jobs that a command finishes before its own. */
const maxLeftBehind = 5

/** Prints the result of a left-behind job, whose counts do not belong to the command's own job. */
function printFinished(output: Output, job: Job, what: string): void {
  if (output.json) output.object({ type: 'job', ...job })
  if (job.state !== 'done') return
  const figures = countsText(job)
  output.say(`'${what}' is finished${figures === '' ? '' : `. Since it was resumed: ${figures}`}.`)
  if (job.problems > 0) output.warn(`${plural(job.problems, 'problem')}. See: keepsake problems`)
}

/** Queues a job. A conflicting, unfinished job of a killed command is completed first. */
async function startJob(session: Session, start: (session: Session) => Promise<Started>): Promise<Started> {
  const { output, signal } = session
  for (let tries = 0; ; tries++) {
    try {
      return await start(session)
    } catch (error) {
      const left = await leftBehindJob(error)
      if (left === null || session.here === null || tries >= maxLeftBehind || signal.aborted) throw error
      const { id, kind } = left
      output.warn(`'${activityText(kind)}' was interrupted and is finished first.`)
      const job = await session.finish(id, kind)
      printFinished(output, job, activityText(kind))
      signal.throwIfAborted()
      if (job.state === 'cancelled') throw error
    }
  }
}

export function undoWords(step: string): string {
  return `Undo: keepsake history undo ${step}`
}

type PrintResult = (job: Job, output: Output, title: string, more: object) => number

/** Queues a job with `start`, waits for it and prints the result. */
export async function runJob(
  session: Session,
  title: string,
  start: (session: Session) => Promise<Started>,
  end: PrintResult = printJobEnd,
): Promise<number> {
  const { output } = session
  const startedJob = await startJob(session, start)
  if ('exit' in startedJob) return startedJob.exit
  const job = await session.finish(startedJob.job, title)
  // If nothing changed, the history has no step.
  const done = job.counts.changed ?? job.counts.moved
  const step = done === 0 ? undefined : startedJob.step
  const code = end(job, output, title, step === undefined ? {} : { step })
  if (step !== undefined) output.say(undoWords(step))
  return code
}

/** A command that runs one job. `end` prints the result in its own words. */
export function jobCommand(
  command: Command,
  title: string,
  start: (session: Session) => Promise<Started>,
  end?: PrintResult,
): Promise<never> {
  return withSession(command, session => runJob(session, title, start, end), { stopsCleanly: true })
}
