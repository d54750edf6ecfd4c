/** Prints a filter in the text language, to explain it. */
import { albumOfMark, keyKinds, marks, tagBits } from '../../../schema/keys.ts'
import { defaultSearchTags } from '../../../schema/limits.ts'
import { type Filter, firstMoment, type KeyFilter, lastMoment, type TextColumn, type TextFilter } from '../filter.ts'
import { freeTextColumns } from '../lookups.ts'

export interface FilterNames {
  /** A keystring, person or object by its key; a camera by its mark's key. */
  key(key: number): string
  collection(id: number): string
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

const fieldOfColumn: Record<TextColumn, string> = {
  keywords: 'keyword',
  category: 'category',
  people: 'person',
  objects: 'object',
  author: 'author',
  description: 'description',
  place: 'place',
  file: 'file',
}

const fieldOfTag = [
  ['keyword', tagBits.Keywords],
  ['category', tagBits.Category],
  ['author', tagBits.Author],
] as const

function printMark(mark: number, name: string): string {
  if (mark === marks.video) return 'type:video'
  if (albumOfMark(mark) !== null) return `album:${quoted(name)}`
  if (mark < 0) return 'favourite:yes'
  return mark >= marks.camera(0) ? `camera:=${quoted(name)}` : `rating:${mark - marks.rating(0)}`
}

/** Conditions for one key: an item has the key if it satisfies any of them. */
function printKey(key: number, tags: number, names: FilterNames): string[] {
  const name = names.key(key)
  switch (key & 3) {
    case keyKinds.person:
      return [`person:=${quoted(name)}`]
    case keyKinds.object:
      return [`object:=${quoted(name)}`]
    case keyKinds.mark:
      return [printMark(key >> 2, name)]
    default:
      return fieldOfTag.filter(([, bit]) => (tags & bit) !== 0).map(([field]) => `${field}:=${quoted(name)}`)
  }
}

function eitherOf(parts: readonly string[]): string {
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : `(${parts.join(' OR ')})`
}

function printKeys({ keys, tags }: KeyFilter, names: FilterNames): string {
  return eitherOf(keys.flatMap(key => printKey(key, tags, names)))
}

function printText({ text, phrase, columns }: TextFilter): string {
  const words = phrase ? quoted(text) : text
  if ([...columns].sort().join() === freeTextColumns(defaultSearchTags).sort().join()) return words
  return eitherOf(columns.map(column => `${fieldOfColumn[column]}:${words}`))
}

/** A day, with the time unless it is midnight; the search text itself can only name days. */
function printMoment(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString().slice(0, 19)
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text
}

function printRange(field: string, from: number, to: number): string {
  const first = from <= firstMoment ? '' : printMoment(from)
  const last = to >= lastMoment ? '' : printMoment(to % 86_400 === 0 ? to - 86_400 : to)
  return `${field}:${first === last ? first : `${first}..${last}`}`
}

/** Prints the whole filter; '' matches everything. A filter that matches nothing is printed as 'nothing'. */
export function printFilter(filter: Filter, names: FilterNames): string {
  switch (filter.is) {
    case 'everything':
      return ''
    case 'nothing':
      return 'nothing'
    case 'and':
      return `(${filter.of.map(part => printFilter(part, names)).join(' ')})`
    case 'or':
      return `(${filter.of.map(part => printFilter(part, names)).join(' OR ')})`
    case 'not':
      return `-${printFilter(filter.of, names)}`
    case 'key':
      return printKeys(filter, names)
    case 'text':
      return printText(filter)
    case 'taken':
      return printRange('date', filter.from, filter.to)
    case 'added':
      return printRange('added', filter.from, filter.to)
    case 'month':
      return eitherOf(filter.months.map(month => `month:${month}`))
    case 'near':
      return `near:${filter.latitude},${filter.longitude},${filter.radius}m`
    case 'box':
      return `box:${filter.south},${filter.west},${filter.north},${filter.east}`
    case 'folder':
      return `folder:${filter.exact ? '=' : ''}${quoted(filter.text)}`
    case 'collection':
      return eitherOf(filter.ids.map(id => `in:${quoted(names.collection(id))}`))
  }
}
