/** Parses dates and ranges in a filter: '2019', '2019-06', '2019-06-15', '2019..2020-02', '..2018'. */
import { monthNames } from '../../kernel/clock.ts'
import { type Filter, firstMoment, lastMoment, takenBetween } from '../filter.ts'

const datePattern = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/

/** Seconds of a local time read as if UTC. `Date.UTC` would read a year below 100 as 19xx. */
function momentOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1000
}

/** Start and end (excluded) of a year, month or day; null for anything else. */
function spanOf(text: string): [number, number] | null {
  const parts = datePattern.exec(text)
  if (parts === null) return null
  const year = Number(parts[1])
  if (parts[2] === undefined) return [momentOf(year, 1, 1), momentOf(year + 1, 1, 1)]
  const month = Number(parts[2])
  if (month < 1 || month > 12) return null
  const next = momentOf(year, month + 1, 1)
  if (parts[3] === undefined) return [momentOf(year, month, 1), next]
  const day = momentOf(year, month, Number(parts[3]))
  return Number(parts[3]) < 1 || day >= next ? null : [day, day + 86_400]
}

/** The two ends of 'a..b', equal when there is only one; '' for an open end. */
export function endsOf(text: string): [string, string] {
  const at = text.indexOf('..')
  return at === -1 ? [text, text] : [text.slice(0, at), text.slice(at + 2)]
}

/** Start and end (excluded) of a date or a range of dates; null when it can't be parsed or ends before it starts. */
export function rangeOf(text: string): [number, number] | null {
  const [first, last] = endsOf(text)
  if (first === '' && last === '') return null
  const start = first === '' ? firstMoment : (spanOf(first)?.[0] ?? null)
  const end = last === '' ? lastMoment : (spanOf(last)?.[1] ?? null)
  return start === null || end === null || start >= end ? null : [start, end]
}

export function takenIn(range: [number, number]): Filter {
  return takenBetween(...range)
}

function monthOf(text: string): number | null {
  const lower = text.toLowerCase()
  const named = lower.length >= 3 ? monthNames.findIndex(name => name.toLowerCase().startsWith(lower)) + 1 : 0
  const month = /^\d{1,2}$/.test(text) ? Number(text) : named
  return month >= 1 && month <= 12 ? month : null
}

/** Months 1–12 of '7', 'july', 'jul' or '11..2' (which crosses the turn of the year); null when it can't be parsed. */
export function monthsOf(text: string): number[] | null {
  const [first, last] = endsOf(text).map(monthOf)
  if (first === null || first === undefined || last === null || last === undefined) return null
  const count = ((last - first + 12) % 12) + 1
  return Array.from({ length: count }, (_, n) => ((first - 1 + n) % 12) + 1)
}
