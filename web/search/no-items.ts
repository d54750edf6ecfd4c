/** Why a filter has no results, in words, and smaller filters to try. Pure. */

import { type Entry, type Filter, isEmpty, type Near } from '../app/filter.ts'
import { monthAndYear, monthName } from '../kit/dates.ts'
import { baseTexts } from '../texts/base.ts'
import { searchTexts } from '../texts/search.ts'
import { withoutEntry } from './filter-groups.ts'
import { distanceText } from './location-text.ts'

/** A part of a sentence; strong parts come from the filter. */
export interface Piece {
  text: string
  strong?: boolean
}

/** 'August 2012', 'any March'; null without a date. */
export function dateText({ year, month }: Filter): string | null {
  if (year !== null && month !== null) return monthAndYear(year, month)
  if (year !== null) return String(year)
  return month === null ? null : searchTexts.any({ month: monthName(month) })
}

function listed(words: readonly string[], joint: string): Piece[] {
  return words.flatMap((word, at) => {
    const before = at === 0 ? '' : at === words.length - 1 ? ` ${joint} ` : ', '
    return [...(before === '' ? [] : [{ text: before }]), { text: word, strong: true }]
  })
}

/** ' has both Mia and skiing without snow' */
function groupPieces(group: readonly Entry[]): Piece[] {
  const wanted = group.filter(({ not }) => !not).map(({ text }) => text)
  const unwanted = group.filter(({ not }) => not).map(({ text }) => text)
  const pieces: Piece[] = []
  if (wanted.length > 0)
    pieces.push(
      { text: wanted.length === 2 ? searchTexts.hasBoth : searchTexts.has },
      ...listed(wanted, searchTexts.and),
    )
  if (unwanted.length > 0) {
    pieces.push(
      { text: wanted.length > 0 ? searchTexts.without : searchTexts.isLeftWithout },
      ...listed(unwanted, searchTexts.orLower),
    )
  }
  return pieces
}

function nearText({ radius, name }: Near): string {
  const distance = distanceText(radius)
  return name === undefined ? searchTexts.withinOfThePlace({ distance }) : searchTexts.withinOfName({ distance, name })
}

/** 'Nothing in Family from 1931 has both Mia and skiing.' */
export function emptyReason(filter: Filter, collection: string | null): Piece[] {
  if (isEmpty(filter)) return [{ text: searchTexts.thereIsNothing }]
  const pieces: Piece[] = [{ text: baseTexts.nothing }]
  if (filter.collection !== 0 && collection !== null)
    pieces.push({ text: searchTexts.in }, { text: collection, strong: true })
  const date = dateText(filter)
  if (date !== null) pieces.push({ text: searchTexts.from({ date }) })
  if (filter.near !== null) pieces.push({ text: nearText(filter.near) })
  filter.groups.forEach((group, at) => {
    pieces.push(...(at === 0 ? [] : [{ text: searchTexts.or }]), ...groupPieces(group))
  })
  if (filter.q !== '') {
    pieces.push(
      { text: filter.groups.length > 0 ? searchTexts.andMatches : searchTexts.matches },
      { text: filter.q, strong: true },
    )
  }
  if (filter.groups.length === 0 && filter.q === '') pieces.push({ text: searchTexts.isHere })
  pieces.push({ text: '.' })
  return pieces
}

/** A smaller filter and its button's text. */
export interface WayOut {
  text: string
  filter: Filter
}

/** 'Just Mia and snow': the filter without one word. */
function justText(group: readonly Entry[]): string {
  const wanted = group.filter(({ not }) => !not).map(({ text }) => text)
  return wanted.length === 0
    ? searchTexts.anyKeyword
    : searchTexts.just({
        words: listed(wanted, searchTexts.and)
          .map(({ text }) => text)
          .join(''),
      })
}

/** Filters with one part removed, the smallest change first. Each may have no results either: its count decides. */
export function waysOut(filter: Filter): WayOut[] {
  const ways: WayOut[] = []
  const { year, month } = filter
  if (year !== null && month !== null)
    ways.push({ text: searchTexts.allOf({ year: String(year) }), filter: { ...filter, month: null } })
  if (year !== null) ways.push({ text: searchTexts.anyYear, filter: { ...filter, year: null, month: null } })
  else if (month !== null) ways.push({ text: searchTexts.anyMonth, filter: { ...filter, month: null } })
  if (filter.near !== null) ways.push({ text: searchTexts.anywhere, filter: { ...filter, near: null } })
  if (filter.q !== '') ways.push({ text: searchTexts.withoutTheQuery, filter: { ...filter, q: '' } })
  const [group = []] = filter.groups
  if (filter.groups.length > 1) ways.push({ text: searchTexts.anyKeyword, filter: { ...filter, groups: [] } })
  else {
    group.forEach((entry, at) => {
      const rest = group.filter((_, index) => index !== at)
      const smaller = withoutEntry(filter, { group: 0, at })
      ways.push({ text: entry.not ? searchTexts.evenWith({ text: entry.text }) : justText(rest), filter: smaller })
    })
  }
  if (filter.collection !== 0) ways.push({ text: baseTexts.allCollections, filter: { ...filter, collection: 0 } })
  return ways
}
