/** `keepsake problems`: files that could not be read, shown, moved or written. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { plural } from '../../../schema/figures.ts'
import { collectionNames, inSession, resolveCollection } from '../../session.ts'

export function problemsCommand(): Command {
  return new Command('problems')
    .description('list files that could not be read, shown, moved or written, with the reason')
    .argument('[collection]', 'name, id or directory; without it, all collections')
    .action(
      inSession(async (session, word: string | undefined) => {
        const { client, output } = session
        const chosen = word === undefined ? null : await resolveCollection(session, word)
        const problems = await client.jobs.problems({ params: { collectionId: chosen?.id ?? 0 } })
        const names = await collectionNames(session)
        let headed = 0
        for (const problem of problems) {
          if (output.json) {
            output.object({ type: 'problem', ...problem, collection: names.get(problem.collection_id) ?? '' })
            continue
          }
          if (problem.collection_id !== headed) output.line(forTerminal(names.get(problem.collection_id) ?? ''))
          headed = problem.collection_id
          output.line(`  ${forTerminal(problem.path)}: ${forTerminal(problem.reason)}`)
        }
        output.end(
          { problems: problems.length },
          problems.length === 0 ? 'No problems.' : plural(problems.length, 'problem'),
        )
        return problems.length === 0 ? 0 : 3
      }),
    )
}
