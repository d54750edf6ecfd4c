/** Which of several copies is the best, and what happens to the others. Pure. */
import type { Duplicate } from '../../../schema/api/items.ts'
import { rotationOf } from '../../items/item-text.ts'
import { duplicatesTexts } from '../../texts/admin/duplicates.ts'

/** Ids of items in a group: the kept one, and others that are not recycled either. */
export interface DuplicateChoice {
  keep: number
  notRecycled: readonly number[]
}

export type Group = readonly Duplicate[]

/** Identifies a group by its items, in any order. */
export function groupKeyOf(group: Group): string {
  const ids = group.map(({ id }) => id)
  return ids.sort((a, b) => a - b).join(' ')
}

/** Keys of skipped groups, newest last. */
export interface SkippedGroups {
  exact: readonly string[]
  near: readonly string[]
}

/** Maximum number of remembered groups of each kind. */
export const maxSkippedGroups = 1000

export function withSkipped(left: SkippedGroups, kind: keyof SkippedGroups, key: string): SkippedGroups {
  return { ...left, [kind]: [...left[kind].filter(known => known !== key), key].slice(-maxSkippedGroups) }
}

/** Drops groups that no longer exist; `there` has the keys of all present groups. */
export function withoutRemoved(
  left: SkippedGroups,
  kind: keyof SkippedGroups,
  there: readonly string[],
): SkippedGroups {
  const all = new Set(there)
  return { ...left, [kind]: left[kind].filter(key => all.has(key)) }
}

/** How much metadata an item has: its words, people and objects, and its description, place and rating. */
export function tagCount({ tags, rating }: Pick<Duplicate, 'tags' | 'rating'>): number {
  const lists = [tags.Category, tags.Keywords, tags.Author, tags.People, tags.Object]
  const listed = lists.reduce((sum, tag) => sum + (tag?.data.length ?? 0), 0)
  const place = tags.Locations?.data
  const parts = [
    (tags.Description?.data ?? '') !== '',
    place !== undefined && place.latitude !== null,
    rating !== null && rating > 0,
  ]
  return listed + parts.filter(Boolean).length
}

const pixelsOf = ({ width, height }: Duplicate) => width * height
/** The date was guessed from the name or from the file's own time. */
const hasGuessedDate = ({ date_source: source }: Duplicate) => source === 'name' || source === 'file'
/** Size differences of less than a tenth are ignored. */
const roughSize = ({ size }: Duplicate) => Math.round(Math.log(Math.max(1, size)) / Math.log(1.1))

/** Criteria by priority; a higher value is better. */
const criteria: readonly ((item: Duplicate) => number)[] = [
  item => (item.problem === null ? 1 : 0),
  item => (item.rating === -1 ? 0 : 1),
  pixelsOf,
  roughSize,
  item => (hasGuessedDate(item) ? 0 : 1),
  // Copies have later dates than their originals.
  item => -item.taken,
  tagCount,
  item => (rotationOf(item) === 0 ? 0 : 1),
  item => -item.id,
]

function isBetter(a: Duplicate, b: Duplicate): boolean {
  for (const measure of criteria) {
    const difference = measure(a) - measure(b)
    if (difference !== 0) return difference > 0
  }
  return false
}

/** The item that is best to keep; null in an empty group. */
export function bestOf(group: Group): Duplicate | null {
  return group.reduce<Duplicate | null>((best, item) => (best === null || isBetter(item, best) ? item : best), null)
}

export function proposalFor(group: Group): DuplicateChoice {
  return { keep: bestOf(group)?.id ?? 0, notRecycled: [] }
}

export function recycledOf(group: Group, { keep, notRecycled }: DuplicateChoice): Duplicate[] {
  return group.filter(({ id }) => id !== keep && !notRecycled.includes(id))
}

/** Chooses another item to keep: the previous one is recycled with the others. */
export function withKept(choice: DuplicateChoice, keep: number): DuplicateChoice {
  return { keep, notRecycled: choice.notRecycled.filter(id => id !== keep) }
}

/** Sets whether another item is recycled or stays. */
export function withNotRecycled(choice: DuplicateChoice, id: number, stays: boolean): DuplicateChoice {
  const left = choice.notRecycled.filter(one => one !== id)
  return { ...choice, notRecycled: stays ? [...left, id] : left }
}

/** The criteria in which an item beats all others: 'largest', 'most tags' … */
export function meritsOf(group: Group, item: Duplicate): string[] {
  const others = group.filter(({ id }) => id !== item.id)
  const isAhead = (measure: (one: Duplicate) => number) => others.every(other => measure(item) > measure(other))
  const merits: string[] = []
  if (isAhead(pixelsOf)) merits.push(duplicatesTexts.largestPicture)
  else if (isAhead(roughSize)) merits.push(duplicatesTexts.largestFile)
  if (isAhead(one => (hasGuessedDate(one) ? 0 : 1))) merits.push(duplicatesTexts.itsOwnDate)
  else if (!hasGuessedDate(item) && isAhead(one => -one.taken)) merits.push(duplicatesTexts.oldestDate)
  if (isAhead(tagCount)) merits.push(duplicatesTexts.maxTags)
  return merits
}

export function bytesOf(items: readonly Pick<Duplicate, 'size'>[]): number {
  return items.reduce((sum, { size }) => sum + size, 0)
}
