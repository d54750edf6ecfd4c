/** Names of people over time, and searching people by them. Pure. */

import type { Person, PersonName } from '../../schema/api/people.ts'
import { ownLocale } from '../../schema/locale.ts'
import { nameAtMoment } from '../../schema/person-names.ts'
import { searchKey } from '../../schema/search-text.ts'
import { dayOf } from '../kit/dates.ts'
import { peopleTexts } from '../texts/people.ts'

export const noName = peopleTexts.noNameAvailable

const daySeconds = 86_400

/** Now, in seconds of local time read as if UTC. */
export function localNow(now = new Date()): number {
  return now.getTime() / 1000 - now.getTimezoneOffset() * 60
}

/** The name at a moment; of several, the one that began last. */
export function nameAt(names: readonly PersonName[], at: number): string {
  return nameAtMoment(names, at) ?? noName
}

/** Formats seconds as 'YYYY-MM-DD'; '' for null. */
export function dayText(seconds: number | null): string {
  if (seconds === null) return ''
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10)
}

/** Seconds of the day's start; null for '' and invalid days. */
export function secondsOfDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const ms = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(ms) ? null : ms / 1000
}

/** 'from 4 May 1987 to 1 June 2010', 'since …', 'until …'; '' for a name without dates. The last day is inclusive. */
export function timeText(
  { active_from, active_to }: Pick<PersonName, 'active_from' | 'active_to'>,
  locale = ownLocale,
): string {
  const from = active_from === null ? '' : dayOf(dayText(active_from), locale)
  const to = active_to === null ? '' : dayOf(dayText(active_to - daySeconds), locale)
  if (from === '' && to === '') return ''
  if (from === '') return peopleTexts.until({ to })
  return to === '' ? peopleTexts.since({ from }) : peopleTexts.fromTo({ from, to })
}

/** People with these letters in a present or former name, prefix matches first; everybody for an empty text. */
export function findPeople(people: readonly Person[], typed: string): readonly Person[] {
  const text = searchKey(typed.trim())
  if (text === '') return people
  const rank = ({ names }: Person) => {
    const ranks = names.map(({ name }) => {
      const known = searchKey(name)
      if (known.startsWith(text)) return 0
      return known.includes(` ${text}`) ? 1 : known.includes(text) ? 2 : 3
    })
    return Math.min(3, ...ranks)
  }
  return people
    .map(person => ({ person, rank: rank(person) }))
    .filter(one => one.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ person }) => person)
}

export function byName(now: number, locale = ownLocale): (a: Person, b: Person) => number {
  const collator = new Intl.Collator(locale)
  return (a, b) => collator.compare(nameAt(a.names, now), nameAt(b.names, now))
}
