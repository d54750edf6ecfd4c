/** Actions on items: each asks for what it needs. Changes become a step of the history, which `z` can undo. */

import { listTags, parseTagData, type TypedMode, UnknownPerson } from '../../core/editing/tag-input.ts'
import type { TagSetName } from '../../schema/api/tags.ts'
import { dateText } from '../../schema/api/tags.ts'
import { Failure } from '../../schema/errors.ts'
import { plural } from '../../schema/figures.ts'
import { faultIn } from '../../schema/issue-words.ts'
import type { SuggestionKind } from '../../schema/suggestion-match.ts'
import { completeEntries } from '../names.ts'
import type { Choice, Ui } from '../ui.ts'

/** The items of an action; their number is known before their ids. */
export interface Targets {
  count: number
  /** The name if there is only one item; '' for several. */
  name: string
  ids(): Promise<number[]>
}

/** A started job, with its descriptions while it runs (`doing`) and after it has ended (`done`). */
export interface StartedJob {
  id: number
  doing: string
  done: string
  /** True if the job adds no step to the history. */
  noUndo?: boolean
}

interface TagRequest {
  key: string
  tag: TagSetName
  mode: TypedMode
  label: string
  kind?: SuggestionKind
  hint: string
}

const entriesHint = 'Separate several with ; Tab completes.'

const requests: readonly TagRequest[] = [
  { key: 'k', tag: 'Keywords', mode: 'add', label: 'Add keywords', kind: 'Keywords', hint: entriesHint },
  { key: 'K', tag: 'Keywords', mode: 'remove', label: 'Remove keywords', kind: 'Keywords', hint: entriesHint },
  { key: 'p', tag: 'People', mode: 'add', label: 'Add people', kind: 'People', hint: entriesHint },
  { key: 'P', tag: 'People', mode: 'remove', label: 'Remove people', kind: 'People', hint: entriesHint },
  { key: 'c', tag: 'Category', mode: 'add', label: 'Add categories', kind: 'Category', hint: entriesHint },
  { key: 'C', tag: 'Category', mode: 'remove', label: 'Remove categories', kind: 'Category', hint: entriesHint },
  { key: 'o', tag: 'Object', mode: 'add', label: 'Add objects', kind: 'Objects', hint: entriesHint },
  { key: 'O', tag: 'Object', mode: 'remove', label: 'Remove objects', kind: 'Objects', hint: entriesHint },
  { key: 'u', tag: 'Author', mode: 'set', label: 'Set the author', kind: 'Author', hint: 'Leave empty to remove it.' },
  { key: 'd', tag: 'Description', mode: 'set', label: 'Set the description', hint: 'Leave empty to remove it.' },
  {
    key: 't',
    tag: 'DateTimeOriginal',
    mode: 'set',
    label: 'Set the date',
    hint: '2019-08-03 14:22:33, the time is optional. Empty: as in the file.',
  },
  {
    key: 'l',
    tag: 'Locations',
    mode: 'set',
    label: 'Set the place',
    hint: 'A name, or 48.1,11.6 or 48.1,11.6,Munich. Leave empty to remove it.',
  },
]

/**
 * Loads the ids of an action before its questions, because rows and cursor may move meanwhile. Also loads the name of a
 * single item that is not `known`. Keys wait for the result; throws `interrupted` if the user cancels.
 */
export function loadTargets(
  ui: Ui,
  targets: Targets,
  known: { id: number; name: string } | undefined,
): Promise<Targets> {
  return ui.runAwaited('Looking up the items', async () => {
    const ids = await targets.ids()
    const [id] = ids
    const isOne = ids.length === 1 && id !== undefined
    const named = isOne && known?.id !== id ? await ui.session.client.items.get({ params: { id } }) : known
    return { count: ids.length, name: isOne ? (named?.name ?? '') : '', ids: async () => ids }
  })
}

/** 'beach.jpg', '12,345 items'. */
export function targetsText({ count, name }: Targets): string {
  return count === 1 && name !== '' ? name : plural(count, 'item')
}

function checkOf({ tag, mode }: TagRequest): (text: string) => string | null {
  return text => {
    if (mode !== 'set' && text.trim() === '') return 'Nothing was entered.'
    return tag !== 'DateTimeOriginal' || text.trim() === '' ? null : faultIn(dateText, text, 'Not a date.')
  }
}

/** Converts a typed value to a tag's data. Asks before it creates a missing person; null if the user declines. */
async function resolveTagData(ui: Ui, { tag, mode }: TagRequest, value: string): Promise<{ data: unknown } | null> {
  const { client } = ui.session
  for (;;) {
    try {
      return { data: await parseTagData(client, tag, value) }
    } catch (error) {
      if (!(error instanceof UnknownPerson) || mode === 'remove') throw error
      const { person } = error
      if (!(await ui.confirm({ title: `There is no person '${person}' yet.`, yes: 'make one' }))) return null
      await client.people.create({ body: { names: [person] } })
    }
  }
}

export async function changeTags(ui: Ui, targets: Targets): Promise<StartedJob | null> {
  const choices: Choice[] = requests.map(({ key, label }) => ({ id: key, key, label }))
  const chosen = await ui.choose({ title: `Tags of ${targetsText(targets)}`, choices })
  const request = requests.find(({ key }) => key === chosen)
  if (request === undefined) return null
  const { tag, mode, label, kind, hint } = request
  const value = await ui.prompt({
    label: `${label} of ${targetsText(targets)}:`
      .replace(/^Add (.*) of /, 'Add $1 to ')
      .replace(/^Remove (.*) of /, 'Remove $1 from '),
    hint,
    history: tag,
    check: checkOf(request),
    ...(kind === undefined ? {} : { complete: (text: string) => completeEntries(ui.session, kind, text) }),
  })
  if (value === null) return null
  const found = await resolveTagData(ui, request, listTags.has(tag) ? value : value.trim())
  if (found === null) return null
  return startedJob(
    await queueTagChange(ui, targets, tag, mode, found.data),
    'Changing tags of',
    'Changed tags of',
    targets,
  )
}

async function queueTagChange(ui: Ui, targets: Targets, tagName: TagSetName, mode: TypedMode, data: unknown) {
  const body = { items: await targets.ids(), changes: [{ tagName, mode, data }] }
  return (await ui.session.client.tags.bulk({ body })).taskid
}

function startedJob(id: number, doing: string, done: string, targets: Targets): StartedJob {
  const what = targetsText(targets)
  return { id, doing: `${doing} ${what}`, done: `${done} ${what}` }
}

export async function rate(ui: Ui, targets: Targets): Promise<StartedJob | null> {
  const stars = ui.terminal.abilities.unicode ? '★' : '*'
  const chosen = await ui.choose({
    title: `Rating of ${targetsText(targets)}`,
    choices: [
      ...[5, 4, 3, 2, 1].map(n => ({ id: String(n), key: String(n), label: stars.repeat(n) })),
      { id: '0', key: '0', label: 'no rating' },
      { id: '-1', key: 'x', label: 'rejected' },
    ],
  })
  if (chosen === null) return null
  return startedJob(await queueTagChange(ui, targets, 'Rating', 'set', Number(chosen)), 'Rating', 'Rated', targets)
}

/** One item is rotated at once, several by a job. */
export async function rotate(ui: Ui, targets: Targets, direction: 'left' | 'right'): Promise<StartedJob | null> {
  const { client } = ui.session
  const items = await targets.ids()
  const [id] = items
  if (id === undefined) return null
  const what = targetsText(targets)
  if (items.length === 1) {
    await client.items.rotate({ params: { id }, query: { direction } })
    ui.notice(`Rotated ${what} to the ${direction}. z undoes it.`)
    return null
  }
  if (!(await ui.confirm({ title: `Rotate ${what} to the ${direction}?`, yes: 'rotate' }))) return null
  const { taskid } = await client.items.rotateMany({ body: { items, direction } })
  return startedJob(taskid, 'Rotating', 'Rotated', targets)
}

export async function recycle(ui: Ui, targets: Targets): Promise<StartedJob | null | 'done'> {
  const what = targetsText(targets)
  if (!(await ui.confirm({ title: `Move ${what} to the recycle bin?`, yes: 'recycle' }))) return null
  const { taskid, changed } = await ui.session.client.items.removeMany({ body: { items: await targets.ids() } })
  if (taskid !== null) return startedJob(taskid, 'Recycling', 'Recycled', targets)
  ui.notice(changed === 0 ? `Already in the recycle bin: ${what}.` : `Moved ${what} to the recycle bin. z undoes it.`)
  return 'done'
}

export async function restore(ui: Ui, targets: Targets): Promise<StartedJob | null | 'done'> {
  const { taskid, changed } = await ui.session.client.items.restoreMany({ body: { items: await targets.ids() } })
  if (taskid !== null) return startedJob(taskid, 'Restoring', 'Restored', targets)
  const what = targetsText(targets)
  ui.notice(changed === 0 ? `No longer in the recycle bin: ${what}.` : `Restored ${what}. z undoes it.`)
  return 'done'
}

export async function chooseAction(ui: Ui, targets: Targets): Promise<StartedJob | null | 'done'> {
  const chosen = await ui.choose({
    title: `What to do with ${targetsText(targets)}`,
    choices: [
      { id: 'tags', key: 't', label: 'Change tags' },
      { id: 'rate', key: '*', label: 'Rate' },
      { id: 'right', key: 'r', label: 'Rotate right' },
      { id: 'left', key: 'e', label: 'Rotate left' },
      { id: 'recycle', key: 'd', label: 'Move to the recycle bin' },
      { id: 'copy', key: 'y', label: 'Copy the ids' },
    ],
  })
  switch (chosen) {
    case 'tags':
      return changeTags(ui, targets)
    case 'rate':
      return rate(ui, targets)
    case 'right':
    case 'left':
      return rotate(ui, targets, chosen)
    case 'recycle':
      return recycle(ui, targets)
    case 'copy':
      await copyIds(ui, targets)
      return null
    default:
      return null
  }
}

/** Maximum number of ids to copy; terminals may cut off a longer text. */
const maxCopiedIds = 5000

async function copyIds(ui: Ui, targets: Targets) {
  if (targets.count > maxCopiedIds)
    throw new Failure('invalid', `A terminal’s clipboard takes at most ${maxCopiedIds} ids.`)
  const ids = await targets.ids()
  ui.copy(ids.join('\n'), ids.length === 1 ? 'Copied the id' : `Copied ${ids.length} ids`)
}

/** Copies the id, path or name of one item, or the ids of all marked items. */
export async function copy(ui: Ui, targets: Targets, item: { id: number; name: string; path: string }) {
  if (targets.count !== 1) return copyIds(ui, targets)
  const chosen = await ui.choose({
    title: `Copy of ${item.name}`,
    choices: [
      { id: 'path', key: 'p', label: 'the path', about: item.path },
      { id: 'id', key: 'i', label: 'the id', about: String(item.id) },
      { id: 'name', key: 'n', label: 'the name', about: item.name },
    ],
  })
  if (chosen === 'path') ui.copy(item.path, 'Copied the path')
  else if (chosen === 'id') ui.copy(String(item.id), 'Copied the id')
  else if (chosen === 'name') ui.copy(item.name, 'Copied the name')
}
