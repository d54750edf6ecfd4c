/** `keepsake album`: albums by hand and by search, their folders, items and members. */
import { Argument, Command, Option } from 'commander'
import { albumKindText, albumPath } from '../../../schema/album-words.ts'
import type { Album, AlbumRole } from '../../../schema/api/albums.ts'
import { figure } from '../../../schema/figures.ts'
import { albumSorts } from '../../../schema/limits.ts'
import type { ItemChoice } from '../../items/item-choice.ts'
import { dayOf, printList } from '../../output.ts'
import { type DryRun, dryRunOption } from '../../plans/dry-run.ts'
import { inSession, type Session, sessionAsUser } from '../../session.ts'
import { listItems } from '../items/item.ts'
import { changeItems, changeMember, create, remove, update } from './album-changes.ts'
import { findAlbum, listAlbums } from './album-named.ts'

interface UserOption {
  user?: string
}

function visibilityOf({ public: isPublic, private: isPrivate }: Album): string {
  return [...(isPublic ? ['public'] : []), ...(isPrivate ? ['private'] : [])].join(', ')
}

async function list(session: Session): Promise<number> {
  const all = await listAlbums(session)
  return printList(session.output, all, {
    type: 'album',
    countName: 'albums',
    heading: ['ID', 'KIND', 'ITEMS', 'OWNER', 'STATE', 'NAME'],
    none: 'No albums.',
    row: album => [
      String(album.id),
      albumKindText[album.kind],
      album.kind === 'folder' ? '' : figure(album.items),
      album.owner?.username ?? '',
      visibilityOf(album),
      albumPath(album, all),
    ],
  })
}

function rowsOf(album: Album, all: readonly Album[]): string[][] {
  const query = Object.entries(album.query ?? {}).map(([name, value]) => (name === 'q' ? value : `${name}=${value}`))
  const inside = all.filter(({ parent }) => parent === album.id)
  const rows = [
    ['id', String(album.id)],
    ['name', albumPath(album, all)],
    ['kind', albumKindText[album.kind]],
    ['description', album.description],
    ['query', query.join(' ')],
    ['order', album.sort],
    ['taken', album.from === null ? '' : `${dayOf(album.from)} to ${dayOf(album.to)}`],
    ['cover', album.cover === null ? '' : String(album.cover.id)],
    ['owner', album.owner?.username ?? ''],
    ['state', visibilityOf(album)],
    ['created', dayOf(album.created)],
    ...inside.map(({ id, name }) => ['contains', `${name} (${id})`]),
    ...album.members.map(({ username, role }) => ['member', `${username} (${role})`]),
  ]
  return rows.filter(([, value]) => value !== '')
}

async function show(session: Session, word: string): Promise<number> {
  const { output } = session
  const all = await listAlbums(session)
  const album = findAlbum(all, word)
  if (output.json) output.object({ type: 'album', ...album })
  else {
    output.table(rowsOf(album, all))
    output.line('')
  }
  return listItems(session, '', { album: album.id, sort: album.sort })
}

/** Makes an action that acts for the user of `--user`. Without that option, it sees and changes all albums. */
function asUser<A extends unknown[]>(work: (session: Session, ...typed: A) => Promise<number>) {
  return inSession(async (session, ...typed: A) => {
    const { user } = typed.at(-1) as UserOption
    return work(user === undefined ? session : await sessionAsUser(session, user), ...typed)
  })
}

/** Written out, because the module with the list of roles loads more than help needs. */
const roles: readonly (AlbumRole | 'none')[] = ['view', 'add', 'manage', 'none']

const whichAlbum = ['<album>', 'id or name of the album'] as const
const inFolder = ['--folder <album>', 'the folder it is in: id or name'] as const
const sortOption = () =>
  new Option('--sort <order>', "order of its items; 'hand' is for albums by hand").choices(albumSorts)
const yesOrNoOption = (flags: string, description: string) => new Option(flags, description).choices(['true', 'false'])

function addItemCommands(album: Command): void {
  for (const [name, description, query] of [
    ['add', 'add items at the end of an album by hand', 'items that match this query (as in the search box)'],
    ['remove', 'remove items from an album by hand; the items stay', 'items of the album that match this query'],
  ] as const)
    album
      .command(name)
      .description(description)
      .argument(...whichAlbum)
      .argument('[ids...]', 'item ids; without any, or with -, they are read from standard input')
      .option('--query <query>', query)
      .option(...dryRunOption)
      .action(
        asUser((session, word: string, ids: string[], options: ItemChoice & DryRun) =>
          changeItems(session, name, word, ids, options),
        ),
      )
}

export function albumCommand(): Command {
  const album = new Command('album').description('list and change albums and their folders')
  album.command('list').description('list albums and folders, newest first').action(asUser(list))
  album
    .command('create')
    .description('create an album by hand, by a search with --query, or a folder of albums')
    .argument('<name>', 'name of the album')
    .option(...inFolder)
    .option('--description <text>', 'description')
    .option('--query <query>', 'make an album by a search, with what this query finds (as in the search box)')
    .addOption(sortOption())
    .option('--new-folder', 'make a folder of albums instead of an album')
    .option(...dryRunOption)
    .action(asUser(create))
  album
    .command('show')
    .description('show an album, and list its items in its order')
    .argument(...whichAlbum)
    .action(asUser(show))
  addItemCommands(album)
  album
    .command('set')
    .description('change an album: its name, folder, order, cover, query, and who sees it')
    .argument(...whichAlbum)
    .option('--name <name>', 'new name')
    .option('--description <text>', 'description')
    .option(...inFolder)
    .option('--no-folder', 'move it out of its folder')
    .addOption(sortOption())
    .option('--cover <id>', 'item that is its cover')
    .option('--no-cover', 'its first item is its cover')
    .addOption(yesOrNoOption('--public <true|false>', 'whether visitors see it'))
    .addOption(yesOrNoOption('--private <true|false>', 'whether it is never written to files'))
    .option('--query <query>', 'new query of an album by a search')
    .option(...dryRunOption)
    .action(asUser(update))
  album
    .command('member')
    .description('let a user view an album, add items or manage it, or end that')
    .argument(...whichAlbum)
    .argument('<member>', 'user name')
    .addArgument(new Argument('<role>', 'what the user may do').choices(roles))
    .option(...dryRunOption)
    .action(asUser(changeMember))
  album
    .command('delete')
    .description('delete an album; its items stay')
    .argument(...whichAlbum)
    .option(...dryRunOption)
    .action(asUser(remove))
  for (const command of album.commands)
    command.option('--user <name>', 'act for this user; default: for all users. With --server, the user of --token')
  return album
}
