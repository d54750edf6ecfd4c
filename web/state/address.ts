/** The address as a signal: path, query, and what this history entry remembers. */
import { signal } from '@preact/signals-react'
import { navigate } from 'wouter/use-browser-location'
import { z } from 'zod'

/** What a history entry keeps; it survives a reload. */
const entry = z.object({
  /** The viewer lies over the gallery, with this item of the list (from 0). */
  over: z.object({ index: z.int().nonnegative() }).optional(),
  /** The viewer goes along these items, over the screen of this path. */
  along: z
    .object({ ids: z.array(z.int().positive()).max(5000), at: z.int().nonnegative(), under: z.string() })
    .optional(),
  /** Where the endless gallery stood: the first item seen, and the pixels of its row that were scrolled away. */
  at: z.object({ index: z.int().nonnegative(), rest: z.number() }).optional(),
})
export type Entry = z.output<typeof entry>

export interface Address {
  path: string
  search: string
  entry: Entry
}

export const address = signal<Address>({ path: '/', search: '', entry: {} })

function read(): void {
  const known = entry.safeParse(history.state)
  const next = { path: location.pathname, search: location.search, entry: known.success ? known.data : {} }
  address.value = next
}

/** Begins to follow the address. wouter tells of its own changes by events named after what it called. */
export function startAddress(): void {
  for (const event of ['popstate', 'pushState', 'replaceState']) addEventListener(event, read)
  // The gallery finds its own place again; the browser would move a scroller that is not filled yet.
  history.scrollRestoration = 'manual'
  read()
}

/** Goes to an address of this page. */
export function go(to: string, { replace = false, entry: state }: { replace?: boolean; entry?: Entry } = {}): void {
  navigate(to, { replace, state: state ?? null })
}

/** Notes something in the present history entry without going anywhere. */
export function note(change: Entry): void {
  const { path, search, entry: known } = address.value
  go(path + search, { replace: true, entry: { ...known, ...change } })
}
