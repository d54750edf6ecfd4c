/** `keepsake problems`: files that could not be read or shown. */
import { Command } from 'commander'
import { endWith } from '../exit.ts'
import { openFor } from '../options.ts'
import { createOutput, forTerminal, plural } from '../output.ts'

export function problemsCommand(): Command {
  return new Command('problems')
    .description('list files that could not be read or shown, and why')
    .argument('[collection]', 'name, id or directory; without it, all')
    .option('--json', 'one object a line')
    .action((word: string | undefined, options: { json?: boolean }, command: Command) =>
      endWith(async () => {
        const library = await openFor(command, { create: false })
        const { terminalViewer } = await import('../../core/access.ts')
        const output = createOutput(options)
        const chosen =
          word === undefined ? null : (await library.collections.resolve(terminalViewer, word, { create: false })).row
        const problems = await library.as(terminalViewer).jobs.problems({ params: { collectionId: chosen?.id ?? 0 } })
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
        library.close()
        return problems.length === 0 ? 0 : 3
      }),
    )
}
