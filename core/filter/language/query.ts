/** Compiles all parameters of a filter, filter groups and the text language included, to one tree. */
import type { FilterEntry, FilterQuery } from '../../../schema/api/items.ts'
import { Failure, sentence } from '../../../schema/errors.ts'
import { keyOf, tagBits } from '../../../schema/keys.ts'
import { defaultSearchTags, type SearchableTag } from '../../../schema/limits.ts'
import {
  all,
  any,
  everything,
  type Filter,
  firstMoment,
  inCollections,
  inMonths,
  lastMoment,
  not,
  nothing,
  sizeOf,
  takenBetween,
  withKeys,
} from '../filter.ts'
import type { FilterLookups } from '../lookups.ts'
import { freeText } from './free-text.ts'
import { parseFilterText } from './language.ts'

/** Maximum number of conditions, more than any real query has. */
const maxConditions = 300

/** Radius in metres if a position is given without one. */
const defaultRadius = 1000

function entryFilter(entry: FilterEntry, tags: readonly SearchableTag[], lookups: FilterLookups): Filter {
  if (entry.type === 'Person') return withKeys([keyOf('person', entry.id)], tagBits.People)
  if (entry.type === 'Object') return withKeys([keyOf('object', entry.id)], tagBits.Object)
  if (entry.id === 0) return freeText(entry.text ?? '', tags, lookups) ?? nothing
  const bits = tags.reduce((sum, tag) => sum | tagBits[tag], 0)
  const name = tags.includes('People') ? lookups.keystring(entry.id) : null
  const people = name === null ? [] : lookups.peopleNamed(name)
  return withKeys([keyOf('keystring', entry.id), ...people.map(id => keyOf('person', id))], bits)
}

/** Whether an entry has a value: empty free text is a form field that was left blank. */
function isFilled(entry: FilterEntry): boolean {
  return entry.type !== 'Keyword' || entry.id !== 0 || (entry.text ?? '').trim() !== ''
}

function nearOf({ latitude, longitude, radius }: FilterQuery): Filter {
  if (latitude === undefined && longitude === undefined) {
    if (radius === undefined) return everything
    throw new Failure('invalid', 'radius needs latitude and longitude', { field: 'radius' })
  }
  if (latitude === undefined || longitude === undefined) {
    const field = latitude === undefined ? 'latitude' : 'longitude'
    throw new Failure('invalid', 'latitude and longitude go together', { field })
  }
  if (Math.abs(latitude) > 90) throw new Failure('invalid', 'latitude is -90 to 90', { field: 'latitude' })
  if (Math.abs(longitude) > 180) throw new Failure('invalid', 'longitude is -180 to 180', { field: 'longitude' })
  if (radius !== undefined && radius < 0)
    throw new Failure('invalid', 'radius must be a number of metres', { field: 'radius' })
  return { is: 'near', latitude, longitude, radius: radius ?? defaultRadius }
}

/** Combines all filter parameters of a call to one tree; `Failure('invalid')` names the invalid parameter. */
export function filterOfQuery(query: FilterQuery, lookups: FilterLookups): Filter {
  const tags =
    query.searchInTags === undefined || query.searchInTags.length === 0 ? defaultSearchTags : query.searchInTags
  const groups = (query.filtergroups ?? []).map(group => group.filter(isFilled)).filter(group => group.length > 0)
  const filter = all([
    query.collection_id === undefined || query.collection_id === 0 ? everything : inCollections([query.collection_id]),
    takenBetween(query.timestampStart ?? firstMoment, query.timestampEnd ?? lastMoment),
    query.startMonth === undefined ? everything : inMonths([query.startMonth], query.calendar),
    nearOf(query),
    query.album === undefined ? everything : (lookups.album(query.album) ?? nothing),
    groups.length === 0
      ? everything
      : any(
          groups.map(group =>
            all(
              group.map(entry => {
                const found = entryFilter(entry, tags, lookups)
                return entry.mode === 1 ? not(found) : found
              }),
            ),
          ),
        ),
    parseFilterText(query.q ?? '', tags, lookups),
  ])
  if (sizeOf(filter) > maxConditions) {
    throw new Failure('invalid', sentence`A filter has at most ${maxConditions} conditions.`, {
      field: query.q === undefined ? 'filtergroups' : 'q',
    })
  }
  return filter
}
