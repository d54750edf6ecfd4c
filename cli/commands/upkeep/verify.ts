/** `keepsake verify`: compares the files with the library. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { plural } from '../../../schema/figures.ts'
import { runJob } from '../../job-command.ts'
import { requireLocalLibrary, resolveCollection, withSession } from '../../session.ts'

interface VerifyOptions {
  collection?: string
  restart?: boolean
}

export function verifyCommand(): Command {
  return new Command('verify')
    .description('read every file and compare it with its record: changed, corrupt, missing; nothing is written')
    .option('--collection <collection>', 'only this collection: name, id or directory')
    .option('--restart', 'start over instead of continuing an interrupted run')
    .action((options: VerifyOptions, command: Command) =>
      withSession(
        command,
        async session => {
          const { output, client } = session
          const { library, viewer } = requireLocalLibrary(session)
          const { verifyCodes } = await import('../../../core/exchange/verify-job.ts')
          const chosen = options.collection === undefined ? null : await resolveCollection(session, options.collection)
          const request = { collectionId: chosen?.id ?? null, restart: options.restart === true }
          let checked = 0
          let interrupted = false
          let problems = 0
          const code = await runJob(
            session,
            'Verify',
            async () => ({ job: await library.verify(viewer, request) }),
            // Prints no summary yet, because the problems are printed first.
            job => {
              checked = job.counts.checked ?? 0
              interrupted = job.state === 'cancelled'
              return 0
            },
          )
          if (interrupted) {
            output.end({ state: 'interrupted' }, 'Interrupted. Run the same command again to continue.')
            return 130
          }
          const counts: Record<string, number> = {}
          const kinds: Readonly<Record<string, string>> = verifyCodes
          for (const problem of await client.jobs.problems({ params: { collectionId: chosen?.id ?? 0 } })) {
            const kind = kinds[problem.code]
            if (kind === undefined) continue
            counts[kind] = (counts[kind] ?? 0) + 1
            problems++
            const { path, reason, collection_id: collection, item_id: item } = problem
            if (output.json) output.object({ type: 'problem', kind, collection, item, path, reason })
            else output.line(`${kind.padEnd(10)}  ${forTerminal(path)}: ${forTerminal(reason)}`)
          }
          const full = Object.fromEntries(Object.values(verifyCodes).map(kind => [kind, counts[kind] ?? 0]))
          const words = Object.entries(full).map(([kind, n]) => `${n} ${kind}`)
          const summary = { state: 'done', checked, problems, ...full }
          output.end(summary, `${plural(checked, 'file')} verified: ${words.join(', ')}.`)
          return problems > 0 ? 3 : code
        },
        { stopsCleanly: true },
      ),
    )
}
