/** `keepsake favourite list|add|remove`: the items that a user has marked for themselves. */
import { Command } from 'commander'
import type { Calls } from '../../../schema/api/calls.ts'
import type { Client } from '../../../schema/api/contract.ts'
import { plural } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import { chosenItemIds, type ItemChoice, withMissingItemNamed } from '../../items/item-choice.ts'
import { type DryRun, dryRunOption, printDryRun } from '../../plans/dry-run.ts'
import { inSession, requireUserSession, type Session } from '../../session.ts'
import { listItems } from './item.ts'

interface UserOption {
  user?: string
}

async function change(
  commandSession: Session,
  words: readonly string[],
  { favourite, ...options }: UserOption & ItemChoice & DryRun & { favourite: boolean },
): Promise<number> {
  const { dryRun, ...choice } = options
  const session = await requireUserSession(commandSession, options.user)
  const chosen = await chosenItemIds(session, words, choice)
  let changed = 0
  for (let from = 0; from < chosen.length; from += limits.maxFavourites) {
    const items = chosen.slice(from, from + limits.maxFavourites)
    const set = (one: Client<Calls>) => one.favourites.set({ body: { items, favourite } })
    const work = dryRun === true ? session.rehearse(set) : set(session.client)
    changed += (await withMissingItemNamed(session, items, Promise.resolve(work)))?.changed ?? 0
  }
  if (dryRun === true)
    return printDryRun(
      session.output,
      `${plural(chosen.length, 'favourite')} would be ${favourite ? 'added' : 'removed'}.`,
      {
        items: chosen.length,
      },
    )
  const unchanged = chosen.length - changed
  session.output.end(
    { items: changed, unchanged },
    `${plural(changed, 'favourite')} ${favourite ? 'added' : 'removed'}${unchanged === 0 ? '' : `, ${unchanged} unchanged`}.`,
  )
  return 0
}

export function favouriteCommand(): Command {
  const favourite = new Command('favourite').description('list and change the favourites of a user')
  const user = ['--user <name>', 'whose favourites; with --server, those of the user of --token'] as const
  favourite
    .command('list')
    .description('list the favourites of a user, newest first')
    .option(...user)
    .action(
      inSession(async (session, options: UserOption) =>
        listItems(await requireUserSession(session, options.user), 'favourite:yes', {}),
      ),
    )
  for (const [name, isFavourite, description] of [
    ['add', true, 'mark items as favourites of a user'],
    ['remove', false, 'remove items from the favourites of a user; the items stay'],
  ] as const)
    favourite
      .command(name)
      .description(description)
      .argument('[ids...]', 'item ids; without any, or with -, they are read from standard input')
      .option('--query <query>', 'items that match this query (as in the search box)')
      .option(...user)
      .option(...dryRunOption)
      .action(
        inSession((session, words: string[], options: UserOption & ItemChoice & DryRun) =>
          change(session, words, { ...options, favourite: isFavourite }),
        ),
      )
  return favourite
}
