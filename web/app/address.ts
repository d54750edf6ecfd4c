/** The address as a signal: path, query, and the state of this history entry. */
import { effect, signal } from '@preact/signals-react'
import { z } from 'zod'
import { stepLayers } from '../kit/layers/layers.ts'
import { createTrail } from './trail.ts'

/** State of a history entry; it survives a reload. */
const entry = z.object({
  /** The viewer is open over the gallery, at this index of the list. */
  over: z.object({ index: z.int().nonnegative() }).optional(),
  /** The viewer steps through these items, over the screen of this path. */
  along: z
    .object({ ids: z.array(z.int().positive()).max(5000), at: z.int().nonnegative(), under: z.string() })
    .optional(),
  /** Position of the endless gallery: the first visible item, and how many pixels of its row are scrolled out. */
  at: z.object({ index: z.int().nonnegative(), rest: z.number() }).optional(),
})
export type HistoryState = z.output<typeof entry>

export interface Address {
  path: string
  search: string
  entry: HistoryState
}

export const address = signal<Address>({ path: '/', search: '', entry: {} })

function read(): void {
  const parsed = entry.safeParse(history.state)
  address.value = { path: location.pathname, search: location.search, entry: parsed.success ? parsed.data : {} }
}

/** Closes the `count` topmost layers that Back can close, like their own buttons. */
function closeTop(count: number): void {
  const closable = stepLayers.peek().filter(({ steps }) => steps !== 0)
  for (const layer of closable.slice(-count).reverse()) layer.close()
}

/** A history navigation that has not arrived after this many milliseconds counts as failed. */
const journeyMs = 5_000
let journeyTimer: ReturnType<typeof setTimeout> | undefined

let soonTimer: ReturnType<typeof setTimeout> | undefined

const trail = createTrail({
  state: () => history.state,
  push: (state, to) => history.pushState(state, '', to),
  replace: (state, to) => history.replaceState(state, '', to),
  travel(by) {
    history.go(by)
    clearTimeout(journeyTimer)
    journeyTimer = setTimeout(trail.lost, journeyMs)
  },
  shown() {
    const { path, search, entry: known } = address.peek()
    return { to: path + search, entry: known }
  },
  changed(coming) {
    if (coming === undefined) return read()
    const { pathname, search } = new URL(coming.to, location.href)
    address.value = { path: pathname, search, entry: entry.parse(coming.entry) }
  },
  close: closeTop,
  soon(act) {
    clearTimeout(soonTimer)
    // When the timer fires, closed layers have left the list.
    soonTimer = setTimeout(act)
  },
})

export function startAddress(): void {
  // Registered before other listeners, so that they see the new state.
  addEventListener(
    'popstate',
    () => {
      clearTimeout(journeyTimer)
      trail.popped()
    },
    { capture: true },
  )
  addEventListener('pageshow', event => event.persisted && trail.lost())
  // The gallery restores its own position; the browser would scroll an element that is still empty.
  history.scrollRestoration = 'manual'
  read()
  trail.start()
  effect(() => trail.layers(stepLayers.value.reduce((sum, { steps }) => sum + (steps ?? 0), 0)))
}

export function go(
  to: string,
  { replace = false, entry: state }: { replace?: boolean; entry?: HistoryState } = {},
): void {
  trail.go(to, { replace, entry: state ?? {} })
}

/** Goes back to the previous address, even from a dialog. */
export function goBack(): void {
  trail.back()
}

/** Stores a value in the present history entry. */
export function note(change: HistoryState): void {
  const { path, search, entry: known } = address.value
  go(path + search, { replace: true, entry: { ...known, ...change } })
}
