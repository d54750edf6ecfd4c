/** Names for completion in prompts and queries, loaded when needed and kept for a few seconds. */
import { type KnownName, type SuggestionKind, suggestionsFor } from '../schema/suggestion-match.ts'
import type { FilterNames } from './filter-completion.ts'
import type { TuiSession } from './session.ts'

const freshMs = 15_000
let loaded: { at: number; names: Promise<FilterNames> } | null = null

async function load({ client }: TuiSession): Promise<FilterNames> {
  const known: KnownName[] = []
  for (const kind of ['Keywords', 'Category', 'Author'] as const)
    for (const { id, content, itemcount } of await client.keystrings.byTag({ params: { tag: kind } }))
      known.push({ kind, id, name: content, count: itemcount })
  for (const { id, names, itemcount } of await client.people.list())
    for (const { name } of names) known.push({ kind: 'People', id, name, count: itemcount })
  for (const { id, name, itemcount } of await client.objects.list())
    known.push({ kind: 'Objects', id, name, count: itemcount })
  const [, ...collections] = await client.collections.list()
  const { albums } = await client.albums.list({ query: {} })
  const { months } = await client.items.timeline({ params: { collectionId: 0 } })
  return {
    known,
    collections: collections.map(({ name, itemcount }) => ({ name, count: itemcount })),
    albums: albums.map(({ name, items }) => ({ name, count: items })),
    months,
  }
}

export function filterNamesOf(session: TuiSession): Promise<FilterNames> {
  const now = performance.now()
  if (loaded !== null && now - loaded.at < freshMs) return loaded.names
  const names = load(session)
  loaded = { at: now, names }
  names.catch(() => {
    loaded = null
  })
  return names
}

/** Completions of a prompt with entries separated by semicolons; each is the whole text. */
export async function completeEntries(session: TuiSession, kind: SuggestionKind, text: string): Promise<string[]> {
  const { known } = await filterNamesOf(session)
  const start = text.lastIndexOf(';') + 1
  const before = text.slice(0, start)
  const typed = text.slice(start).trim()
  const ofKind = known.filter(one => one.kind === kind)
  const names =
    typed === '' ? ofKind.toSorted((a, b) => b.count - a.count).slice(0, 20) : suggestionsFor(ofKind, typed, 20)
  return names.map(({ name }) => `${before}${before === '' ? '' : ' '}${name}`)
}
