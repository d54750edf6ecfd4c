/** What compiling a filter asks of the library: ids of names, and which columns free text is looked for in. */
import { keyOf, tagBits } from '../../schema/keys.ts'
import type { SearchableTag } from '../../schema/limits.ts'
import { type Filter, type TextColumn, withKeys } from './filter.ts'

/** Resolves names to ids for one caller: a collection that they can't see has no name. */
export interface FilterLookups {
  /** What a keystring says; null where there is none of that id. */
  keystring(id: number): string | null
  /** Ids of what has exactly this name, ignoring case. */
  keystringsNamed(name: string): number[]
  peopleNamed(name: string): number[]
  objectsNamed(name: string): number[]
  collectionsNamed(name: string): number[]
  /** Cameras whose name this is true of. */
  cameras(matches: (name: string) => boolean): number[]
}

const columnOf: Record<SearchableTag, TextColumn> = {
  Keywords: 'keywords',
  Category: 'category',
  People: 'people',
  Author: 'author',
}

/** Columns of the index in which free text is looked for. */
export function freeTextColumns(tags: readonly SearchableTag[]): TextColumn[] {
  return [...tags.map(tag => columnOf[tag]), 'description', 'place', 'file']
}

/**
 * What is called exactly so, in the tag sets that free text is looked for in; null where nothing is. For names that are
 * signs alone (an emoji): the index has no words of them.
 */
export function wholeName(name: string, tags: readonly SearchableTag[], lookups: FilterLookups): Filter | null {
  const people = tags.includes('People') ? lookups.peopleNamed(name) : []
  const keys = [
    ...lookups.keystringsNamed(name).map(id => keyOf('keystring', id)),
    ...people.map(id => keyOf('person', id)),
  ]
  if (keys.length === 0) return null
  return withKeys(
    keys,
    tags.reduce((bits, tag) => bits | tagBits[tag], 0),
  )
}
