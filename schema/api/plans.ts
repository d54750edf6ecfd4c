/** Plans: what work on files would do, without doing the work. */
import { z } from 'zod'
import { limits } from '../limits.ts'

/** A difference that a scan would find. Paths are relative to the collection. */
const forecastFile = z.object({
  change: z.enum(['new', 'changed', 'moved', 'missing']),
  path: z.string(),
  /** Previous path of a moved file. */
  from: z.string().optional(),
})
export type ForecastFile = z.output<typeof forecastFile>

const unreadable = z.array(z.object({ path: z.string(), reason: z.string() }))

const scanForecast = z.object({
  found: z.int(),
  new: z.int(),
  changed: z.int(),
  moved: z.int(),
  missing: z.int(),
  unreadable,
  /** Why the scan would stop for safety. */
  stop: z.string().nullable(),
})
export type ScanForecast = z.output<typeof scanForecast>

/** One selected item: moved, or left in place for a reason. */
const plannedTransfer = z.object({
  item: z.int(),
  /** Its present collection; 0 if the item is gone. */
  collection: z.int(),
  from: z.string(),
  /** Null: the item stays. */
  to: z.string().nullable(),
  reason: z.string(),
  fails: z.boolean(),
})
export type PlannedTransfer = z.output<typeof plannedTransfer>

const plannedCopy = z.object({
  /** Source path. */
  from: z.string(),
  /** null: the file cannot be copied. */
  to: z.string().nullable(),
  reason: z.string(),
})
export type PlannedCopy = z.output<typeof plannedCopy>

const importCounts = z.object({ selected: z.int(), copied: z.int(), skipped: z.int(), failed: z.int() })

/** `message`: why files would be skipped. */
const plannedImport = z.object({ counts: importCounts, message: z.string() })
export type PlannedImport = z.output<typeof plannedImport>

/** An item whose files differ from the library. */
const plannedReading = z.object({
  item: z.int(),
  /** Relative to the collection. */
  path: z.string(),
  /** Tag sets and other parts that would change. */
  changes: z.array(z.string()),
})
export type PlannedReading = z.output<typeof plannedReading>

/** Unreadable directories and files, whose changes are unknown. Paths are relative to the collection. */
const plannedReadings = z.object({ unreadable })
export type PlannedReadings = z.output<typeof plannedReadings>

/** What a metadata export would make of one item. */
const plannedWrite = z.object({
  item: z.int(),
  /** Its main file, relative to the collection. */
  path: z.string(),
  result: z.enum(['written', 'unchanged', 'skipped', 'failed']),
  /** Files that would be written, relative to the collection. */
  files: z.array(z.string()),
  /** Why some files would not be written; '' if all would be. */
  reason: z.string(),
})
export type PlannedWrite = z.output<typeof plannedWrite>

const collection = z.int().positive()

/** The work to plan. `collection` is the collection that the work would change. */
export const planRequest = z.discriminatedUnion('work', [
  z.object({ work: z.literal('scan'), collection, full: z.boolean(), acceptMissing: z.boolean() }),
  z.object({
    work: z.literal('transfer'),
    collection,
    items: z.array(z.int().positive()).min(1, 'No items available').max(limits.maxTransferItems),
  }),
  z.object({ work: z.literal('import'), collection, other: z.int().positive() }),
  z.object({ work: z.literal('importMetadata'), collection }),
  z.object({ work: z.literal('exportMetadata'), collection }),
])
export type PlanRequest = z.output<typeof planRequest>

/** The request for one kind of work, as its planner takes it. */
type RequestOf<Work extends PlanRequest['work']> = Omit<Extract<PlanRequest, { work: Work }>, 'work'>

/** `report` gets each row as soon as it is known. When `signal` aborts, the planner throws the signal's reason. */
export interface PlanReporter<Line> {
  signal: AbortSignal
  report: (line: Line) => void
}

/** No data besides the reported rows. */
const emptySummary = z.object({})

/** Plans work in this process or on a server. Refuses what the work itself would refuse. */
export interface Planner {
  scan(request: RequestOf<'scan'>, reporter: PlanReporter<ForecastFile>): Promise<ScanForecast>
  transfer(request: RequestOf<'transfer'>, reporter: PlanReporter<PlannedTransfer>): Promise<object>
  import(request: RequestOf<'import'>, reporter: PlanReporter<PlannedCopy>): Promise<PlannedImport>
  importMetadata(request: RequestOf<'importMetadata'>, reporter: PlanReporter<PlannedReading>): Promise<PlannedReadings>
  exportMetadata(request: RequestOf<'exportMetadata'>, reporter: PlanReporter<PlannedWrite>): Promise<object>
}

/** The rows and the end of each kind of plan. */
export const planShapes = {
  scan: { line: forecastFile, end: scanForecast },
  transfer: { line: plannedTransfer, end: emptySummary },
  import: { line: plannedCopy, end: plannedImport },
  importMetadata: { line: plannedReading, end: plannedReadings },
  exportMetadata: { line: plannedWrite, end: emptySummary },
} as const

/** A line of the response. The last one has the end or a failure; empty lines only keep the connection open. */
export const planResponse = z.union([
  z.object({ line: z.unknown() }),
  z.object({ end: z.unknown() }),
  z.object({ failure: z.object({ code: z.string(), message: z.string() }) }),
])
export type PlanResponse = z.output<typeof planResponse>

export function planWork(planner: Planner, request: PlanRequest, reporter: PlanReporter<object>): Promise<object> {
  switch (request.work) {
    case 'scan':
      return planner.scan(request, reporter)
    case 'transfer':
      return planner.transfer(request, reporter)
    case 'import':
      return planner.import(request, reporter)
    case 'importMetadata':
      return planner.importMetadata(request, reporter)
    case 'exportMetadata':
      return planner.exportMetadata(request, reporter)
  }
}
