/** For a filter without results: its conditions as text, and filters with fewer conditions to try. Pure. */

import { ownLocale } from '../../schema/locale.ts'
import type { ChipEntry, Filter } from '../app/filter.ts'
import { monthAndYear, monthName, yearText } from '../kit/dates.ts'
import { baseTexts } from '../texts/base.ts'
import { searchTexts } from '../texts/search.ts'
import { withoutEntry } from './filter-groups.ts'
import { distanceText, placeText } from './location-text.ts'

/** 'August 2012', 'any March'; null without a date. */
export function filterDateText({ year, month, calendar }: Filter): string | null {
  if (year !== null && month !== null) return monthAndYear(year, month)
  if (year !== null) return yearText(year)
  return month === null ? null : searchTexts.anyMonthNamed({ month: monthName(month, calendar) })
}

const listOf = (words: readonly string[]) => new Intl.ListFormat(ownLocale).format(words)

/** 'Mia and skiing, without snow' */
function groupText(group: readonly ChipEntry[]): string {
  const wanted = listOf(group.filter(({ not }) => !not).map(({ text }) => text))
  const unwanted = listOf(group.filter(({ not }) => not).map(({ text }) => text))
  if (unwanted === '') return wanted
  return wanted === '' ? searchTexts.withoutText({ text: unwanted }) : searchTexts.wordsWithout({ wanted, unwanted })
}

/** A condition of a filter as text. */
export interface Condition {
  label: string
  value: string
}

/** The conditions of a filter: 'Date' and '1931', 'Words' and 'Mia and skiing'. `collection` is the collection's name. */
export function conditionsOf(filter: Filter, collection: string | null): Condition[] {
  const conditions: Condition[] = []
  const add = (label: string, value: string | null) => value !== null && conditions.push({ label, value })
  if (filter.collection !== 0) add(baseTexts.collection, collection)
  add(baseTexts.date, filterDateText(filter))
  if (filter.near !== null) {
    const distance = distanceText(filter.near.radius)
    add(baseTexts.location, searchTexts.withinOf({ distance, place: placeText(filter.near) }))
  }
  filter.groups.forEach((group, at) => {
    add(at === 0 ? searchTexts.words : searchTexts.orWords, groupText(group))
  })
  if (filter.q !== '') add(searchTexts.query, filter.q)
  return conditions
}

/** A filter with fewer conditions, and the text of its button. */
export interface WiderFilter {
  text: string
  filter: Filter
}

/** 'Just Mia and snow': the button for a filter with these words only. */
function justText(group: readonly ChipEntry[]): string {
  const wanted = group.filter(({ not }) => !not).map(({ text }) => text)
  return wanted.length === 0 ? searchTexts.anyKeyword : searchTexts.justWords({ words: listOf(wanted) })
}

/** Filters with fewer conditions, in the order in which to try them. The caller checks whether they have results. */
export function widerFilters(filter: Filter): WiderFilter[] {
  const wider: WiderFilter[] = []
  const { year, month } = filter
  if (year !== null && month !== null)
    wider.push({ text: searchTexts.allOf({ year: yearText(year) }), filter: { ...filter, month: null } })
  if (year !== null) wider.push({ text: searchTexts.anyYear, filter: { ...filter, year: null, month: null } })
  else if (month !== null) wider.push({ text: searchTexts.anyMonth, filter: { ...filter, month: null } })
  if (filter.near !== null) wider.push({ text: searchTexts.anywhere, filter: { ...filter, near: null } })
  if (filter.q !== '') wider.push({ text: searchTexts.withoutTheQuery, filter: { ...filter, q: '' } })
  const [group = []] = filter.groups
  if (filter.groups.length > 1) wider.push({ text: searchTexts.anyKeyword, filter: { ...filter, groups: [] } })
  else {
    group.forEach((entry, at) => {
      const rest = group.filter((_, index) => index !== at)
      wider.push({
        text: entry.not ? searchTexts.evenWith({ text: entry.text }) : justText(rest),
        filter: withoutEntry(filter, { group: 0, at }),
      })
    })
  }
  if (filter.collection !== 0) wider.push({ text: baseTexts.allCollections, filter: { ...filter, collection: 0 } })
  return wider
}
