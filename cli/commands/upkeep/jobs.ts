/** `keepsake jobs`: running and finished jobs; `jobs watch`, `jobs cancel`. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { Job } from '../../../schema/api/jobs.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { isOver } from '../../../schema/job-words.ts'
import { printList } from '../../output.ts'
import { type DryRun, dryRunOption, rehearseChange } from '../../plans/dry-run.ts'
import {
  collectionNames,
  inSession,
  type LocalLibrary,
  parseId,
  type Session,
  withNotFoundMessage,
} from '../../session.ts'

const listCommand = 'keepsake jobs --all'
const pollMs = 500

function progressOf({ done, total }: Pick<Job, 'done' | 'total'>): string {
  return total === null ? figure(done) : `${figure(done)} of ${figure(total)}`
}

async function list(session: Session, { all = false }: { all?: boolean }): Promise<number> {
  const { client, output, here } = session
  await here?.library.jobs.recover()
  const found = await client.jobs.list({ query: { state: all ? 'all' : 'active' } })
  const names = output.json || found.length === 0 ? new Map<number, string>() : await collectionNames(session)
  return printList(output, found, {
    type: 'job',
    countName: 'jobs',
    heading: ['ID', 'KIND', 'COLLECTION', 'STATE', 'DONE', ''],
    none: all ? 'No jobs.' : 'No active jobs. To include ended ones: --all',
    row: job => [
      String(job.id),
      job.kind,
      job.collection_id === null ? '' : (names.get(job.collection_id) ?? ''),
      job.state,
      progressOf(job),
      job.error ?? job.message,
    ],
  })
}

/** Whether none of the jobs runs, and no server runs that could start them. */
async function jobsWaitForServer(here: LocalLibrary | null, jobs: readonly Job[]): Promise<boolean> {
  if (here === null || jobs.some(({ state }) => state === 'running')) return false
  const { isServerRunning } = await import('../../../core/kernel/data/server-lock.ts')
  return !isServerRunning(here.library.data)
}

/** Prints a line whenever a job changes, until the job `id` (if null: every active job) has ended. */
async function watch({ client, output, here }: Session, id: number | null): Promise<number> {
  const printed = new Map<number, string>()
  const watched = new Map<number, Job>()
  for (;;) {
    await here?.library.jobs.recover()
    const active = id === null ? await client.jobs.list({ query: { state: 'active' } }) : []
    const ids = id === null ? new Set([...watched.keys(), ...active.map(job => job.id)]) : new Set([id])
    for (const one of [...ids].sort((a, b) => a - b)) {
      const known = watched.get(one)
      if (known !== undefined && isOver(known)) continue
      const job = await withNotFoundMessage(
        `There is no job ${one}. See: ${listCommand}`,
        client.jobs.get({ params: { id: one } }),
      )
      watched.set(one, job)
      const line =
        `${job.id}  ${job.kind}  ${job.state}  ${progressOf(job)}  ${forTerminal(job.error ?? job.message)}`.trimEnd()
      if (printed.get(one) === line) continue
      printed.set(one, line)
      if (output.json) output.object({ type: 'job', ...job })
      else output.line(line)
    }
    if ([...watched.values()].every(isOver)) break
    if (await jobsWaitForServer(here, [...watched.values()])) {
      const code = id === null ? 0 : 11
      const state = code === 0 ? 'done' : 'busy'
      output.end(
        { state, jobs: watched.size, failed: 0, waiting: true },
        'The jobs wait until a server runs: keepsake serve',
      )
      return code
    }
    await Bun.sleep(pollMs)
  }
  const ended = [...watched.values()]
  const countOf = (state: Job['state']) => ended.filter(job => job.state === state).length
  const [failed, stopped, cancelled] = [countOf('failed'), countOf('stopped'), countOf('cancelled')]
  // The worst result of the jobs, with the exit code that the job's own command would have.
  const [code, how] =
    failed > 0
      ? [1, { state: 'failed', error: `${plural(failed, 'job')} failed.` }]
      : stopped > 0
        ? [7, { state: 'stopped' }]
        : cancelled > 0
          ? [130, { state: 'interrupted' }]
          : [ended.some(({ problems }) => problems > 0) ? 3 : 0, {}]
  output.end({ ...how, jobs: ended.length, failed, stopped, cancelled }, ended.length === 0 ? 'No jobs.' : undefined)
  return code
}

async function cancel(session: Session, word: string, { dryRun }: DryRun): Promise<number> {
  const { client, output } = session
  const id = parseId(word, 'job', listCommand)
  const missing = `There is no job ${id}. See: ${listCommand}`
  const before = await withNotFoundMessage(missing, client.jobs.get({ params: { id } }))
  if (dryRun)
    return rehearseChange(
      session,
      ({ jobs }) => jobs.cancel({ params: { id } }),
      `Job ${id} (${before.state}) would be asked to stop.`,
    )
  const job = await withNotFoundMessage(missing, client.jobs.cancel({ params: { id } }))
  if (output.json) output.object({ type: 'job', ...job })
  const now = isOver(before)
    ? `had already ended: ${job.state}`
    : job.state === 'running'
      ? 'is stopping'
      : `is ${job.state}`
  output.end({ state: 'done' }, `Job ${job.id} (${job.kind}) ${now}.`)
  return 0
}

export function jobsCommand(): Command {
  const jobs = new Command('jobs').description('list, follow and stop jobs')
  jobs
    .command('list', { isDefault: true })
    .description('list jobs, newest first')
    .option('--all', 'include jobs that have ended')
    .action(inSession(list))
  jobs
    .command('watch')
    .description('follow jobs until they end: one line per change')
    .argument('[id]', 'job id; without it, all active jobs')
    .action(
      inSession(async (session, word: string | undefined) =>
        watch(session, word === undefined ? null : parseId(word, 'job', listCommand)),
      ),
    )
  jobs
    .command('cancel')
    .description('ask a job to stop; what it has done so far is kept')
    .argument('<id>', 'job id')
    .option(...dryRunOption)
    .action(inSession(cancel))
  return jobs
}
