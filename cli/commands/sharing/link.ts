/** `keepsake link`: links that show items to anyone who has their address. */
import { Command } from 'commander'
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { Calls } from '../../../schema/api/calls.ts'
import type { Client } from '../../../schema/api/contract.ts'
import type { Link } from '../../../schema/api/shares.ts'
import { Failure } from '../../../schema/errors.ts'
import { figure } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import { chosenItemIds, type ItemChoice, withMissingItemNamed } from '../../items/item-choice.ts'
import { requireAtMostOne } from '../../options.ts'
import { dayOf, printList } from '../../output.ts'
import { type DryRun, dryRunOption, rehearseChange } from '../../plans/dry-run.ts'
import { readSecret, readSecretFile } from '../../secret.ts'
import { inSession, parseId, requireUserSession, type Session, withNotFoundMessage } from '../../session.ts'
import { resolveAlbum } from '../albums/album-named.ts'
import { parseDay, resolvePerson } from '../people/people.ts'

const kindText: Record<Link['kind'], string> = { items: 'chosen items', album: 'album', person: 'person' }

/** A link for `--json`, with the id of its cover. */
const linkJson = ({ cover, ...link }: Link) => ({ ...link, cover: cover?.id ?? null })

/** The address of the server's pages; '' if it is not known. */
const addressOf = ({ here, remote }: Session): string =>
  remote?.address ?? here?.library.settings.base_url.replace(/\/+$/, '') ?? ''

interface CreateOptions extends DryRun, Pick<ItemChoice, 'query'> {
  user?: string
  album?: string
  person?: string
  title?: string
  expires: string
  password?: boolean
  passwordFile?: string
  originals?: boolean
  details?: boolean
}

const lengths: Record<string, number> = { '24h': 86_400, '48h': 2 * 86_400, '1week': 7 * 86_400 }

/** Parses the value of `--expires` as seconds since the epoch; null means never. A given day is the link's last. */
function parseExpiry(text: string, { here }: Session): number | null {
  if (text === 'never') return null
  const length = lengths[text]
  if (length !== undefined) return Math.floor((here?.library.clock ?? Date).now() / 1000) + length
  const day = parseDay(text)
  if (day !== null) return day + 86_399
  throw new Failure('invalid', `--expires takes 24h, 48h, 1week, never, or a day such as 2030-05-17, not '${text}'.`)
}

async function passwordOf({ password, passwordFile: path }: CreateOptions): Promise<string | null> {
  if (password !== true && path === undefined) return null
  const line = path === undefined ? await readSecret('Password: ') : await readSecretFile(path)
  if (line === '') throw new Failure('invalid', 'A password is not empty')
  return line
}

/** The album, person or items that the link shows. */
async function resolveSubject(session: Session, words: readonly string[], { album, person, query }: CreateOptions) {
  if (album !== undefined) return { album: (await resolveAlbum(session, album)).id }
  if (person !== undefined) return { person: (await resolvePerson(session, person)).id }
  const choice = query === undefined ? {} : { query }
  return { items: await chosenItemIds(session, words, choice, { maxItems: limits.maxLinkItems }) }
}

async function create(commandSession: Session, words: readonly string[], options: CreateOptions): Promise<number> {
  const { album, person, query, title, password, passwordFile, originals, details, dryRun } = options
  const isGiven = { '--album': album !== undefined, '--person': person !== undefined, '--query': query !== undefined }
  requireAtMostOne({ ids: words.length > 0, ...isGiven })
  requireAtMostOne({ '--password': password, '--password-file': passwordFile !== undefined })
  const readsIds = words.includes('-') || (words.length === 0 && !Object.values(isGiven).includes(true))
  if (password === true && readsIds)
    throw new Failure('invalid', 'Standard input has the password: give the ids, or use --password-file.')
  const session = await requireUserSession(commandSession, options.user)
  const { output } = session
  const expires = parseExpiry(options.expires, session)
  const subject = await resolveSubject(session, words, options)
  const body = {
    ...subject,
    title,
    expires,
    password: await passwordOf(options),
    originals: originals === true,
    details: details === true,
  }
  const change = ({ links }: Client<Calls>) => links.create({ body })
  const items = subject.items ?? []
  if (dryRun === true)
    return withMissingItemNamed(
      session,
      items,
      rehearseChange(session, change, 'A link would be created.', { links: 1 }),
    )
  const link = await withMissingItemNamed(session, items, change(session.client))
  const path = `/link/${link.name}`
  const address = addressOf(session)
  if (output.json) output.object({ type: 'link', ...linkJson(link), path, ...(address && { address: address + path }) })
  else for (const line of address === '' ? [path] : [path, address + path]) output.line(line)
  const until = expires === null ? 'until it is ended' : `until ${dayOf(expires)}`
  output.end({ links: 1 }, `The link is open ${until}. Its id is ${link.id}.`)
  return 0
}

async function list({ client, output }: Session): Promise<number> {
  const { links } = await client.links.list()
  return printList(output, links.map(linkJson), {
    type: 'link',
    countName: 'links',
    heading: ['ID', 'LINK', 'ITEMS', 'OWNER', 'ENDS', 'OPENED'],
    none: 'No links.',
    row: ({ id, title, kind, items, username, active, expires, views }) => [
      String(id),
      title === '' ? kindText[kind] : title,
      figure(items),
      username,
      active ? dayOf(expires, 'never') : 'ended',
      figure(views),
    ],
  })
}

async function end(session: Session, word: string, { dryRun }: DryRun): Promise<number> {
  const id = parseId(word, 'link', 'keepsake link list')
  const missing = `There is no link ${id}. See: keepsake link list`
  const change = ({ links }: Client<Calls>) => links.end({ params: { id } })
  if (dryRun === true)
    return withNotFoundMessage(missing, rehearseChange(session, change, `Link ${id} would be ended.`, { links: 1 }))
  await withNotFoundMessage(missing, change(session.client))
  session.output.end({ ended: id }, forTerminal(`Link ${id} is ended.`))
  return 0
}

export function linkCommand(): Command {
  const link = new Command('link').description('list, make and end links to items, albums and people')
  link.command('list').description('list links, newest first').action(inSession(list))
  link
    .command('create')
    .description('make a link to items, an album or a person, and print its address')
    .argument('[ids...]', 'item ids; without any, or with -, they are read from standard input')
    .option('--query <query>', 'items that match this query now (as in the search box)')
    .option('--album <album>', 'id or name of an album')
    .option('--person <person>', 'id or name of a person')
    .option('--user <name>', 'whose link it is; with --server, that of the user of --token')
    .option('--title <text>', 'title that visitors see')
    .option('--expires <time>', 'when it ends: 24h, 48h, 1week, never, or its last day such as 2030-05-17', '24h')
    .option('--password', 'ask for a password, or read it from standard input; visitors must give it')
    .option('--password-file <file>', 'read the password from the first line of this file')
    .option('--originals', 'visitors download the files themselves, not smaller pictures without metadata')
    .option('--details', 'visitors see places and names, which also stay in originals')
    .option(...dryRunOption)
    .action(inSession(create))
  link
    .command('end')
    .description('end a link at once')
    .argument('<id>', 'link id')
    .option(...dryRunOption)
    .action(inSession(end))
  return link
}
