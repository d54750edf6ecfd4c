/** The browser's history with an entry for each open layer, so that Back first closes the topmost layer. */
import { z } from 'zod'

/** `at` is the index of the history entry; `over` is the number of layers over the address at this entry. */
const step = z.object({ at: z.int(), over: z.int().nonnegative() })
type Step = z.output<typeof step>

const kept = z.looseObject({ step })

/** An address, and the state of its entry. */
interface Shown {
  to: string
  entry: object
}

/** What a trail needs of the page. `travel` only starts a navigation; when it arrives, the page calls `popped`. */
export interface Host {
  state: () => unknown
  push: (state: object, to?: string) => void
  replace: (state: object, to?: string) => void
  travel: (by: number) => void
  shown: () => Shown
  /** Called when the address has changed: to `coming`, which the entry is about to get, else to the current entry's. */
  changed: (coming?: Shown) => void
  /** Closes this many layers from the top, like their close buttons. A layer with unfinished work may stay open. */
  close: (count: number) => void
  /** Calls back when the last change has taken effect. */
  soon: (act: () => void) => void
}

export interface Trail {
  start: () => void
  /** Goes to an address. Adds an entry or, if `replace` is true or this entry is a layer's, replaces this one. */
  go: (to: string, options: { replace: boolean; entry: object }) => void
  /** Goes to the previous address, whatever layers are open. */
  back: () => void
  /** Sets the number of open layers that Back closes. */
  layers: (count: number) => void
  popped: () => void
  /** Called when a navigation has not arrived, or the page was restored from the cache. */
  lost: () => void
}

/** The history entries and the number of layers over each. */
function createSteps(host: Host) {
  let here: Step = { at: 0, over: 0 }
  /** Index of the last entry. */
  let last = 0

  function read(): void {
    const parsed = kept.safeParse(host.state())
    here = parsed.success ? parsed.data.step : { at: here.at, over: 0 }
    last = Math.max(last, here.at)
  }

  return {
    here: () => here,
    hasNext: () => here.at < last,
    read,

    start() {
      last = 0
      read()
      last = here.at
      host.replace({ ...host.shown().entry, step: here })
    },

    /** Adds an entry for each layer that has none. */
    add(open: number) {
      while (here.over < open) {
        here = { at: here.at + 1, over: here.over + 1 }
        last = here.at
        host.push({ ...host.shown().entry, step: here })
      }
    },

    /** Called on an entry whose layers have closed: gives it the shown address, which may have changed below them. */
    carry({ to, entry }: Shown) {
      host.replace({ ...entry, step: here }, to)
    },

    write(to: string, replace: boolean, entry: object) {
      // The new address replaces a layer's entry, so that Back leads to what was shown before the layer.
      const adds = !replace && here.over === 0
      if (!replace) {
        here = { at: here.at + (adds ? 1 : 0), over: 0 }
        last = here.at
      }
      ;(adds ? host.push : host.replace)({ ...entry, step: here }, to)
    },
  }
}

export function createTrail(host: Host): Trail {
  const steps = createSteps(host)
  let open = 0
  /** Our own navigation, until it arrives: 'shut' leaves the entries of closed layers, 'skip' one without its layer. */
  let going: { to: number; kind: 'shut' | 'back' | 'skip'; shown: Shown } | null = null
  let waiting: (() => void)[] = []

  function travel(kind: 'shut' | 'back' | 'skip', by: number): void {
    going = { to: steps.here().at + by, kind, shown: host.shown() }
    host.travel(by)
  }

  function syncEntries(): void {
    if (going !== null) return
    const { over } = steps.here()
    if (open < over) travel('shut', open - over)
    else steps.add(open)
  }

  function goOn(): void {
    going = null
    const acts = waiting
    waiting = []
    for (const act of acts) act()
  }

  function arrived(): void {
    goOn()
    host.soon(syncEntries)
  }

  /** Postpones an action until our own navigation has arrived. Returns false if there is none. */
  function whenThere(act: () => void): boolean {
    if (going === null) return false
    waiting.push(act)
    return true
  }

  function write(to: string, replace: boolean, entry: object): void {
    steps.write(to, replace, entry)
    host.changed()
    host.soon(syncEntries)
  }

  function back(): void {
    if (!whenThere(back)) travel('back', -1 - steps.here().over)
  }

  return {
    start() {
      steps.start()
      // If the page was reloaded while a layer was open, its entry has no layer now, unless one opens at once.
      host.soon(syncEntries)
    },
    go(to, { replace, entry }) {
      if (whenThere(() => write(to, replace, entry))) host.changed({ to, entry })
      else write(to, replace, entry)
    },
    back,
    layers(count) {
      open = count
      if (going === null) steps.add(open)
      // A closing layer may be replaced by another layer or another address.
      host.soon(syncEntries)
    },
    popped() {
      const [from, journey] = [steps.here(), going]
      steps.read()
      const here = steps.here()
      const by = from.at - here.at
      const isOwn = journey?.to === here.at
      if (isOwn && journey.kind === 'shut') {
        steps.carry(journey.shown)
        arrived()
        return
      }
      if (!isOwn && by > 0 && by === from.over - here.over) {
        steps.carry(host.shown())
        host.close(by)
        arrived()
        // In the microtask, closed layers are gone; layers that stayed open get their entries back.
        queueMicrotask(() => {
          if (going === null) steps.add(open)
        })
        return
      }
      if (!isOwn && open > 0) host.close(open)
      if (here.over > 0) {
        // An entry without its layer: go on forward after a move forward, if there is a next entry, else back.
        travel('skip', by < 0 && steps.hasNext() ? 1 : -1)
        return
      }
      if (waiting.length === 0) host.changed()
      arrived()
    },
    // The navigation is not repeated: if it arrived after all, it would be done twice.
    lost: () => going !== null && goOn(),
  }
}
