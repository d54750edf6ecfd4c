/** `keepsake problems`: files that could not be read, shown, moved or written. */
import { Command } from 'commander'
import { collectionOf } from '../collection-of.ts'
import { forTerminal, plural } from '../output.ts'
import { withLibrary } from '../with-library.ts'

export function problemsCommand(): Command {
  return new Command('problems')
    .description('list files that could not be read, shown, moved or written, and why')
    .argument('[collection]', 'name, id or directory; without it, all')
    .option('--json', 'one object a line')
    .action((word: string | undefined, options: { json?: boolean }, command: Command) =>
      withLibrary(command, options, async ({ library, client, output }) => {
        const chosen = word === undefined ? null : await collectionOf(library, word)
        const problems = await client.jobs.problems({ params: { collectionId: chosen?.id ?? 0 } })
        const names = new Map(library.collections.all().map(row => [row.id, row.name]))
        let heading = 0
        for (const problem of problems) {
          if (output.json) {
            output.object({ type: 'problem', ...problem, collection: names.get(problem.collection_id) ?? '' })
            continue
          }
          if (problem.collection_id !== heading) output.line(forTerminal(names.get(problem.collection_id) ?? ''))
          heading = problem.collection_id
          output.line(`  ${forTerminal(problem.path)}: ${forTerminal(problem.reason)}`)
        }
        if (output.json) output.object({ type: 'summary', schema: 1, problems: problems.length })
        else output.say(problems.length === 0 ? 'No problems.' : plural(problems.length, 'problem'))
        return problems.length === 0 ? 0 : 3
      }),
    )
}
