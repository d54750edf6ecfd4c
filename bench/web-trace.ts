/** Reads Chromium's traces: the long tasks of a page, and what they spent their time on. */
import { z } from 'zod'

const event = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number().optional(),
  dur: z.number().optional(),
  tdur: z.number().optional(),
  args: z.object({ name: z.unknown(), data: z.unknown() }).partial().optional(),
})
const trace = z.object({ traceEvents: z.array(event) })
type TraceEvent = z.output<typeof event>

/** `script`: our functions. `compile`: V8 reads scripts. `probe`: the measuring program. All others: the browser. */
export const kinds = ['script', 'compile', 'layout', 'paint', 'collection', 'probe', 'other'] as const
export type Kind = (typeof kinds)[number]

const kindsByName: readonly (readonly [RegExp, Kind])[] = [
  [/^(MinorGC|MajorGC|V8\.GC|BlinkGC|CppGC)/, 'collection'],
  [/^(v8\.compile|v8\.produce|V8\.Compile|v8\.parse)/, 'compile'],
  [/^(Layout|UpdateLayoutTree|RecalculateStyles|PrePaint|UpdateLayerTree|HitTest|IntersectionObserver)/, 'layout'],
  [/^(Paint|Layerize|Commit|CompositeLayers|Decode|Raster|ImageDecode)/, 'paint'],
  [/^(ParseHTML|ParseAuthorStyleSheet)/, 'other'],
  [
    /^(FunctionCall|EvaluateScript|TimerFire|FireAnimationFrame|EventDispatch|RunMicrotasks|FireIdleCallback|v8\.)/,
    'script',
  ],
]

export interface Task {
  /** Milliseconds of wall time and of processor time: on a busy machine a task waits more than it works. */
  wall: number
  cpu: number
  by: Record<Kind, { wall: number; cpu: number }>
}

const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8', '__metadata'] as const
export const tracedCategories: string[] = [...categories]

/** A function without a URL belongs to the measuring program. */
const unnamed = z.object({ url: z.literal('') })

function kindOf({ name, args }: TraceEvent, parent: Kind): Kind {
  if (name === 'FunctionCall' && unnamed.safeParse(args?.data).success) return 'probe'
  return kindsByName.find(([pattern]) => pattern.test(name))?.[1] ?? parent
}

interface Open {
  end: number
  kind: Kind
}

/** Adds the time of each event to its own kind, and subtracts it from the kind of the event around it. */
function splitByKind(task: TraceEvent, inside: readonly TraceEvent[]): Task {
  const by = Object.fromEntries(kinds.map(kind => [kind, { wall: 0, cpu: 0 }]))
  const parsed = taskKinds.parse(by)
  const add = (kind: Kind, { dur = 0, tdur = dur }: TraceEvent, sign: 1 | -1) => {
    parsed[kind].wall += (sign * dur) / 1000
    parsed[kind].cpu += (sign * tdur) / 1000
  }
  add('other', task, 1)
  const open: Open[] = []
  for (const one of inside) {
    const { ts = 0, dur = 0 } = one
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= ts) open.pop()
    const parent = open.at(-1)?.kind ?? 'other'
    const kind = kindOf(one, parent)
    if (kind !== parent) {
      add(kind, one, 1)
      add(parent, one, -1)
    }
    open.push({ end: ts + dur, kind })
  }
  return { wall: (task.dur ?? 0) / 1000, cpu: (task.tdur ?? task.dur ?? 0) / 1000, by: parsed }
}

const times = z.object({ wall: z.number(), cpu: z.number() })
const taskKinds = z.object({
  script: times,
  compile: times,
  layout: times,
  paint: times,
  collection: times,
  probe: times,
  other: times,
})

/** Tasks of pages' main threads that took at least 50 milliseconds. */
export function longTasks(bytes: Uint8Array): Task[] {
  const { traceEvents } = trace.parse(JSON.parse(new TextDecoder().decode(bytes)))
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const threads = Map.groupBy(
    traceEvents.filter(({ ph, pid, tid }) => ph === 'X' && mains.has(`${pid} ${tid}`)),
    ({ pid, tid }) => `${pid} ${tid}`,
  )
  return [...threads.values()].flatMap(events => {
    // Tasks with the same start are sorted longest first, so that outer ones come before inner ones.
    const sorted = events.toSorted((a, b) => (a.ts ?? 0) - (b.ts ?? 0) || (b.dur ?? 0) - (a.dur ?? 0))
    return sorted.flatMap((task, at) => {
      if (!/RunTask$/.test(task.name) || (task.dur ?? 0) < 50_000) return []
      const end = (task.ts ?? 0) + (task.dur ?? 0)
      const after = sorted.findIndex((one, index) => index > at && (one.ts ?? 0) >= end)
      return [splitByKind(task, sorted.slice(at + 1, after < 0 ? undefined : after))]
    })
  })
}

export interface LongTasks {
  count: number
  /** Milliseconds. */
  longest: number
  /** The most that our own scripts took in one task. */
  script: { wall: number; cpu: number }
  /** Sums of wall time by kind. */
  by: Record<Kind, number>
}

export function summarise(tasks: readonly Task[]): LongTasks {
  const largest = (numbers: number[]) => numbers.reduce((a, b) => Math.max(a, b), 0)
  const sum = (kind: Kind) => tasks.reduce((all, { by }) => all + by[kind].wall, 0)
  return {
    count: tasks.length,
    longest: largest(tasks.map(({ wall }) => wall)),
    script: {
      wall: largest(tasks.map(({ by }) => by.script.wall)),
      cpu: largest(tasks.map(({ by }) => by.script.cpu)),
    },
    by: {
      script: sum('script'),
      compile: sum('compile'),
      layout: sum('layout'),
      paint: sum('paint'),
      collection: sum('collection'),
      probe: sum('probe'),
      other: sum('other'),
    },
  }
}
