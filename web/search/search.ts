/** State of the search box: its text, the group of the next chip, and syntax errors. */
import { computed, signal } from '@preact/signals-react'
import type { Suggestion, SuggestionKind } from '../../schema/suggestion-match.ts'
import { address } from '../app/address.ts'
import { filter, setFilter } from '../app/current-filter.ts'
import { type ChipEntry, type ChipKind, sameEntry } from '../app/filter.ts'
import { checkQuery, refusedQuery } from '../app/query-fault.ts'
import { isQueryText, joinQueries, type QueryFault, splitTyped } from '../app/typed-text.ts'
import { searchTexts } from '../texts/search.ts'
import {
  type ChipPosition,
  chipPositionOf,
  defaultGroup,
  entryAt,
  withEntries,
  withEntryMoved,
  withEntryToggled,
  withoutEntry,
  withTyped,
} from './filter-groups.ts'
import { placeOfSuggestion, updateSuggestions } from './suggestions.ts'

export const typed = signal('')
/** Whether the filter's query was moved into the field, to be edited. */
export const isEditingQuery = signal(false)
/** The syntax error of the text that was entered last. */
const inputFault = signal<QueryFault | null>(null)
/** Text that screen readers announce. */
export const announcement = signal('')

const wantsNewGroup = signal(false)
/** Whether 'or' was entered, so that the next chip starts another group. */
export const opensNewGroup = computed(() => wantsNewGroup.value && filter.value.groups.length > 0)

/** The syntax error of the text that was entered last, or else of the query in the address. */
export const queryFault = computed(
  () => inputFault.value ?? (refusedQuery.value?.q === filter.value.q ? (refusedQuery.value?.fault ?? null) : null),
)

/** The error that is shown below the search box. On Home, the gallery shows that of the query in the address. */
export const searchBoxFault = computed(() => inputFault.value ?? (address.value.path === '/' ? null : queryFault.value))

/** Index of the group that the next chip joins. */
function targetGroup(): number {
  return opensNewGroup.peek() ? filter.peek().groups.length : defaultGroup(filter.peek())
}

export function openNewGroup(): void {
  wantsNewGroup.value = true
}

export function cancelNewGroup(): void {
  wantsNewGroup.value = false
}

function addEntries(entries: readonly ChipEntry[]): void {
  const next = withEntries(filter.peek(), entries, targetGroup())
  wantsNewGroup.value = false
  if (JSON.stringify(next.groups) !== JSON.stringify(filter.peek().groups)) setFilter({ groups: next.groups })
}

/** Adds words as chips; the word 'or' alone starts another group. */
function addWords(text: string): void {
  if (text === 'or' && filter.peek().groups.length > 0) openNewGroup()
  else addEntries(withTyped({ ...filter.peek(), groups: [] }, text).groups.flat())
}

/** Changes the field's text: entries that end with a comma become chips. */
export function setTyped(text: string): void {
  inputFault.value = null
  const { entries, rest } = isEditingQuery.peek() ? { entries: [], rest: text } : splitTyped(text)
  for (const entry of entries) addWords(entry)
  typed.value = rest
}

/** Adds a query to the filter or, while its query is edited, replaces it. Returns false if `text` is invalid. */
async function setQuery(text: string): Promise<boolean> {
  const { q } = filter.peek()
  const next = isEditingQuery.peek() ? text : joinQueries(q, text)
  const fault = next === '' ? null : await checkQuery(text)
  inputFault.value = fault
  if (fault !== null) return false
  clearTyped()
  if (next !== q) setFilter({ q: next })
  return true
}

/** Searches for the field's text. Returns false if it is invalid. */
export async function submitTyped(): Promise<boolean> {
  const text = typed.peek().trim()
  if (isEditingQuery.peek() || isQueryText(text)) return setQuery(text.replace(/,(?=\s|$)/g, ''))
  addWords(text)
  clearTyped()
  return true
}

export function clearTyped(): void {
  typed.value = ''
  inputFault.value = null
  isEditingQuery.value = false
  updateSuggestions('')
}

/** Moves the query into the field. */
export function editQuery(): void {
  const { q } = filter.peek()
  if (q === '') return
  typed.value = q
  isEditingQuery.value = true
  inputFault.value = null
}

/** The kind of chip for each kind of suggestion; a place has none. */
const kinds: Record<SuggestionKind, ChipKind | null> = {
  People: 'Person',
  Objects: 'Object',
  Keywords: 'Keyword',
  Category: 'Keyword',
  Author: 'Keyword',
  Places: null,
}

export function pickSuggestion(suggestion: Suggestion): void {
  const kind = kinds[suggestion.kind]
  if (kind !== null) addEntries([{ kind, id: suggestion.id, text: suggestion.name, not: false }])
  else {
    const near = placeOfSuggestion(suggestion)
    if (near !== null) setFilter({ near })
  }
  clearTyped()
}

export function toggleEntry(position: ChipPosition): void {
  const entry = entryAt(filter.peek(), position)
  setFilter({ groups: withEntryToggled(filter.peek(), position).groups })
  if (entry !== undefined)
    announcement.value = entry.not
      ? searchTexts.withText({ text: entry.text })
      : searchTexts.withoutText({ text: entry.text })
}

export function removeEntry(position: ChipPosition): void {
  const entry = entryAt(filter.peek(), position)
  setFilter({ groups: withoutEntry(filter.peek(), position).groups })
  if (entry !== undefined) announcement.value = searchTexts.removed({ text: entry.text })
}

/** Cancels a new group; else removes the last chip. For Backspace in an empty field. */
export function removeLastEntry(): void {
  const { groups, near, q } = filter.peek()
  const last = groups.at(-1)
  if (opensNewGroup.peek()) cancelNewGroup()
  else if (last !== undefined) removeEntry({ group: groups.length - 1, at: last.length - 1 })
  else if (near !== null) setFilter({ near: null })
  else if (q !== '') setFilter({ q: '' })
}

/** Moves a chip to another group. Returns its new position; null if nothing has moved. */
export function moveEntry(position: ChipPosition, group: number): ChipPosition | null {
  const now = filter.peek()
  const entry = entryAt(now, position)
  // Moving the only chip of a group into a new group would change nothing.
  const alone = now.groups[position.group]?.length === 1
  if (entry === undefined || group === position.group || group < 0 || (alone && group >= now.groups.length)) return null
  const next = withEntryMoved(now, position, group)
  wantsNewGroup.value = false
  setFilter({ groups: next.groups })
  const wanted = Math.min(group, now.groups.length) - (alone && group > position.group ? 1 : 0)
  const at = next.groups[wanted]?.findIndex(one => sameEntry(one, entry)) ?? -1
  const found = at === -1 ? chipPositionOf(next, entry) : { group: wanted, at }
  announcement.value = searchTexts.movedToGroup({
    text: entry.text,
    number: (found?.group ?? 0) + 1,
    total: next.groups.length,
  })
  return found
}
