/** `keepsake jobs`: what is being done and what was done; `keepsake jobs cancel`. */
import { Command } from 'commander'
import { figure, forTerminal, table } from '../output.ts'
import { named, withLibrary } from '../with-library.ts'

export function jobsCommand(): Command {
  const jobs = new Command('jobs').description('list jobs, newest first')
  jobs
    .option('--all', 'also those that have ended')
    .option('--json', 'one object a line')
    .action((options: { json?: boolean; all?: boolean }, command: Command) =>
      withLibrary(command, options, async ({ library, client, output }) => {
        await library.jobs.recover()
        const list = await client.jobs.list({ query: { state: options.all === true ? 'all' : 'active' } })
        if (output.json) {
          for (const job of list) output.object({ type: 'job', ...job })
          output.object({ type: 'summary', schema: 1, jobs: list.length })
        } else if (list.length === 0) output.say(options.all === true ? 'No jobs.' : 'No jobs. Those that ended: --all')
        else {
          const names = new Map(library.collections.all().map(row => [row.id, row.name]))
          const rows = list.map(job => [
            String(job.id),
            job.kind,
            forTerminal(job.collection_id === null ? '' : (names.get(job.collection_id) ?? '')),
            job.state,
            job.total === null ? figure(job.done) : `${figure(job.done)} of ${figure(job.total)}`,
            forTerminal(job.error ?? job.message),
          ])
          for (const line of table([['ID', 'KIND', 'COLLECTION', 'STATE', 'DONE', ''], ...rows])) output.line(line)
        }
        return 0
      }),
    )
  jobs
    .command('cancel')
    .description('ask a job to stop; what it has done stays')
    .argument('<id>', 'id of the job')
    .option('--json', 'one object a line')
    .action((id: string, _options: object, command: Command) =>
      // The option may be taken for that of `jobs` itself.
      withLibrary(command, command.optsWithGlobals<{ json?: boolean }>(), async ({ library, client, output }) => {
        const { Failure } = await import('../../schema/errors.ts')
        if (!/^[1-9]\d{0,14}$/.test(id)) throw new Failure('invalid', `'${id}' is no job id. See: keepsake jobs`)
        const before = library.jobs.row(Number(id))?.state
        const job = await named(
          `There is no job ${id}. See: keepsake jobs --all`,
          client.jobs.cancel({ params: { id: Number(id) } }),
        )
        if (output.json) {
          output.object({ type: 'job', ...job })
          output.object({ type: 'summary', schema: 1, state: 'done' })
        }
        const isOver = before !== 'running' && before !== 'queued'
        const now = isOver
          ? `had ended already: ${job.state}`
          : job.state === 'running'
            ? 'is being stopped'
            : `is ${job.state}`
        output.say(`Job ${job.id} (${job.kind}) ${now}.`)
        return 0
      }),
    )
  return jobs
}
