/** The steps of the browser's history with those of open layers among them: Back closes what lies on top before it leads anywhere. */
import { z } from 'zod'

/** `at` counts the entries of the history; `over` says how many layers lie over the address at this one. */
const step = z.object({ at: z.int(), over: z.int().nonnegative() })
type Step = z.output<typeof step>

const kept = z.looseObject({ step })

/** An address, and what its entry keeps. */
interface Shown {
  to: string
  entry: object
}

/** What a trail needs of the page; the history itself returns a journey later, by `popped`. */
export interface Host {
  state: () => unknown
  push: (state: object, to?: string) => void
  replace: (state: object, to?: string) => void
  travel: (by: number) => void
  /** What is shown now, as it is in an entry. */
  shown: () => Shown
  /** Another address is to be shown: that of the entry that is current now, or one that it will have in a moment. */
  changed: (coming?: Shown) => void
  /** Closes this many layers from the top, as their closing buttons do. One that has something to finish may stay. */
  close: (count: number) => void
  /** Calls when what has just been done has had its effect. */
  soon: (act: () => void) => void
}

export interface Trail {
  start: () => void
  /** Another address, as a step of its own or in place of the present one. A layer's step gives way to it. */
  go: (to: string, options: { replace: boolean; entry: object }) => void
  /** To the address before this one, whatever lies over this one. */
  back: () => void
  /** This many layers are open now that Back should close. */
  layers: (count: number) => void
  /** The history has moved. */
  popped: () => void
  /** A journey has ended nowhere, or the page comes back as it was left. */
  lost: () => void
}

/** The entries of the history, as they count themselves and the layers over each. */
function createSteps(host: Host) {
  let here: Step = { at: 0, over: 0 }
  /** The last entry there is. */
  let last = 0

  function read(): void {
    const known = kept.safeParse(host.state())
    here = known.success ? known.data.step : { at: here.at, over: 0 }
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

    /** What lay over the address is gone; what was noted or filtered under it stays. */
    carry({ to, entry }: Shown) {
      host.replace({ ...entry, step: here }, to)
    },

    write(to: string, replace: boolean, entry: object) {
      // The step of a layer makes room: Back leads to what was shown before the layer.
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
  /** A journey of our own that the history has not made yet: `shut` takes away the steps of layers that are closed. */
  let going: { to: number; kind: 'shut' | 'back' | 'skip'; shown: Shown } | null = null
  let waiting: (() => void)[] = []

  function travel(kind: 'shut' | 'back' | 'skip', by: number): void {
    going = { to: steps.here().at + by, kind, shown: host.shown() }
    host.travel(by)
  }

  function settle(): void {
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
    host.soon(settle)
  }

  /** Puts off what would meet a journey half-way. */
  function whenThere(act: () => void): boolean {
    if (going === null) return false
    waiting.push(act)
    return true
  }

  function write(to: string, replace: boolean, entry: object): void {
    steps.write(to, replace, entry)
    host.changed()
    host.soon(settle)
  }

  function back(): void {
    if (!whenThere(back)) travel('back', -1 - steps.here().over)
  }

  return {
    start() {
      steps.start()
      // Loaded again with a layer open: its step has no layer any more, unless one comes at once.
      host.soon(settle)
    },
    go(to, { replace, entry }) {
      if (whenThere(() => write(to, replace, entry))) host.changed({ to, entry })
      else write(to, replace, entry)
    },
    back,
    layers(count) {
      open = count
      if (going === null) steps.add(open)
      // One that is closed may make way for another one, or for another address.
      host.soon(settle)
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
        // Whatever has closed is gone by then; what stays has its step back before Back can be pressed again.
        queueMicrotask(() => {
          if (going === null) steps.add(open)
        })
        return
      }
      if (!isOwn && open > 0) host.close(open)
      if (here.over > 0) {
        // A step that a layer has left behind: on, or back again where nothing comes after it.
        travel('skip', by < 0 && steps.hasNext() ? 1 : -1)
        return
      }
      if (waiting.length === 0) host.changed()
      arrived()
    },
    // Not begun again: should it end after all, it would be one too many.
    lost: () => going !== null && goOn(),
  }
}
