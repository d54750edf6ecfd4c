/** `keepsake jobs`: what is being done and what was done; `keepsake jobs cancel`. */
import { Command } from 'commander'
import { endWith } from '../exit.ts'
import { openFor } from '../options.ts'
import { createOutput, endingWithSummary, figure, forTerminal, table } from '../output.ts'

export function jobsCommand(): Command {
  const jobs = new Command('jobs').description('list jobs, newest first')
  jobs
    .option('--all', 'also those that have ended')
    .option('--json', 'one object a line')
    .action((options: { json?: boolean; all?: boolean }, command: Command) =>
      endWith(async () => {
        const library = await openFor(command, { create: false })
        const { terminalViewer } = await import('../../core/access.ts')
        const output = createOutput(options)
        await library.jobs.recover()
        const list = await library
          .as(terminalViewer)
          .jobs.list({ query: { state: options.all === true ? 'all' : 'active' } })
        if (output.json) {
          for (const job of list) output.object({ type: 'job', ...job })
          output.object({ type: 'summary', schema: 1, jobs: list.length })
        } else if (list.length === 0) output.say('No jobs.')
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
        library.close()
        return 0
      }),
    )
  jobs
    .command('cancel')
    .description('ask a job to stop; what it has done stays')
    .argument('<id>', 'id of the job')
    .option('--json', 'one object a line')
    .action((id: string, _options: object, command: Command) =>
      endWith(() => {
        // The option may be taken for that of `jobs` itself.
        const output = createOutput(command.optsWithGlobals<{ json?: boolean }>())
        return endingWithSummary(output, async () => {
          const { Failure } = await import('../../schema/errors.ts')
          if (!/^[1-9]\d{0,14}$/.test(id)) throw new Failure('invalid', `'${id}' is no job id. See: keepsake jobs`)
          const library = await openFor(command, { create: false })
          const { terminalViewer } = await import('../../core/access.ts')
          const job = await library.as(terminalViewer).jobs.cancel({ params: { id: Number(id) } })
          if (output.json) {
            output.object({ type: 'job', ...job })
            output.object({ type: 'summary', schema: 1, state: 'done' })
          }
          output.say(`Job ${job.id} (${job.kind}) is ${job.state === 'running' ? 'being stopped' : job.state}.`)
          library.close()
          return 0
        })
      }),
    )
  return jobs
}
