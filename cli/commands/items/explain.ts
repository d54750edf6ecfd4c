/** `keepsake explain`: how a query is parsed. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import { plural } from '../../../schema/figures.ts'
import { inSession } from '../../session.ts'

export const quotesHelp = `Double a quotation mark within quotes: keyword:="12"" film"`

export function explainCommand(): Command {
  return new Command('explain')
    .description('show how a query is parsed, or where it is wrong')
    .argument('<query...>', 'a query, as for `item list` and the search box')
    .addHelpText(
      'after',
      `
The search language: words (in any order; a year is also when it was taken), "words in this order", and
  keyword: person: object: category: author: place: file: description:   words in that field; := matches the whole name
  in:COLLECTION  folder:2019/Rome  album:NAME  type:image|video  camera:NAME
  year:2019  year:2015..2018  month:7  date:2019-06..2020-02  added:2024-01..
  rating:4  rating:>=3  rating:none  favourite:yes  near:48.1,11.6,5km
Conditions are joined by AND; OR, NOT (or -) and parentheses work as usual.
${quotesHelp}`,
    )
    .action(
      inSession(async ({ client, output }, words: string[]) => {
        const q = words.join(' ')
        const { printed, lines, total_records } = await client.items.explain({ query: { q } })
        if (output.json) output.object({ type: 'query', query: q, printed, lines })
        else {
          for (const { depth, says } of lines) output.line(`${'  '.repeat(depth)}${forTerminal(says)}`)
          if (printed !== '') output.line(forTerminal(`in full: ${printed}`))
        }
        output.end({ items: total_records }, `It matches ${plural(total_records, 'item')}.`)
        return 0
      }),
    )
}
