/** Explains a filter to users: what each part of it matches. */
import type { ExplainedLine } from '../../../schema/api/items.ts'
import { monthNames } from '../../kernel/clock.ts'
import { type Filter, firstMoment, type LeafFilter, lastMoment } from '../filter.ts'
import { type FilterNames, printFilter } from './print.ts'

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}

function range(what: string, from: number, to: number): string {
  const parts = [what]
  if (from > firstMoment) parts.push(`on or after ${day(from)}`)
  if (to < lastMoment) parts.push(`before ${day(to)}`)
  return parts.join(' ')
}

function metres(radius: number): string {
  return radius >= 1000 ? `${radius / 1000} km` : `${radius} m`
}

function leaf(filter: LeafFilter, names: FilterNames): string {
  switch (filter.is) {
    case 'key':
      return `filed under exactly ${printFilter(filter, names)}`
    case 'text': {
      const what = filter.phrase ? `the exact phrase "${filter.text}"` : `a word that begins with "${filter.text}"`
      return `${what} in ${filter.columns.join(', ')}`
    }
    case 'taken':
      return range('taken', filter.from, filter.to)
    case 'added':
      return range('added to the library', filter.from, filter.to)
    case 'month':
      return `taken in ${filter.months.map(month => monthNames[month - 1] ?? '').join(' or ')} of any year`
    case 'near':
      return `within ${metres(filter.radius)} of ${filter.latitude}, ${filter.longitude}`
    case 'box':
      return `between ${filter.south}, ${filter.west} and ${filter.north}, ${filter.east}`
    case 'folder':
      return `in the folder '${filter.text}' or below it`
    case 'collection':
      return `in ${filter.ids.map(id => `'${names.collection(id)}'`).join(' or ')}`
  }
}

/** The filter as short sentences, operands below their operator. */
export function explained(filter: Filter, names: FilterNames, depth = 0): ExplainedLine[] {
  const below = (parts: readonly Filter[]) => parts.flatMap(part => explained(part, names, depth + 1))
  switch (filter.is) {
    case 'everything':
      return [{ depth, says: 'everything' }]
    case 'nothing':
      return [{ depth, says: 'nothing: no item can match' }]
    case 'and':
      return [{ depth, says: 'all of' }, ...below(filter.of)]
    case 'or':
      return [{ depth, says: 'any of' }, ...below(filter.of)]
    case 'not':
      return [{ depth, says: 'not' }, ...below([filter.of])]
    default:
      return [{ depth, says: leaf(filter, names) }]
  }
}
