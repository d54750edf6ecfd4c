/** Completion of queries: fields, operators, names and values. */
import { Failure } from '../schema/errors.ts'
import { plural } from '../schema/figures.ts'
import { type KnownName, type SuggestionKind, suggestionsFor } from '../schema/suggestion-match.ts'

type Source = SuggestionKind | 'Collections' | 'Albums' | 'Years' | readonly (readonly [value: string, about: string])[]

interface FilterField {
  about: string
  values: Source
}

const dates = [
  ['2019', 'a year'],
  ['2019-06', 'a month'],
  ['2019-06..2020-02', 'from one to another'],
  ['2019-06..', 'from then on'],
] as const

export const filterFields: Record<string, FilterField> = {
  keyword: { about: 'words of a keyword', values: 'Keywords' },
  person: { about: 'a person on the picture', values: 'People' },
  in: { about: 'a collection', values: 'Collections' },
  album: { about: 'an album, or the albums in a folder', values: 'Albums' },
  year: { about: '2019 or 2015..2018', values: 'Years' },
  rating: {
    about: 'stars: 4, >=3, 2..4',
    values: [
      ['>=4', 'four stars or more'],
      ['>=3', 'three stars or more'],
      ['5', 'five stars'],
      ['none', 'not rated'],
      ['rejected', 'rejected'],
    ],
  },
  favourite: {
    about: 'yes or no',
    values: [
      ['yes', 'your favourites'],
      ['no', 'all others'],
    ],
  },
  type: {
    about: 'image or video',
    values: [
      ['image', 'pictures'],
      ['video', 'videos'],
    ],
  },
  category: { about: 'words of a category', values: 'Category' },
  object: { about: 'a thing on the picture', values: 'Objects' },
  author: { about: 'the author', values: 'Author' },
  place: { about: 'words of a place’s name', values: [] },
  description: { about: 'words of the description', values: [] },
  file: { about: 'words of the file’s name', values: [] },
  folder: { about: 'a folder and those below it: 2019/Rome', values: [] },
  camera: { about: 'words of the camera’s name', values: [] },
  date: { about: 'a day, month, year or range', values: dates },
  month: {
    about: 'of any year: 7, july, 11..2',
    values: 'january february march april may june july august september october november december'
      .split(' ')
      .map((name, n) => [name, String(n + 1)] as const),
  },
  added: { about: 'when it was added', values: dates },
  near: { about: 'latitude, longitude, distance', values: [['48.1,11.6,5km', 'within 5 km of a position']] },
  box: { about: 'south, west, north, east', values: [['47.2,5.8,55.1,15.1', 'between these']] },
}

const operators = [
  ['AND', 'both'],
  ['OR', 'any of them'],
  ['NOT', 'without'],
] as const

interface CountedName {
  name: string
  count: number
}

export interface FilterNames {
  known: readonly KnownName[]
  collections: readonly CountedName[]
  albums: readonly CountedName[]
  months: readonly { year: number; count: number }[]
}

export interface Completion {
  /** The label in the list. */
  text: string
  about: string
  /** The text that replaces what was typed. */
  insert: string
}

export interface Completions {
  /** The replaced range; the end is exclusive. */
  from: number
  to: number
  options: readonly Completion[]
}

const maxOptions = 12

/** Start of the word under the cursor; null inside quotes that belong to no field. Inside quotes, `""` is one quote. */
function tokenStart(before: string): number | null {
  let start = 0
  let quoteAt: number | null = null
  for (let at = 0; at < before.length; at++) {
    const letter = before[at]
    if (quoteAt !== null) {
      if (letter !== '"') continue
      if (before[at + 1] === '"') at++
      else {
        quoteAt = null
        start = at + 1
      }
    } else if (letter === '"') quoteAt = at
    else if (letter === ' ' || letter === '(' || letter === ')' || letter === '\t') start = at + 1
    else if (letter === '-' && start === at) start = at + 1
  }
  if (quoteAt !== null && !/\p{L}:=?$/u.test(before.slice(0, quoteAt))) return null
  return start
}

/** End of the quoted value at the cursor, with its quote; or the cursor if the quote is not closed yet. */
function valueEnd(text: string, cursor: number): number {
  const behind = text.slice(cursor)
  if (behind.split('"').length % 2 === 1) return cursor
  const [value = ''] = /^(?:[^"]|"")*"/.exec(behind) ?? []
  return cursor + value.length
}

/** A name as a value, quoted for an exact match. A quote inside is doubled. */
export function exactValue(name: string): string {
  return `="${name.replaceAll('"', '""')}" `
}

/** Names that match the typed text; while nothing is typed, the most used names. */
function namesOf(kind: SuggestionKind, known: readonly KnownName[], typed: string): Completion[] {
  const ofKind = known.filter(one => one.kind === kind)
  const found =
    typed === ''
      ? ofKind.toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name)).slice(0, maxOptions)
      : suggestionsFor(ofKind, typed, maxOptions)
  return found.map(({ name, count }) => ({ text: name, about: plural(count, 'item'), insert: exactValue(name) }))
}

function yearsOf({ months }: FilterNames, typed: string): Completion[] {
  const years = new Map<number, number>()
  for (const { year, count } of months) years.set(year, (years.get(year) ?? 0) + count)
  return [...years]
    .map(([year, count]) => ({ text: String(year), about: plural(count, 'item'), insert: `${year} ` }))
    .filter(({ text }) => text.startsWith(typed))
    .slice(0, maxOptions)
}

/** Collections or albums, which are always matched by their whole name. */
function wholeNamesOf(all: readonly CountedName[], typed: string): Completion[] {
  const known = all.map(({ name, count }, n) => ({ kind: 'Keywords' as const, id: n + 1, name, count }))
  return namesOf('Keywords', known, typed).map(option => ({ ...option, insert: option.insert.replace(/^=/, '') }))
}

function valuesOf(field: FilterField, names: FilterNames, typed: string): Completion[] {
  const { values } = field
  if (values === 'Years') return yearsOf(names, typed)
  if (values === 'Collections') return wholeNamesOf(names.collections, typed)
  if (values === 'Albums') return wholeNamesOf(names.albums, typed)
  if (typeof values === 'string') return namesOf(values, names.known, typed)
  return values
    .filter(([value]) => value.startsWith(typed.toLowerCase()))
    .map(([value, about]) => ({ text: value, about, insert: `${value} ` }))
}

/** The field to insert when the user completes a name without having typed a field. */
const fieldOfKind: readonly (readonly [SuggestionKind, string])[] = [
  ['People', 'person'],
  ['Keywords', 'keyword'],
  ['Category', 'category'],
  ['Objects', 'object'],
]

function wordsOf(names: FilterNames, typed: string): Completion[] {
  if (typed === '') return []
  const ofFields = Object.entries(filterFields)
    .filter(([name]) => name.startsWith(typed.toLowerCase()))
    .map(([name, { about }]) => ({ text: `${name}:`, about, insert: `${name}:` }))
  const ofOperators = operators
    .filter(([name]) => name.startsWith(typed))
    .map(([name, about]) => ({ text: name, about, insert: `${name} ` }))
  const ofNames =
    typed.length < 2
      ? []
      : fieldOfKind.flatMap(([kind, field]) =>
          namesOf(kind, names.known, typed)
            .slice(0, 4)
            .map(({ text, about, insert }) => ({ text: `${field}:${text}`, about, insert: `${field}:${insert}` })),
        )
  return [...ofOperators, ...ofFields, ...ofNames].slice(0, maxOptions)
}

/** Completions at the cursor of a query. */
export function completionsAt(text: string, cursor: number, names: FilterNames): Completions {
  const before = text.slice(0, cursor)
  const start = tokenStart(before)
  if (start === null) return { from: cursor, to: cursor, options: [] }
  const typed = before.slice(start)
  const [, name = '', sign = '', value = ''] = /^(\p{L}+):(=?"?)(.*)$/su.exec(typed) ?? []
  const field = Object.hasOwn(filterFields, name.toLowerCase()) ? filterFields[name.toLowerCase()] : undefined
  if (name !== '') {
    const from = start + name.length + 1
    const isQuoted = sign.endsWith('"')
    const meant = isQuoted ? value.replaceAll('""', '"') : value
    const to = isQuoted ? valueEnd(text, cursor) : cursor
    return { from, to, options: field === undefined ? [] : valuesOf(field, names, meant) }
  }
  return { from: start, to: cursor, options: wordsOf(names, typed) }
}

/** The line after an option was chosen, and the cursor's new position. */
export function applyCompletion(
  text: string,
  { from, to }: Completions,
  { insert }: Completion,
): { text: string; cursor: number } {
  const rest = text.slice(to)
  const fitting = insert.endsWith(' ') && rest.startsWith(' ') ? insert.trimEnd() : insert
  return { text: text.slice(0, from) + fitting + rest, cursor: from + insert.length }
}

/** The error of a line, and its character index; -1 if unknown. */
export interface FilterError {
  says: string
  at: number
}

/** Parses the library's message about an invalid query: a sentence, '(at character 7)', the line and a caret. */
export function parseFilterError(message: string): FilterError {
  const [first = ''] = message.split('\n')
  const [, says = first, place] = /^(.*) \(at character (\d+)\)$/.exec(first) ?? []
  return { says, at: place === undefined ? -1 : Number(place) - 1 }
}

/** Runs a query; returns its syntax error, or null if it is valid. */
export async function findFilterError(runQuery: () => Promise<unknown>): Promise<FilterError | null> {
  try {
    await runQuery()
    return null
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid') throw error
    return parseFilterError(error.message)
  }
}
