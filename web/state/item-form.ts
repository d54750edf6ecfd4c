/** What the metadata screen edits of an item, and what has to be saved of it. Pure. */
import type { Item } from '../../schema/api/items.ts'
import { dateText } from '../../schema/api/tags.ts'

export interface ItemForm {
  /** 'YYYY-MM-DD HH:MM:SS'; '' without one of its own. */
  date: string
  description: string
  category: readonly string[]
  keywords: readonly string[]
  author: readonly string[]
  place: { latitude: number | null; longitude: number | null; placeName: string }
}

export function formOf({ tags }: Pick<Item, 'tags'>): ItemForm {
  const contents = (tag: { data: { content: string }[] } | undefined) => (tag?.data ?? []).map(({ content }) => content)
  const place = tags.Locations?.data
  return {
    date: tags.DateTimeOriginal?.data ?? '',
    description: tags.Description?.data ?? '',
    category: contents(tags.Category),
    keywords: contents(tags.Keywords),
    author: contents(tags.Author),
    place: {
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      placeName: place?.placeName ?? '',
    },
  }
}

/** One tag set that is to be written: an empty value deletes it. */
export interface TagWrite {
  tagName: 'DateTimeOriginal' | 'Description' | 'Category' | 'Keywords' | 'Author' | 'Locations'
  data: unknown
  /** The catalogue's words for when it fails. */
  failure: string
}

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((word, n) => word === b[n])

/** Unchanged sets are skipped. */
export function changes(before: ItemForm, after: ItemForm): TagWrite[] {
  const writes: TagWrite[] = []
  if (after.date !== before.date)
    writes.push({ tagName: 'DateTimeOriginal', data: after.date, failure: 'Failed to save date and time' })
  if (after.description.trim() !== before.description.trim())
    writes.push({ tagName: 'Description', data: after.description.trim(), failure: 'Failed to save description' })
  if (!sameList(after.category, before.category))
    writes.push({ tagName: 'Category', data: after.category, failure: 'Failed to save category' })
  if (!sameList(after.keywords, before.keywords))
    writes.push({ tagName: 'Keywords', data: after.keywords, failure: 'Failed to save keywords' })
  if (!sameList(after.author, before.author))
    writes.push({ tagName: 'Author', data: after.author, failure: 'Failed to save author' })
  if (JSON.stringify(after.place) !== JSON.stringify(before.place)) {
    const isEmpty = after.place.latitude === null && after.place.placeName.trim() === ''
    writes.push({ tagName: 'Locations', data: isEmpty ? [] : after.place, failure: 'Failed to save location' })
  }
  return writes
}

/** What is wrong with a date as it was typed; null where nothing is. */
export function dateFault(date: string): string | null {
  if (date === '') return null
  const parsed = dateText.safeParse(date)
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'The date does not exist')
}

/** Keywords are the same whatever their case; 'é' typed in one or two characters is one. */
function sameWord(a: string, b: string): boolean {
  return a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase()
}

/** The list with what was typed: a comma separates entries, none is added twice. */
export function withWords(list: readonly string[], typed: string): readonly string[] {
  const next = [...list]
  for (const part of typed.split(',')) {
    const word = part.trim()
    if (word !== '' && !next.some(known => sameWord(known, word))) next.push(word)
  }
  return next
}
