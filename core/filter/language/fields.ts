/** The fields of `field:value` in the text language: each returns a condition, or a description of valid values. */
import { type KeyedTag, keyOf, markedRatings, marks, tagBits } from '../../../schema/keys.ts'
import { foldForSearch } from '../../../schema/search-text.ts'
import {
  addedBetween,
  any,
  type Filter,
  inCollections,
  inMonths,
  not,
  nothing,
  type TextColumn,
  withKeys,
} from '../filter.ts'
import type { FilterLookups } from '../lookups.ts'
import { everyWord, hasWord, matchesValue, phrase } from '../words.ts'
import { endsOf, monthsOf, rangeOf, takenIn } from './dates.ts'

/** A value as it was written. `quoted`: a phrase in quotes; `exact`: the whole name, after '='. */
interface FieldValue {
  text: string
  quoted: boolean
  exact: boolean
}

type FieldMeaning = Filter | { expected: string }

type Field = (value: FieldValue, lookups: FilterLookups) => FieldMeaning

function wordsIn(value: FieldValue, columns: readonly TextColumn[]): Filter {
  return value.quoted ? phrase(value.text, columns) : everyWord(value.text, columns)
}

/** A vocabulary's field: words of its values, or with '=' exactly one value. */
function vocabularyField(
  column: TextColumn,
  tag: KeyedTag,
  keys: (name: string, lookups: FilterLookups) => number[],
): Field {
  return (value, lookups) =>
    // A name of symbols only (an emoji) has no words in the index: it matches as a whole name.
    value.exact || !hasWord(value.text) ? withKeys(keys(value.text, lookups), tagBits[tag]) : wordsIn(value, [column])
}

const keystringKeys = (name: string, lookups: FilterLookups) =>
  lookups.keystringsNamed(name).map(id => keyOf('keystring', id))

const ratings = [-1, 0, 1, 2, 3, 4, 5] as const

function ratingOf(text: string): number | null {
  if (text === 'none' || text === 'unrated') return 0
  if (text === 'rejected') return -1
  return /^(-1|[0-5])$/.test(text) ? Number(text) : null
}

/** As in XMP, a missing rating counts as 0. Neither has a mark, so 0 means that the item has none of the other ratings. */
function withRatings(wanted: readonly number[]): Filter {
  const keysOf = (list: readonly number[]) => list.map(rating => keyOf('mark', marks.rating(rating)))
  const bits = tagBits.Mark
  if (!wanted.includes(0)) return withKeys(keysOf(wanted), bits)
  return not(withKeys(keysOf(markedRatings.filter(rating => !wanted.includes(rating))), bits))
}

const rating: Field = ({ text }) => {
  const expected = { expected: 'rating takes a number of stars: 4, >=3, <2, 2..4, none or rejected' }
  const [, operator = '', operand = ''] = /^(>=|<=|>|<|=)?(.*)$/.exec(foldForSearch(text)) ?? []
  if (operator === '' && operand.includes('..')) {
    const [from, to] = endsOf(operand)
    const least = from === '' ? -1 : ratingOf(from)
    const most = to === '' ? 5 : ratingOf(to)
    return least === null || most === null || least > most
      ? expected
      : withRatings(ratings.filter(stars => stars >= least && stars <= most))
  }
  const given = ratingOf(operand)
  if (given === null) return expected
  const holds: Record<string, (stars: number) => boolean> = {
    '>=': stars => stars >= given,
    '<=': stars => stars <= given,
    '>': stars => stars > given,
    '<': stars => stars < given,
  }
  return withRatings(ratings.filter(holds[operator] ?? (stars => stars === given)))
}

const video = withKeys([keyOf('mark', marks.video)], tagBits.Mark)
const types: Record<string, Filter> = { video, image: not(video), photo: not(video) }

const type: Field = ({ text }) => types[text.toLowerCase()] ?? { expected: 'type takes image or video' }

const favourite: Field = ({ text }, lookups) => {
  const wanted = text.toLowerCase()
  if (wanted !== 'yes' && wanted !== 'no') return { expected: 'favourite takes yes or no' }
  const key = lookups.favourites()
  const isFavourite = withKeys(key === null ? [] : [key], tagBits.Mark)
  return wanted === 'yes' ? isFavourite : not(isFavourite)
}

const album: Field = ({ text }, lookups) => any(lookups.albumsNamed(text))

const folder: Field = ({ text, exact }, lookups) => {
  const name = text.replace(/^\/+|\/+$/g, '')
  const dirs = name === '' ? [] : lookups.foldersNamed(name, exact)
  return dirs.length === 0 ? nothing : { is: 'folder', text: name, exact, dirs }
}

const units: Record<string, number> = { m: 1, km: 1000, mi: 1609.344 }

const near: Field = ({ text }) => {
  const expected = { expected: 'near takes latitude, longitude and a distance: 48.1,11.6,5km' }
  const parts = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?)(m|km|mi)?)?$/i.exec(text.replace(/\s/g, ''))
  if (parts === null) return expected
  const [latitude, longitude] = [Number(parts[1]), Number(parts[2])]
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return expected
  const radius = parts[3] === undefined ? 1000 : Number(parts[3]) * (units[parts[4]?.toLowerCase() ?? 'm'] ?? 1)
  return { is: 'near', latitude, longitude, radius }
}

/** A decimal number; '' and '0x10' are not valid. */
const decimal = /^-?\d+(?:\.\d+)?(?:e-?\d+)?$/i

const box: Field = ({ text }) => {
  const sides = text
    .replace(/\s/g, '')
    .split(',')
    .map(side => (decimal.test(side) ? Number(side) : Number.NaN))
  const [south, west, north, east] = sides
  const hasAllSides = south !== undefined && west !== undefined && north !== undefined && east !== undefined
  const fits = sides.length === 4 && sides.every(side => Math.abs(side) <= 180)
  if (!hasAllSides || !fits || Math.abs(south) > 90 || Math.abs(north) > 90 || south > north)
    return { expected: 'box takes south, west, north and east: 47.2,5.8,55.1,15.1' }
  return { is: 'box', south, west, north, east }
}

const date: Field = ({ text }) => {
  const range = rangeOf(foldForSearch(text))
  return range === null
    ? { expected: 'date takes a year, month or day, or a range: 2019, 2019-06..2020-02' }
    : takenIn(range)
}

const year: Field = ({ text }) => {
  const digits = foldForSearch(text)
  const range = /^[\d.]+$/.test(digits) ? rangeOf(digits) : null
  return range === null ? { expected: 'year takes a year or a range: 2019, 2015..2018' } : takenIn(range)
}

const month: Field = ({ text }) => {
  const months = monthsOf(foldForSearch(text))
  return months === null ? { expected: 'month takes a month or a range: 7, july, 11..2' } : inMonths(months)
}

const added: Field = ({ text }) => {
  const range = rangeOf(text)
  return range === null ? { expected: 'added takes a date or a range: 2024-01.., 2024-06-15' } : addedBetween(...range)
}

const camera: Field = (value, lookups) => {
  const condition = wordsIn(value, ['file'])
  const parts = condition.is === 'and' ? condition.of : [condition]
  const matches = (name: string) =>
    value.exact
      ? name.toLowerCase() === value.text.toLowerCase()
      : parts.every(part => part.is === 'text' && matchesValue(part, name))
  return withKeys(
    lookups.cameras(matches).map(id => keyOf('mark', marks.camera(id))),
    tagBits.Mark,
  )
}

export const fields: Record<string, Field> = {
  keyword: vocabularyField('keywords', 'Keywords', keystringKeys),
  category: vocabularyField('category', 'Category', keystringKeys),
  author: vocabularyField('author', 'Author', keystringKeys),
  person: vocabularyField('people', 'People', (name, lookups) =>
    lookups.peopleNamed(name).map(id => keyOf('person', id)),
  ),
  object: vocabularyField('objects', 'Object', (name, lookups) =>
    lookups.objectsNamed(name).map(id => keyOf('object', id)),
  ),
  description: value => wordsIn(value, ['description']),
  place: value => wordsIn(value, ['place']),
  file: value => wordsIn(value, ['file']),
  folder,
  in: ({ text }, lookups) => inCollections(lookups.collectionsNamed(text)),
  year,
  month,
  date,
  added,
  near,
  box,
  type,
  rating,
  favourite,
  album,
  camera,
}
