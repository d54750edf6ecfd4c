/** `keepsake scan --server URL`: starts scans on a server, and follows them. */
import type { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { Collection } from '../../../schema/api/collections.ts'
import { Failure } from '../../../schema/errors.ts'
import { printJobEnd } from '../../finish-job.ts'
import { resolveCollection, type Session, withSession } from '../../session.ts'
import type { DryRunTarget } from './scan-dry-run.ts'
import { awaitUnlessBusy, printProblemCount, printProblems } from './scan-problems.ts'

export interface ScanOptions {
  all?: boolean
  dryRun?: boolean
  full?: boolean
  jobs?: number
  acceptMissing?: boolean
  faces?: boolean
  new?: boolean
}

/** Prints what the scans would find; fails if the scans themselves would be refused. */
async function dryRunOnServer(
  session: Session,
  targets: readonly Collection[],
  query: { full: boolean; acceptMissing: boolean },
): Promise<number> {
  const { planner, output, signal } = session
  const { requireStartable } = await import('../../plans/dry-run.ts')
  const { dryRun } = await import('./scan-dry-run.ts')
  for (const { id } of targets)
    await requireStartable(session, ({ collections }) => collections.scan({ params: { id }, query }))
  const inspected = targets.map(({ id, name, path }) => {
    const predict: DryRunTarget['predict'] = report => planner.scan({ collection: id, ...query }, { signal, report })
    return { name, path, isNew: false, predict }
  })
  return dryRun(inspected, output)
}

async function scan(session: Session, word: string | undefined, options: ScanOptions): Promise<number> {
  const { client, output, signal } = session
  for (const [flag, given] of [
    ['--jobs', options.jobs],
    ['--faces', options.faces],
    ['--new', options.new],
  ] as const)
    if (given !== undefined && given !== false)
      throw new Failure(
        'invalid',
        `'keepsake scan ${flag}' works only on the machine of the library, without --server.`,
      )
  if ((options.all === true) === (word !== undefined))
    throw new Failure('invalid', 'What shall be scanned? Give a collection of the server, or --all.')
  const [, ...all] = await client.collections.list()
  const targets =
    word === undefined ? all.filter(({ rights }) => rights.admin) : [await resolveCollection(session, word)]
  if (targets.length === 0) throw new Failure('notFound', 'There are no collections that this token may scan.')
  const query = { full: options.full === true, acceptMissing: options.acceptMissing === true }
  if (options.dryRun === true) return dryRunOnServer(session, targets, query)
  let worst = 0
  const total: Record<string, number> = {}
  let problems = 0
  let busy = 0
  for (const { id, name } of targets) {
    // Checked before each scan, because a Ctrl-C after the last one does not interrupt anything.
    if (signal.aborted) {
      worst = 130
      break
    }
    const request = client.collections.scan({ params: { id }, query })
    const started = await awaitUnlessBusy(output, { id, name }, targets.length === 1, request)
    if (started === null) {
      busy++
      continue
    }
    const { taskid } = started
    const job = await session.finish(taskid, `Scanning ${name}`)
    printProblems(output, name, await client.jobs.problems({ params: { collectionId: id } }), taskid)
    if (output.json)
      output.object({ type: 'collection', id, name, state: job.state, ...job.counts, problems: job.problems })
    for (const [key, n] of Object.entries(job.counts)) total[key] = (total[key] ?? 0) + n
    problems += job.problems
    const wordsOnly = { ...output, json: false, end() {} }
    const stopped = job.state === 'stopped'
    if (stopped) output.warn(`keepsake: ${forTerminal(name)}: ${forTerminal(job.message)}`)
    // The collection's problems were already printed.
    const code = stopped ? 7 : printJobEnd({ ...job, problems: 0 }, wordsOnly, forTerminal(name))
    worst = Math.max(worst, code === 0 && job.problems > 0 ? 3 : code)
    if (worst === 130) break
  }
  if (worst !== 130) printProblemCount(output, problems)
  if (busy > 0 && worst < 7) worst = 11
  const states: Record<number, string> = { 130: 'interrupted', 11: 'busy', 7: 'stopped' }
  if (output.json) output.end({ state: states[worst] ?? 'done', collections: targets.length, ...total, problems })
  return worst
}

export function scanOnServer(word: string | undefined, options: ScanOptions, command: Command): Promise<never> {
  return withSession(command, session => scan(session, word, options), { stopsCleanly: true })
}
