/** The requests of bulk tagging and replacing, and their consequences in words. Pure. */
import type { Item } from '../../../schema/api/items.ts'
import { figure, plural } from '../../../schema/figures.ts'
import { wordKey } from '../../kit/words.ts'

/** An entry of a tag picker; `id` 0 is a new word. */
export interface Picked {
  id: number
  name: string
}

/** A change for `PUT /v1/item/tags`. */
export interface Change {
  tagName: 'Category' | 'Keywords' | 'People'
  mode: 'set' | 'add' | 'remove' | 'replace'
  data: unknown
}

/** The mode of a field: 'Clear' removes everything. */
export const bulkModes = ['Add', 'Remove', 'Set to', 'Clear'] as const
type BulkMode = (typeof bulkModes)[number]

export const bulkTags = ['Category', 'Keywords', 'People'] as const
export type BulkTag = (typeof bulkTags)[number]

export interface BulkField {
  mode: BulkMode
  picked: readonly Picked[]
}
export type BulkForm = Readonly<Record<BulkTag, BulkField>>

const emptyField: BulkField = { mode: 'Add', picked: [] }
export const emptyBulkForm: BulkForm = { Category: emptyField, Keywords: emptyField, People: emptyField }

const serverModes = { Add: 'add', Remove: 'remove', 'Set to': 'set', Clear: 'set' } as const

/** Fields without entries are not chosen, unless they are cleared. */
function isChosen({ mode, picked }: BulkField): boolean {
  return mode === 'Clear' || picked.length > 0
}

export function bulkChanges(form: BulkForm): Change[] {
  return bulkTags.flatMap(tagName => {
    const field = form[tagName]
    if (!isChosen(field)) return []
    const picked = field.mode === 'Clear' ? [] : field.picked
    const data = tagName === 'People' ? picked.map(({ id }) => ({ person: id })) : picked.map(({ name }) => name)
    return [{ tagName, mode: serverModes[field.mode], data }]
  })
}

/** One line per chosen field: 'Keywords: add sea, summer'. */
export function bulkLines(form: BulkForm): string[] {
  return bulkTags.flatMap(tag => {
    const field = form[tag]
    if (!isChosen(field)) return []
    if (field.mode === 'Clear') return [`${tag}: remove all`]
    return [`${tag}: ${field.mode.toLowerCase()} ${field.picked.map(({ name }) => name).join(', ')}`]
  })
}

/** The entries with one more, without duplicates. */
export function withPicked(list: readonly Picked[], one: Picked): readonly Picked[] {
  const same = ({ id, name }: Picked) => (one.id !== 0 && id === one.id) || wordKey(name) === wordKey(one.name)
  return one.name.trim() === '' || list.some(same) ? list : [...list, one]
}

export interface Replacement {
  from: readonly Picked[]
  to: readonly Picked[]
  category: boolean
  keywords: boolean
}

/** Why it cannot start; '' when it can. */
export function replaceFault({ from, to, category, keywords }: Replacement, selected: number): string {
  if (selected === 0) return 'Select items in the table.'
  if (!category && !keywords) return 'Choose Category, Keywords or both.'
  if (from.length === 0) return 'Choose the tag that is to be replaced.'
  if (to.length === 0) return 'Choose the tag that replaces it.'
  const old = new Set(from.map(({ name }) => wordKey(name)))
  const isSame = from.length === to.length && to.every(({ name }) => old.has(wordKey(name)))
  return isSame ? 'The two tags are the same.' : ''
}

export function replaceChanges({ from, to, category, keywords }: Replacement): Change[] {
  const names = (list: readonly Picked[]) => list.map(({ name }) => name)
  const data = { from: names(from), to: names(to) }
  return [
    ...(category ? [{ tagName: 'Category', mode: 'replace', data } as const] : []),
    ...(keywords ? [{ tagName: 'Keywords', mode: 'replace', data } as const] : []),
  ]
}

type Tagged = Pick<Item, 'tags'>

/** How many entries of these items will be replaced. */
export function replaceCounts(
  items: Iterable<Tagged>,
  { from, category, keywords }: Replacement,
): { categories: number; keywords: number } {
  const old = new Set(from.map(({ name }) => wordKey(name)))
  const counts = { categories: 0, keywords: 0 }
  const found = (entries: readonly { content: string }[] = []) =>
    entries.filter(({ content }) => old.has(wordKey(content))).length
  if (old.size === 0) return counts
  for (const { tags } of items) {
    if (category) counts.categories += found(tags.Category?.data)
    if (keywords) counts.keywords += found(tags.Keywords?.data)
  }
  return counts
}

/** '3 categories and 5 keywords change.' */
export function replaceText({ categories, keywords }: { categories: number; keywords: number }): string {
  const said = [
    ...(categories > 0 ? [plural(categories, 'category', 'categories')] : []),
    ...(keywords > 0 ? [plural(keywords, 'keyword')] : []),
  ]
  if (said.length === 0) return 'Nothing changes.'
  return `${said.join(' and ')} ${categories + keywords === 1 ? 'changes' : 'change'}.`
}

/** The result of a run; `counts` are the job's. */
export function taggedText(counts: Readonly<Record<string, number>>): { text: string; detail: string } {
  const { changed = 0, unchanged = 0, gone = 0, refused = 0 } = counts
  const left: string[] = []
  if (unchanged > 0) left.push(`${figure(unchanged)} had nothing to change`)
  if (refused > 0) left.push(`${figure(refused)} you may not change`)
  if (gone > 0) left.push(`${figure(gone)} ${gone === 1 ? 'is' : 'are'} not there any more`)
  return { text: changed > 0 ? `${plural(changed, 'item')} tagged` : 'Nothing changed', detail: left.join(', ') }
}
