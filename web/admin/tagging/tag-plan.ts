/** The requests of bulk tagging and replacing, and their consequences in words. Pure. */
import type { Item } from '../../../schema/api/items.ts'
import { inSentence, listText, wordKey } from '../../kit/words.ts'
import { taggingTexts } from '../../texts/admin/tagging.ts'
import { adminTexts } from '../../texts/admin.ts'
import { baseTexts } from '../../texts/base.ts'
import { tagNames } from '../../texts/names.ts'

/** An entry of a tag picker; `id` 0 is a new word. */
export interface PickedTag {
  id: number
  name: string
}

/** A change for `PUT /v1/item/tags`. */
export interface TagChange {
  tagName: 'Category' | 'Keywords' | 'People'
  mode: 'set' | 'add' | 'remove' | 'replace'
  data: unknown
}

/** The mode of a field: 'Clear' removes everything. */
export const bulkModes = ['Add', 'Remove', 'Set to', 'Clear'] as const
type BulkMode = (typeof bulkModes)[number]
export const modeNames: Readonly<Record<BulkMode, string>> = {
  Add: adminTexts.add,
  Remove: baseTexts.remove,
  'Set to': taggingTexts.setTo,
  Clear: taggingTexts.removeAllOfTag,
}

export const bulkTags = ['Category', 'Keywords', 'People'] as const
export type BulkTag = (typeof bulkTags)[number]

export interface BulkField {
  mode: BulkMode
  picked: readonly PickedTag[]
}
export type BulkForm = Readonly<Record<BulkTag, BulkField>>

const emptyField: BulkField = { mode: 'Add', picked: [] }
export const emptyBulkForm: BulkForm = { Category: emptyField, Keywords: emptyField, People: emptyField }

const serverModes = { Add: 'add', Remove: 'remove', 'Set to': 'set', Clear: 'set' } as const

/** Fields without entries are not chosen, unless they are to be cleared. */
function isChosen({ mode, picked }: BulkField): boolean {
  return mode === 'Clear' || picked.length > 0
}

export function bulkChanges(form: BulkForm): TagChange[] {
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
    if (field.mode === 'Clear') return [taggingTexts.removeAll({ tag: tagNames[tag] })]
    const names = listText(field.picked.map(({ name }) => name))
    return [`${tagNames[tag]}: ${inSentence(modeNames[field.mode])} ${names}`]
  })
}

/** Adds an entry, without duplicates. */
export function withPicked(list: readonly PickedTag[], one: PickedTag): readonly PickedTag[] {
  const same = ({ id, name }: PickedTag) => (one.id !== 0 && id === one.id) || wordKey(name) === wordKey(one.name)
  return one.name.trim() === '' || list.some(same) ? list : [...list, one]
}

export interface Replacement {
  from: readonly PickedTag[]
  to: readonly PickedTag[]
  category: boolean
  keywords: boolean
}

/** Why replacing cannot start; '' if it can. */
export function replaceFault({ from, to, category, keywords }: Replacement, selected: number): string {
  if (selected === 0) return adminTexts.selectItemsInTheTable
  if (!category && !keywords) return taggingTexts.chooseCategoryKeywordsOrBoth
  if (from.length === 0) return taggingTexts.chooseTagToReplace
  if (to.length === 0) return taggingTexts.chooseReplacingTag
  const old = new Set(from.map(({ name }) => wordKey(name)))
  const isSame = from.length === to.length && to.every(({ name }) => old.has(wordKey(name)))
  return isSame ? taggingTexts.twoTagsAreTheSame : ''
}

export function replaceChanges({ from, to, category, keywords }: Replacement): TagChange[] {
  const names = (list: readonly PickedTag[]) => list.map(({ name }) => name)
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
  if (categories > 0 && keywords > 0) {
    const some = taggingTexts.categoryCount({ count: categories })
    return taggingTexts.categoriesAndKeywordsChange({ categories: some, count: keywords })
  }
  if (categories > 0) return taggingTexts.categoriesChange({ count: categories })
  return keywords > 0 ? taggingTexts.keywordsChange({ count: keywords }) : taggingTexts.nothingChanges
}

/** The result of a run; `counts` are the job's. */
export function taggedText(counts: Readonly<Record<string, number>>): { text: string; detail: string } {
  const { changed = 0, unchanged = 0, gone = 0, refused = 0 } = counts
  const left: string[] = []
  if (unchanged > 0) left.push(taggingTexts.hadNothingToChange({ count: unchanged }))
  if (refused > 0) left.push(baseTexts.notAllowedCount({ count: refused }))
  if (gone > 0) left.push(baseTexts.goneCount({ count: gone }))
  return {
    text: changed > 0 ? taggingTexts.itemTaggedCount({ count: changed }) : adminTexts.nothingChanged,
    detail: listText(left),
  }
}
