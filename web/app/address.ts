/** The address as a signal: path, query, and the state of this history entry. */
import { effect, signal } from '@preact/signals-react'
import { z } from 'zod'
import { stepLayers } from '../kit/layers/layers.ts'
import { createLayerHistory } from './layer-history.ts'

/** State of a history entry. Browsers keep it when the page is reloaded. */
const entryShape = z.object({
  /** The viewer is open over the gallery, at this index of the list. */
  overGallery: z.object({ index: z.int().nonnegative() }).optional(),
  /** The viewer is open over the screen at `screen`, with these items instead of the gallery's. */
  itemSequence: z
    .object({ ids: z.array(z.int().positive()).max(5000), index: z.int().nonnegative(), screen: z.string() })
    .optional(),
  /** Position of the endless gallery: the first visible item, and how many pixels of its row are scrolled out. */
  scroll: z.object({ index: z.int().nonnegative(), rest: z.number() }).optional(),
})
export type HistoryState = z.output<typeof entryShape>

export interface Address {
  path: string
  search: string
  entry: HistoryState
}

export const address = signal<Address>({ path: '/', search: '', entry: {} })

function readAddress(): void {
  const parsed = entryShape.safeParse(history.state)
  address.value = { path: location.pathname, search: location.search, entry: parsed.success ? parsed.data : {} }
}

/** Closes the `count` topmost layers that Back can close, as their close buttons do. */
function closeTopLayers(count: number): void {
  const closable = stepLayers.peek().filter(({ steps }) => steps !== 0)
  for (const layer of closable.slice(-count).reverse()) layer.close()
}

/** A move through the history that has not arrived after this many milliseconds counts as failed. */
const moveTimeoutMs = 5_000
let moveTimer: ReturnType<typeof setTimeout> | undefined

let deferTimer: ReturnType<typeof setTimeout> | undefined

const layerHistory = createLayerHistory({
  state: () => history.state,
  push: (state, to) => history.pushState(state, '', to),
  replace: (state, to) => history.replaceState(state, '', to),
  traverse(by) {
    history.go(by)
    clearTimeout(moveTimer)
    moveTimer = setTimeout(layerHistory.giveUpMove, moveTimeoutMs)
  },
  current() {
    const { path, search, entry } = address.peek()
    return { to: path + search, entry }
  },
  show(next) {
    if (next === undefined) return readAddress()
    const { pathname, search } = new URL(next.to, location.href)
    address.value = { path: pathname, search, entry: entryShape.parse(next.entry) }
  },
  closeLayers: closeTopLayers,
  defer(act) {
    clearTimeout(deferTimer)
    // When the timer fires, closed layers have left the list.
    deferTimer = setTimeout(act)
  },
})

export function startAddress(): void {
  // Registered before other listeners, so that they see the new state.
  addEventListener(
    'popstate',
    () => {
      clearTimeout(moveTimer)
      layerHistory.onPopState()
    },
    { capture: true },
  )
  addEventListener('pageshow', event => event.persisted && layerHistory.giveUpMove())
  // The gallery restores its own position; the browser would scroll an element that is still empty.
  history.scrollRestoration = 'manual'
  readAddress()
  layerHistory.start()
  effect(() => layerHistory.setLayerCount(stepLayers.value.reduce((sum, { steps }) => sum + (steps ?? 0), 0)))
}

export function go(
  to: string,
  { replace = false, entry: state }: { replace?: boolean; entry?: HistoryState } = {},
): void {
  layerHistory.go(to, { replace, entry: state ?? {} })
}

/** Goes back to the previous address, even from a dialog. */
export function goBack(): void {
  layerHistory.back()
}

/** Changes the state of the present history entry. */
export function updateEntry(change: HistoryState): void {
  const { path, search, entry } = address.value
  go(path + search, { replace: true, entry: { ...entry, ...change } })
}
