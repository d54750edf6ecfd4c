/** What compiling a filter needs from the library: ids of names, and the columns that free text searches. */
import { keyOf, tagBits } from '../../schema/keys.ts'
import type { SearchableTag } from '../../schema/limits.ts'
import { type Filter, type TextColumn, withKeys } from './filter.ts'

/** Resolves names to ids for one caller: a collection that they can't see is not found by its name. */
export interface FilterLookups {
  /** The text of a keystring; null if the id is unknown. */
  keystring(id: number): string | null
  /** Ids of exact names, ignoring case. */
  keystringsNamed(name: string): number[]
  peopleNamed(name: string): number[]
  objectsNamed(name: string): number[]
  /** Names of collections, folders and albums are folded, as words are. */
  collectionsNamed(name: string): number[]
  /**
   * Ids of the directories with this path, and of those below, in collections where the caller sees paths. The path begins at a collection's root if `exact`, else at any directory.
   */
  foldersNamed(path: string, exact: boolean): number[]
  /** The key of the caller's favourites; null for a caller without an account. */
  favourites(): number | null
  /** The items of an album; null if the caller does not see it. */
  album(id: number): Filter | null
  /** The items of the albums and folders with this name that the caller sees; 'Favourites' also has their favourites. */
  albumsNamed(name: string): Filter[]
  /** Cameras whose name satisfies the predicate. */
  cameras(matches: (name: string) => boolean): number[]
}

const columnOf: Record<SearchableTag, TextColumn> = {
  Keywords: 'keywords',
  Category: 'category',
  People: 'people',
  Author: 'author',
}

/** Columns of the index that free text searches. */
export function freeTextColumns(tags: readonly SearchableTag[]): TextColumn[] {
  return [...tags.map(tag => columnOf[tag]), 'description', 'place', 'file']
}

/** Matches keys with exactly this name in these tag sets; null if there are none. For names without a word (`+++`). */
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
