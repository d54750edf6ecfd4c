/** Commands that change albums. */
import { forTerminal } from '../../../core/kernel/terminal-text.ts'
import type { Album, AlbumRole, albumCalls } from '../../../schema/api/albums.ts'
import type { Calls } from '../../../schema/api/calls.ts'
import type { Client, InputOf } from '../../../schema/api/contract.ts'
import { Failure } from '../../../schema/errors.ts'
import { figure, plural } from '../../../schema/figures.ts'
import type { albumSorts } from '../../../schema/limits.ts'
import { chosenItemIds, type ItemChoice, withMissingItemNamed } from '../../items/item-choice.ts'
import { undoWords } from '../../job-command.ts'
import { requireAtMostOne } from '../../options.ts'
import { type DryRun, printDryRun, rehearseChange } from '../../plans/dry-run.ts'
import { parseId, type Session } from '../../session.ts'
import { resolveAlbum } from './album-named.ts'

type Sort = (typeof albumSorts)[number]
type Changes = InputOf<(typeof albumCalls)['update']>['body']

/** "The album 'Summer'", "The folder 'Journeys'". */
function nameWithKind({ kind, name }: Pick<Album, 'kind' | 'name'>): string {
  return `The ${kind === 'folder' ? 'folder' : 'album'} '${name}'`
}

function printAlbum({ output }: Session, album: Album | null, words: string): number {
  if (output.json && album !== null) output.object({ type: 'album', ...album })
  output.end({ albums: 1 }, forTerminal(words))
  return 0
}

interface CreateOptions extends DryRun {
  folder?: string
  description?: string
  query?: string
  sort?: Sort
  newFolder?: boolean
}

export async function create(session: Session, name: string, options: CreateOptions): Promise<number> {
  const { folder, description, query: q, sort, newFolder, dryRun } = options
  requireAtMostOne({ '--new-folder': newFolder, '--query': q !== undefined })
  const kind = newFolder === true ? 'folder' : q === undefined ? 'hand' : 'search'
  const parent = folder === undefined ? null : (await resolveAlbum(session, folder)).id
  const body = { kind, name, parent, description, sort, ...(q === undefined ? {} : { query: { q } }) } as const
  const change = ({ albums }: Client<Calls>) => albums.create({ body })
  if (dryRun === true)
    return rehearseChange(session, change, `${nameWithKind({ kind, name })} would be created.`, { albums: 1 })
  const album = await change(session.client)
  return printAlbum(session, album, `${nameWithKind(album)} is created. Its id is ${album.id}.`)
}

export async function changeItems(
  session: Session,
  change: 'add' | 'remove',
  word: string,
  ids: readonly string[],
  { dryRun, ...choice }: ItemChoice & DryRun,
): Promise<number> {
  const { client, output } = session
  const { id, name } = await resolveAlbum(session, word)
  const items = await chosenItemIds(session, ids, choice, change === 'remove' ? { album: id } : {})
  const set = ({ albums }: Client<Calls>) => albums.setItems({ params: { id }, body: { [change]: items } })
  const where = change === 'add' ? `added to '${name}'` : `removed from '${name}'`
  if (dryRun === true) {
    await withMissingItemNamed(session, items, session.rehearse(set))
    return printDryRun(output, `${plural(items.length, 'item')} would be ${where}.`, { items: items.length })
  }
  const { added, removed, step } = await withMissingItemNamed(session, items, set(client))
  const changed = added + removed
  const unchanged = items.length - changed
  // If nothing changed, the history has no step.
  output.end(
    { items: changed, unchanged, ...(changed === 0 ? {} : { step }) },
    forTerminal(`${plural(changed, 'item')} ${where}${unchanged === 0 ? '' : `, ${figure(unchanged)} unchanged`}.`),
  )
  if (changed > 0) output.say(undoWords(step))
  return 0
}

interface UpdateOptions extends DryRun {
  name?: string
  description?: string
  /** False: move it out of its folder. */
  folder?: string | false
  sort?: Sort
  /** False: remove the chosen cover. */
  cover?: string | false
  public?: 'true' | 'false'
  private?: 'true' | 'false'
  query?: string
}

async function changesOf(session: Session, options: UpdateOptions): Promise<Changes> {
  const { name, description, folder, sort, cover, query: q } = options
  const changes: Changes = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(folder === undefined ? {} : { parent: folder === false ? null : (await resolveAlbum(session, folder)).id }),
    ...(sort === undefined ? {} : { sort }),
    ...(cover === undefined ? {} : { cover: cover === false ? null : parseId(cover, 'item', 'keepsake item list') }),
    ...(options.public === undefined ? {} : { public: options.public === 'true' }),
    ...(options.private === undefined ? {} : { private: options.private === 'true' }),
    ...(q === undefined ? {} : { query: { q } }),
  }
  if (Object.keys(changes).length === 0)
    throw new Failure('invalid', 'Give what to change, such as --name. See: keepsake album set --help')
  return changes
}

export async function update(session: Session, word: string, options: UpdateOptions): Promise<number> {
  const album = await resolveAlbum(session, word)
  const body = await changesOf(session, options)
  const change = ({ albums }: Client<Calls>) => albums.update({ params: { id: album.id }, body })
  const items = body.cover == null ? [] : [body.cover]
  if (options.dryRun === true)
    return withMissingItemNamed(
      session,
      items,
      rehearseChange(session, change, `${nameWithKind(album)} would be changed.`, { albums: 1 }),
    )
  const changed = await withMissingItemNamed(session, items, change(session.client))
  const words = changed.name === album.name ? 'changed' : `called '${changed.name}' now`
  return printAlbum(session, changed, `${nameWithKind(album)} is ${words}.`)
}

export async function changeMember(
  session: Session,
  word: string,
  username: string,
  role: AlbumRole | 'none',
  { dryRun }: DryRun,
): Promise<number> {
  const { id, name } = await resolveAlbum(session, word)
  const request = { params: { id }, body: { username, role: role === 'none' ? null : role } }
  const change = ({ albums }: Client<Calls>) => albums.setMember(request)
  const what = `a member of '${name}'`
  if (dryRun === true) {
    const words = role === 'none' ? `would no longer be ${what}.` : `would be ${what}: ${role}.`
    return rehearseChange(session, change, `'${username}' ${words}`, { albums: 1 })
  }
  const words = role === 'none' ? `is no longer ${what}.` : `is ${what} now: ${role}.`
  return printAlbum(session, await change(session.client), `'${username}' ${words}`)
}

export async function remove(session: Session, word: string, { dryRun }: DryRun): Promise<number> {
  const album = await resolveAlbum(session, word)
  const change = ({ albums }: Client<Calls>) => albums.remove({ params: { id: album.id } })
  const stays = album.kind === 'folder' ? 'the albums in it stay' : 'its items stay'
  if (dryRun === true)
    return rehearseChange(session, change, `${nameWithKind(album)} would be deleted; ${stays}.`, { albums: 1 })
  const { step } = await change(session.client)
  session.output.end({ albums: 1, step }, forTerminal(`${nameWithKind(album)} is deleted; ${stays}.`))
  session.output.say(undoWords(step))
  return 0
}
