/** Why a filter leaves nothing, in words, and the steps that might give something again. Pure. */
import { monthAndYear, monthName } from './dates.ts'
import { type Filter, isEmpty, type Word } from './filter.ts'

/** A piece of a sentence; strong pieces are what was asked for. */
export interface Piece {
  text: string
  strong?: boolean
}

function dateText({ year, month }: Filter): string | null {
  if (year !== null && month !== null) return monthAndYear(year, month)
  if (year !== null) return String(year)
  return month === null ? null : `any ${monthName(month)}`
}

function listed(words: readonly string[], joint: string): Piece[] {
  return words.flatMap((word, at) => {
    const before = at === 0 ? '' : at === words.length - 1 ? ` ${joint} ` : ', '
    return [...(before === '' ? [] : [{ text: before }]), { text: word, strong: true }]
  })
}

/** 'Nothing in Family from 1931 has both Mia and skiing.' */
export function emptyReason(filter: Filter, collection: string | null): Piece[] {
  if (isEmpty(filter)) return [{ text: 'There is nothing to show yet.' }]
  const pieces: Piece[] = [{ text: 'Nothing' }]
  if (filter.collection !== 0 && collection !== null) pieces.push({ text: ' in ' }, { text: collection, strong: true })
  const date = dateText(filter)
  if (date !== null) pieces.push({ text: ` from ${date}` })
  const wanted = filter.words.filter(({ not }) => !not).map(({ text }) => text)
  const unwanted = filter.words.filter(({ not }) => not).map(({ text }) => text)
  if (wanted.length > 0) pieces.push({ text: wanted.length === 2 ? ' has both ' : ' has ' }, ...listed(wanted, 'and'))
  if (unwanted.length > 0) {
    pieces.push({ text: wanted.length > 0 ? ' without ' : ' is left without ' }, ...listed(unwanted, 'or'))
  }
  if (wanted.length === 0 && unwanted.length === 0) pieces.push({ text: ' is here' })
  pieces.push({ text: '.' })
  return pieces
}

/** A smaller filter and what its button says. */
export interface WayOut {
  text: string
  filter: Filter
}

/** 'Just Mia and snow': what is still asked for when one word is not. */
function justText(words: readonly Word[]): string {
  const wanted = words.filter(({ not }) => !not).map(({ text }) => text)
  return wanted.length === 0
    ? 'Any keyword'
    : `Just ${listed(wanted, 'and')
        .map(({ text }) => text)
        .join('')}`
}

/** Steps that take one thing away, the smallest first. Each may still give nothing: its count decides. */
export function waysOut(filter: Filter): WayOut[] {
  const ways: WayOut[] = []
  const { year, month } = filter
  if (year !== null && month !== null) ways.push({ text: `All of ${year}`, filter: { ...filter, month: null } })
  if (year !== null) ways.push({ text: 'Any year', filter: { ...filter, year: null, month: null } })
  else if (month !== null) ways.push({ text: 'Any month', filter: { ...filter, month: null } })
  filter.words.forEach((word, at) => {
    const words = filter.words.filter((_, index) => index !== at)
    ways.push({ text: word.not ? `Even with ${word.text}` : justText(words), filter: { ...filter, words } })
  })
  if (filter.collection !== 0) ways.push({ text: 'All collections', filter: { ...filter, collection: 0 } })
  return ways
}
