/** State of the search box: its text, the group of the next chip, and syntax errors. */
import { computed, signal } from '@preact/signals-react'
import type { Suggestion, SuggestionKind } from '../../schema/suggestion-match.ts'
import { address } from '../app/address.ts'
import { filter, setFilter } from '../app/current-filter.ts'
import { type ChipEntry, type ChipKind, sameEntry } from '../app/filter.ts'
import { checkQuery, refusedQuery } from '../app/query-fault.ts'
import { isQueryText, joinedQueries, type QueryFault, splitTyped } from '../app/typed-text.ts'
import { searchTexts } from '../texts/search.ts'
import {
  type ChipPosition,
  chipPositionOf,
  entryAt,
  moved,
  usualGroup,
  withEntries,
  withEntryToggled,
  withoutEntry,
  withTyped,
} from './filter-groups.ts'
import { placeBehind, suggest } from './suggestions.ts'

export const typed = signal('')
/** Whether the filter's query is in the field, to be edited. */
export const editing = signal(false)
/** The syntax error of the last input. */
const inputFault = signal<QueryFault | null>(null)
/** Text that screen readers announce. */
export const announcement = signal('')

const wantsAnother = signal(false)
/** Whether 'or' was entered, so that the next chip starts another group. */
export const opensAnother = computed(() => wantsAnother.value && filter.value.groups.length > 0)

/** The syntax error of the last input, else of the address. */
export const queryFault = computed(
  () => inputFault.value ?? (refusedQuery.value?.q === filter.value.q ? (refusedQuery.value?.fault ?? null) : null),
)

/** The error below the search box: of the last input, or else of the address, unless Home shows that one itself. */
export const faultHere = computed(() => inputFault.value ?? (address.value.path === '/' ? null : queryFault.value))

/** Index of the group that the next chip joins. */
function targetGroup(): number {
  return opensAnother.peek() ? filter.peek().groups.length : usualGroup(filter.peek())
}

export function openAnother(): void {
  wantsAnother.value = true
}

export function closeAnother(): void {
  wantsAnother.value = false
}

function addEntries(entries: readonly ChipEntry[]): void {
  const next = withEntries(filter.peek(), entries, targetGroup())
  wantsAnother.value = false
  if (JSON.stringify(next.groups) !== JSON.stringify(filter.peek().groups)) setFilter({ groups: next.groups })
}

/** Adds words as chips; a lone 'or' starts another group. */
function addWords(text: string): void {
  if (text === 'or' && filter.peek().groups.length > 0) openAnother()
  else addEntries(withTyped({ ...filter.peek(), groups: [] }, text).groups.flat())
}

/** The field's text has changed: entries that end with a comma become chips. */
export function setTyped(text: string): void {
  inputFault.value = null
  const { done, rest } = editing.peek() ? { done: [], rest: text } : splitTyped(text)
  for (const word of done) addWords(word)
  typed.value = rest
}

async function setQuery(text: string): Promise<boolean> {
  const { q } = filter.peek()
  const next = editing.peek() ? text : joinedQueries(q, text)
  const fault = next === '' ? null : await checkQuery(text)
  inputFault.value = fault
  if (fault !== null) return false
  stopEditing()
  if (next !== q) setFilter({ q: next })
  return true
}

/** Searches for the field's text. Returns false if it is invalid. */
export async function submitTyped(): Promise<boolean> {
  const text = typed.peek().trim()
  if (editing.peek() || isQueryText(text)) return setQuery(text.replace(/,(?=\s|$)/g, ''))
  addWords(text)
  clearTyped()
  return true
}

export function clearTyped(): void {
  typed.value = ''
  inputFault.value = null
  editing.value = false
  suggest('')
}

/** Moves the query into the field. */
export function editQuery(): void {
  const { q } = filter.peek()
  if (q === '') return
  typed.value = q
  editing.value = true
  inputFault.value = null
}

function stopEditing(): void {
  clearTyped()
}

const kinds: Record<SuggestionKind, ChipKind | null> = {
  People: 'Person',
  Objects: 'Object',
  Keywords: 'Keyword',
  Category: 'Keyword',
  Author: 'Keyword',
  Places: null,
}

export function pick(suggestion: Suggestion): void {
  const kind = kinds[suggestion.kind]
  if (kind !== null) addEntries([{ kind, id: suggestion.id, text: suggestion.name, not: false }])
  else {
    const near = placeBehind(suggestion)
    if (near !== null) setFilter({ near })
  }
  clearTyped()
}

export function toggleAt(place: ChipPosition): void {
  const entry = entryAt(filter.peek(), place)
  setFilter({ groups: withEntryToggled(filter.peek(), place).groups })
  if (entry !== undefined)
    announcement.value = entry.not
      ? searchTexts.withText({ text: entry.text })
      : searchTexts.withoutText({ text: entry.text })
}

export function removeAt(place: ChipPosition): void {
  const entry = entryAt(filter.peek(), place)
  setFilter({ groups: withoutEntry(filter.peek(), place).groups })
  if (entry !== undefined) announcement.value = searchTexts.removed({ text: entry.text })
}

/** Removes the last chip, as Backspace in an empty field does. */
export function removeLast(): void {
  const { groups, near, q } = filter.peek()
  const last = groups.at(-1)
  if (opensAnother.peek()) closeAnother()
  else if (last !== undefined) removeAt({ group: groups.length - 1, at: last.length - 1 })
  else if (near !== null) setFilter({ near: null })
  else if (q !== '') setFilter({ q: '' })
}

/** Moves a chip to another group. Returns its new position; null if nothing has moved. */
export function moveTo(place: ChipPosition, group: number): ChipPosition | null {
  const now = filter.peek()
  const entry = entryAt(now, place)
  // Moving the only chip of a group into a new group would change nothing.
  const alone = now.groups[place.group]?.length === 1
  if (entry === undefined || group === place.group || group < 0 || (alone && group >= now.groups.length)) return null
  const next = moved(now, place, group)
  wantsAnother.value = false
  setFilter({ groups: next.groups })
  const wanted = Math.min(group, now.groups.length) - (alone && group > place.group ? 1 : 0)
  const at = next.groups[wanted]?.findIndex(one => sameEntry(one, entry)) ?? -1
  const found = at === -1 ? chipPositionOf(next, entry) : { group: wanted, at }
  announcement.value = searchTexts.movedToGroup({
    text: entry.text,
    number: (found?.group ?? 0) + 1,
    total: next.groups.length,
  })
  return found
}
