/** What compiling a filter asks of the library: ids of names, and which columns free text is looked for in. */
import type { SearchableTag } from '../../schema/limits.ts'
import type { TextColumn } from './filter.ts'

/** Where names become ids. Answers are those for the one who asks: a collection he can't see has no name for him. */
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
