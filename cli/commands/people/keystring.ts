/** `keepsake keystring`: the words of keywords, categories and authors. */
import { Command, Option } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { Keystring } from '../../../schema/api/keystrings.ts'
import { Failure } from '../../../schema/errors.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { keystringTags } from '../../../schema/limits.ts'
import { runJob } from '../../job-command.ts'
import { sameText } from '../../options.ts'
import { printList } from '../../output.ts'
import { type DryRun, dryRunOption, printDryRun, rehearseChange, requireStartable } from '../../plans/dry-run.ts'
import { inSession, type Session } from '../../session.ts'

type Tag = (typeof keystringTags)[number]

async function list({ client, output }: Session, { tag }: { tag?: Tag }): Promise<number> {
  const words =
    tag === undefined ? await client.keystrings.listAll() : await client.keystrings.byTag({ params: { tag } })
  return printList(output, words, {
    type: 'keystring',
    countName: 'keystrings',
    heading: ['ID', 'ITEMS', 'STATE', 'WORD'],
    none: 'No keystrings.',
    row: ({ id, content, itemcount, isHidden, isAssociatedItemsHidden }) => [
      String(id),
      figure(itemcount),
      isAssociatedItemsHidden ? 'hides items' : isHidden ? 'hidden' : '',
      content,
    ],
  })
}

/** The keystring with this content or, if there is none, with this id. */
async function resolveKeystring({ client }: Session, word: string): Promise<Keystring> {
  const all = await client.keystrings.listAll()
  const found = all.find(({ content }) => sameText(content, word)) ?? all.find(({ id }) => String(id) === word)
  if (found !== undefined) return found
  throw new Failure('notFound', `There is no keystring '${word}'. See: keepsake keystring list`)
}

interface Changes {
  content?: string
  isHidden?: boolean
  isAssociatedItemsHidden?: boolean
}

async function change(
  session: Session,
  word: string,
  changes: Changes,
  what: string,
  { dryRun }: DryRun,
): Promise<number> {
  const { client, output } = session
  const { id, content, itemcount } = await resolveKeystring(session, word)
  if (dryRun) {
    const words = `'${content}' (${plural(itemcount, 'item')}) would be ${what}.`
    const request = { params: { id }, body: changes }
    return rehearseChange(session, ({ keystrings }) => keystrings.update(request), words, {
      keystring: id,
      items: itemcount,
    })
  }
  const changed = await client.keystrings.update({ params: { id }, body: changes })
  if (output.json) output.object({ type: 'keystring', ...changed })
  output.end({ keystrings: 1 }, forTerminal(`'${content}' is ${what}.`))
  return 0
}

async function merge(session: Session, word: string, otherWord: string, { dryRun = false }: DryRun): Promise<number> {
  const [kept, other] = [await resolveKeystring(session, word), await resolveKeystring(session, otherWord)]
  if (dryRun) {
    const params = { id: kept.id, otherId: other.id }
    await requireStartable(session, ({ keystrings }) => keystrings.merge({ params }))
    const words = `${plural(other.itemcount, 'item')} of '${other.content}' would get '${kept.content}' instead.`
    return printDryRun(session.output, words, { items: other.itemcount })
  }
  return runJob(session, 'Merge', async ({ client }) => {
    const { taskid, step } = await client.keystrings.merge({ params: { id: kept.id, otherId: other.id } })
    return { job: taskid, step }
  })
}

type Options = DryRun & { items?: boolean }

export function keystringCommand(): Command {
  const keystring = new Command('keystring').description('manage keywords, categories and authors')
  keystring
    .command('list')
    .description('list keystrings with their number of items')
    .addOption(new Option('--tag <tag>', 'only those used in this tag set').choices(keystringTags))
    .action(inSession(list))
  keystring
    .command('rename')
    .description('rename a word everywhere')
    .argument('<keystring>', 'the word, or its id')
    .argument('<content>', 'the new word')
    .option(...dryRunOption)
    .action(
      inSession((session, word: string, content: string, options: Options) =>
        change(session, word, { content }, `called '${content}' now`, options),
      ),
    )
  keystring
    .command('hide')
    .description('hide a word; with --items, hide its items too')
    .argument('<keystring>', 'the word, or its id')
    .option('--items', 'also hide its items: only users who unlocked hidden items see them')
    .option(...dryRunOption)
    .action(
      inSession((session, word: string, options: Options) =>
        options.items === true
          ? change(session, word, { isHidden: true, isAssociatedItemsHidden: true }, 'hidden with its items', options)
          : change(session, word, { isHidden: true }, 'hidden', options),
      ),
    )
  keystring
    .command('show')
    .description('show a word and its items again')
    .argument('<keystring>', 'the word, or its id')
    .option(...dryRunOption)
    .action(
      inSession((session, word: string, options: Options) =>
        change(session, word, { isHidden: false, isAssociatedItemsHidden: false }, 'shown again', options),
      ),
    )
  keystring
    .command('merge')
    .description('merge two words: items of the other get this one instead')
    .argument('<keystring>', 'the word to keep, or its id')
    .argument('<other>', 'the other word, or its id')
    .option(...dryRunOption)
    .action(inSession(merge, { stopsCleanly: true }))
  return keystring
}
