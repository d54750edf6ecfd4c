/** Commands that have a job done: queued, shown while it runs, and told of when it has ended. */
import type { Command } from 'commander'
import type { Viewer } from '../core/access.ts'
import type { JobRow } from '../core/job-row.ts'
import type { Library } from '../core/library.ts'
import { endWith, interruption } from './exit.ts'
import { openFor } from './options.ts'
import { createOutput, endingWithSummary, type Output } from './output.ts'
import { endOfTask, runTask } from './run-task.ts'

export interface TaskOptions {
  json?: boolean
  quiet?: boolean
  dryRun?: boolean
}

/** What a command has at hand. */
export interface TaskSession {
  library: Library
  viewer: Viewer
  output: Output
  signal: AbortSignal
}

/** A job that is queued, or an exit code where there is none (`--dry-run`). */
export type Started = { job: number } | { exit: number }

/** The job that stands in the way, where it only waits: a process that was killed has left it behind. */
async function leftBehind(error: unknown): Promise<{ id: number; kind: string } | null> {
  const { Failure } = await import('../schema/errors.ts')
  if (!(error instanceof Failure) || error.code !== 'busy') return null
  const { job } = await import('../schema/api/jobs.ts')
  const { data } = job.safeParse(error.current)
  return data?.state === 'queued' ? data : null
}

/** As often as one command finds something left behind. */
const mostLeftBehind = 5

/** Has a job queued. What a killed command has left unfinished in its way is brought to its end first. */
async function started(session: TaskSession, start: (session: TaskSession) => Promise<Started>): Promise<Started> {
  const { library, output, signal } = session
  for (let tries = 0; ; tries++) {
    try {
      return await start(session)
    } catch (error) {
      const left = await leftBehind(error)
      if (left === null || tries >= mostLeftBehind || signal.aborted) throw error
      const { id, kind } = left
      output.warn(`A ${kind} was interrupted. It is finished first.`)
      const row = await runTask(library, id, { title: kind, output, signal })
      if (row.state === 'cancelled' || signal.aborted) throw error
    }
  }
}

/** Opens the library, has a job queued by `start`, and brings it to its end. `end` tells of it in words of its own. */
export function task(
  command: Command,
  options: TaskOptions,
  title: string,
  start: (session: TaskSession) => Promise<Started>,
  end: (row: JobRow, output: Output, signal: AbortSignal, title: string) => number = endOfTask,
): Promise<never> {
  const output = createOutput(options)
  return endWith(() =>
    endingWithSummary(output, async () => {
      const signal = interruption()
      const library = await openFor(command, { create: false })
      const { terminalViewer } = await import('../core/access.ts')
      const session = { library, viewer: terminalViewer, output, signal }
      const begun = await started(session, start)
      const code =
        'exit' in begun
          ? begun.exit
          : end(await runTask(library, begun.job, { title, output, signal }), output, signal, title)
      library.close()
      return code
    }),
  )
}
