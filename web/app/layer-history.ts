/** The browser's history with an entry for each open layer, so that Back first closes the topmost layer. */
import { z } from 'zod'

/** Kept in the state of each history entry: its index, and how many layers are open over the address there. */
const position = z.object({ index: z.int(), layers: z.int().nonnegative() })
type Position = z.output<typeof position>

const stateShape = z.looseObject({ position })

/** An address, and the state of its entry. */
interface Place {
  to: string
  entry: object
}

/** What the history needs of the page. */
export interface HistoryHost {
  state: () => unknown
  push: (state: object, to?: string) => void
  replace: (state: object, to?: string) => void
  /** Starts moving by this many entries. The page calls `onPopState` when the move has arrived. */
  traverse: (by: number) => void
  /** The address that the page shows. */
  current: () => Place
  /** Shows the address `next`, which its entry will get later; without it, the address of the present entry. */
  show: (next?: Place) => void
  /** Closes this many layers from the top, like their close buttons. A layer with unfinished work may stay open. */
  closeLayers: (count: number) => void
  /** Calls `act` when layers that are being closed have left the list. Only the latest `act` is called. */
  defer: (act: () => void) => void
}

export interface LayerHistory {
  start: () => void
  /** Goes to an address. Adds an entry or, if `replace` is true or this entry is a layer's, replaces this one. */
  go: (to: string, options: { replace: boolean; entry: object }) => void
  /** Goes to the previous address, whatever layers are open. */
  back: () => void
  /** Sets the number of open layers that Back closes. */
  setLayerCount: (count: number) => void
  onPopState: () => void
  /** Called when a move has not arrived in time, or the page was restored from the cache. */
  giveUpMove: () => void
}

/** The history entries and the number of layers over each. */
function createEntries(host: HistoryHost) {
  let here: Position = { index: 0, layers: 0 }
  let lastIndex = 0

  function read(): void {
    const parsed = stateShape.safeParse(host.state())
    here = parsed.success ? parsed.data.position : { index: here.index, layers: 0 }
    lastIndex = Math.max(lastIndex, here.index)
  }

  return {
    here: () => here,
    hasNext: () => here.index < lastIndex,
    read,

    start() {
      lastIndex = 0
      read()
      lastIndex = here.index
      host.replace({ ...host.current().entry, position: here })
    },

    /** Adds an entry for each open layer that has none. */
    addForLayers(openLayers: number) {
      while (here.layers < openLayers) {
        here = { index: here.index + 1, layers: here.layers + 1 }
        lastIndex = here.index
        host.push({ ...host.current().entry, position: here })
      }
    },

    /** Gives this entry, whose layers have closed, the address that is shown: it may have changed below them. */
    takeAddress({ to, entry }: Place) {
      host.replace({ ...entry, position: here }, to)
    },

    write(to: string, replace: boolean, entry: object) {
      // The new address replaces a layer's entry, so that Back leads to what was shown before the layer.
      const adds = !replace && here.layers === 0
      if (!replace) {
        here = { index: here.index + (adds ? 1 : 0), layers: 0 }
        lastIndex = here.index
      }
      ;(adds ? host.push : host.replace)({ ...entry, position: here }, to)
    },
  }
}

/** Why the page moves through the history: to leave the entries of closed layers, to go back, or to skip such an entry. */
type Reason = 'layers-closed' | 'back' | 'skip'

/** A move that the page has started and that has not arrived yet. */
interface Move {
  to: number
  reason: Reason
  from: Place
}

export function createLayerHistory(host: HistoryHost): LayerHistory {
  const entries = createEntries(host)
  let openLayers = 0
  let move: Move | null = null
  /** Actions that wait for the move. */
  let waiting: (() => void)[] = []

  function startMove(reason: Reason, by: number): void {
    move = { to: entries.here().index + by, reason, from: host.current() }
    host.traverse(by)
  }

  function syncEntries(): void {
    if (move !== null) return
    const { layers } = entries.here()
    if (openLayers < layers) startMove('layers-closed', openLayers - layers)
    else entries.addForLayers(openLayers)
  }

  function endMove(): void {
    move = null
    const acts = waiting
    waiting = []
    for (const act of acts) act()
  }

  function onArrival(): void {
    endMove()
    host.defer(syncEntries)
  }

  /** Postpones an action until the move has arrived. Returns false if there is no move. */
  function postpone(act: () => void): boolean {
    if (move === null) return false
    waiting.push(act)
    return true
  }

  function write(to: string, replace: boolean, entry: object): void {
    entries.write(to, replace, entry)
    host.show()
    host.defer(syncEntries)
  }

  function back(): void {
    if (!postpone(back)) startMove('back', -1 - entries.here().layers)
  }

  return {
    start() {
      entries.start()
      // If the page was reloaded while a layer was open, its entry has no layer now, unless one opens at once.
      host.defer(syncEntries)
    },
    go(to, { replace, entry }) {
      if (postpone(() => write(to, replace, entry))) host.show({ to, entry })
      else write(to, replace, entry)
    },
    back,
    setLayerCount(count) {
      openLayers = count
      if (move === null) entries.addForLayers(openLayers)
      // Another layer or another address may be about to replace a closed layer, so its entry is not left at once.
      host.defer(syncEntries)
    },
    onPopState() {
      const [from, expected] = [entries.here(), move]
      entries.read()
      const here = entries.here()
      const stepsBack = from.index - here.index
      const isOwn = expected?.to === here.index
      if (isOwn && expected.reason === 'layers-closed') {
        entries.takeAddress(expected.from)
        onArrival()
        return
      }
      if (!isOwn && stepsBack > 0 && stepsBack === from.layers - here.layers) {
        // The user pressed Back while layers were open.
        entries.takeAddress(host.current())
        host.closeLayers(stepsBack)
        onArrival()
        // By the time of the microtask, closed layers are gone; layers that stayed open get their entries back.
        queueMicrotask(() => move === null && entries.addForLayers(openLayers))
        return
      }
      if (!isOwn && openLayers > 0) host.closeLayers(openLayers)
      if (here.layers > 0) {
        // The layer of this entry is closed: after a move forward go on to the next entry, if there is one, else back.
        startMove('skip', stepsBack < 0 && entries.hasNext() ? 1 : -1)
        return
      }
      if (waiting.length === 0) host.show()
      onArrival()
    },
    // The move is not repeated: if it arrives after all, it would be made twice.
    giveUpMove: () => move !== null && endMove(),
  }
}
