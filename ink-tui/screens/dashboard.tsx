/** Overview: collections, jobs with live bars, problems with remedies, and recent steps. */
import { Box } from 'ink'
import { type ReactElement, useRef } from 'react'
import type { Collection } from '../../schema/api/collections.ts'
import type { HistoryStep } from '../../schema/api/history.ts'
import type { Job, Problem } from '../../schema/api/jobs.ts'
import { figure, plural, sizeText } from '../../schema/figures.ts'
import { actorText, stepText } from '../../schema/history-words.ts'
import { jobsOf, stateText } from '../../schema/job-words.ts'
import { addCollection, findItemsKey, markMissing, scan, stopKey } from '../collection-actions.ts'
import type { Binding } from '../keys.ts'
import { alignToEnds, type Line } from '../line.ts'
import { isCollectionEvent, isJobEvent, isMachineEvent, useLive, useNow } from '../live.ts'
import type { MachineFacts } from '../machine/facts.ts'
import { loadOverview, noOverview, type Overview, sortJobs, statusColumns } from '../overview.ts'
import { createPaces, type Paces } from '../parts/bar.ts'
import { activeLine, titleOf } from '../parts/job-line.ts'
import { keysFor } from '../parts/keys-for.ts'
import { choiceAfter, firstVisibleRow, useList } from '../parts/list.ts'
import { Row, rowPrefix } from '../parts/rows.tsx'
import { shareRows } from '../parts/sections.ts'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import type { Signs } from '../terminal/terminal.ts'
import { clockTime, cut, safe } from '../text.ts'
import { type Ui, useKeys, useUi } from '../ui.ts'

/** Maximum number of problems, ended jobs and steps to load. */
const maxLoaded = 20
/** Maximum number of problems shown, to leave room for recent steps; problems also have their own screen. */
const maxTroubles = 8

interface Trouble {
  id: string
  collection: Collection | undefined
  words: string
  /** True for a safety stop, false for a problem with a file. */
  isSafetyStop: boolean
  item: number | null
}

/** Why a scan stopped, without the folder's path, which may be long: the collection is named already. */
function stopWords({ path, safetyStop }: Collection): string {
  const words = (safetyStop?.reason ?? '').replaceAll(path, 'its folder')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

interface RecentEvent {
  at: number
  line: Line
}

const columnsOf = (overview: Overview, now: number): Column<Collection>[] => [
  { id: 'name', title: '', width: 'rest', least: 14, cell: one => one.name },
  { id: 'items', title: 'items', width: 11, align: 'end', cell: one => figure(one.itemcount) },
  ...statusColumns(overview, now),
]

function troublesOf({ collections }: Overview, problems: readonly Problem[]): Trouble[] {
  const stopped = collections
    .filter(one => one.safetyStop !== null)
    .map(one => ({ id: `s${one.id}`, collection: one, words: stopWords(one), isSafetyStop: true, item: null }))
  const files = problems.map(one => ({
    id: `p${one.id}`,
    collection: collections.find(({ id }) => id === one.collection_id),
    words: `${one.path}: ${one.reason}`,
    isSafetyStop: false,
    item: one.item_id,
  }))
  return [...stopped, ...files]
}

function recentEventsOf(
  steps: readonly HistoryStep[],
  ended: readonly Job[],
  nameOf: (id: number | null) => string,
): RecentEvent[] {
  const ofSteps = steps.map((step): RecentEvent => {
    const file = step.items === 1 && step.item_name !== null ? `: ${step.item_name}` : ''
    return { at: step.at, line: [actorText(step), '  ', { text: `${stepText(step)}${file}`, style: 'plain' }] }
  })
  const ofEnded = ended.map((job): RecentEvent => {
    const state = stateText(job.state).toLowerCase()
    const bad = job.state === 'failed' || job.state === 'stopped'
    return {
      at: job.finished ?? job.created,
      line: [titleOf(job, nameOf(job.collection_id)), ' ', { text: state, style: bad ? 'amber' : 'plain' }],
    }
  })
  return [...ofSteps, ...ofEnded].sort((a, b) => b.at - a.at)
}

/** The dashboard's data, reloaded after changes. */
function useDashboard() {
  const { session } = useUi()
  const slowNow = useNow(30_000)
  const { value, error } = useLive(
    async () => {
      const overview = await loadOverview(session)
      const problems = session.library.problems.newest(session.viewer, maxLoaded)
      return { overview, problems, count: session.library.problems.count() }
    },
    event => isCollectionEvent(event) || isJobEvent(event),
  )
  const { value: past } = useLive(
    async () => {
      const { steps } = await session.client.history.list({ params: { collectionId: 0 }, query: {} })
      return { steps: steps.slice(0, maxLoaded), ended: session.library.jobs.ended(session.viewer, maxLoaded) }
    },
    event =>
      isCollectionEvent(event) ||
      (isJobEvent(event) && event.message.action !== 'update') ||
      /^(person|keystring)-/.test(event.channel),
  )
  const { value: facts } = useLive(
    () => session.facts(),
    event => (isJobEvent(event) && event.message.action === 'complete') || isMachineEvent(event),
    String(Math.floor(slowNow / 30_000)),
  )
  const overview = value?.overview ?? noOverview
  // Bars and remaining times change each second; without a job, nothing does.
  const now = useNow(overview.active.length > 0 ? 1000 : 30_000)
  const nameOf = (id: number | null) => overview.collections.find(one => one.id === id)?.name ?? ''
  const troubles = troublesOf(overview, value?.problems ?? [])
  return {
    isLoaded: value !== null,
    error,
    overview,
    nameOf,
    now,
    facts,
    jobs: sortJobs(overview.active),
    troubles,
    count: (value?.count ?? 0) + troubles.filter(({ isSafetyStop }) => isSafetyStop).length,
    recentEvents: past === null ? [] : recentEventsOf(past.steps, past.ended, nameOf),
  }
}

type DashboardData = ReturnType<typeof useDashboard>

/** The cursor through all parts, and the row at the cursor. */
function useChoice({ overview: { collections, active }, jobs, troubles }: DashboardData) {
  const ids = [
    ...collections.map(({ id }) => `c${id}`),
    ...jobs.map(({ id }) => `j${id}`),
    ...troubles.map(({ id }) => id),
  ]
  const list = useList(ids.length, ids.length, ids)
  const at = ids[list.cursor]
  const trouble = troubles.find(({ id }) => id === at)
  const job = jobs.find(({ id }) => `j${id}` === at)
  const collection = collections.find(({ id }) => `c${id}` === at)
  const sections = [0, collections.length, collections.length + jobs.length].filter(first => first < ids.length)
  const section = sections.findLast(first => first <= list.cursor) ?? 0
  return {
    list,
    trouble,
    job,
    collection,
    target: collection ?? trouble?.collection,
    /** The job that `x` stops. */
    work: job ?? (collection === undefined ? undefined : jobsOf(active, collection.id).work),
    hasSections: sections.length > 1,
    jump: (by: number) => list.set(choiceAfter(sections, section, by)),
  }
}

type Choice = ReturnType<typeof useChoice>

function keysOf(ui: Ui, choice: Choice, { overview, nameOf }: DashboardData): Binding[] {
  const { list, trouble, job, target, work, hasSections, jump } = choice
  const key = keysFor(ui, target)
  const ifStopped = keysFor(ui, target?.safetyStop ? target : null)
  const jumpKey = keysFor(ui, hasSections)
  return [
    ...list.keys,
    keysFor(ui, list.total > 0)('enter', 'open', 'open the selected row', () => {
      if (job !== undefined) ui.go('jobs', { job: job.id })
      else if (trouble?.isSafetyStop === false) ui.go('problems', { collection: target?.id ?? 0 })
      else if (target !== undefined) ui.go('collection', { collection: target.id })
    }),
    key('s R', trouble === undefined ? 'scan' : 'scan again', 'scan the collection', one => scan(ui, one)),
    ifStopped('m', 'mark missing', 'after a stopped scan: accept what was not found as missing', one =>
      markMissing(ui, one),
    ),
    stopKey(ui, work, 'stop the job', nameOf(work?.collection_id ?? null)),
    keysFor(ui, ui)(
      'a',
      overview.collections.length === 0 ? 'add a folder' : '',
      'create a collection from a folder',
      addCollection,
    ),
    findItemsKey(ui),
    jumpKey('] tab', '', 'next part of the dashboard', () => jump(1)),
    jumpKey('[ backtab', '', 'previous part', () => jump(-1)),
  ]
}

/** Rows of each part: collections, jobs, problems, recent steps; null if hidden. */
function rowsOfParts(
  { overview: { collections }, jobs, troubles, recentEvents }: DashboardData,
  actionLines: number,
  rows: number,
) {
  const rowsFor = (all: readonly unknown[], max = Number.POSITIVE_INFINITY) => Math.min(max, Math.max(1, all.length))
  return shareRows(
    [
      { wanted: rowsFor(collections), least: rowsFor(collections, 4) },
      { wanted: rowsFor(jobs), least: rowsFor(jobs, 3), drop: 1 },
      {
        wanted: rowsFor(troubles, maxTroubles) + actionLines,
        // Includes the line of remedies even while it is hidden, so that lists do not move when the cursor arrives.
        least: rowsFor(troubles, 2) + (troubles.length > 0 ? 1 : 0),
        drop: 2,
      },
      { wanted: rowsFor(recentEvents), least: 2, drop: 3 },
    ],
    rows,
  )
}

/** The visible rows of a part, including the chosen one. */
function visibleRows<T>({ list: { cursor } }: Choice, all: readonly T[], first: number, room: number) {
  const isIn = cursor >= first && cursor < first + all.length
  const top = isIn ? firstVisibleRow(cursor - first, 0, all.length, room) : 0
  return { top, seen: all.slice(top, top + room) }
}

interface ScreenRow {
  line: Line
  isHighlighted?: boolean
}

const dim = (text: string): Line => ['   ', { text, style: 'dim' }]

function heading(title: string, about: string, width: number): ScreenRow[] {
  const line = alignToEnds([' ', { text: title, style: 'bold' }], [{ text: about, style: 'dim' }, ' '], width)
  return [{ line: [] }, { line }]
}

function jobLines(
  data: DashboardData,
  choice: Choice,
  room: number,
  width: number,
  paces: Paces,
  signs: Signs,
): ScreenRow[] {
  const { jobs, overview, nameOf, now } = data
  const running = jobs.filter(({ state }) => state === 'running').length
  const counts = [`${running} running`, `${jobs.length - running} waiting`].filter(text => !text.startsWith('0 '))
  const lines = heading('Jobs', counts.join(', '), width)
  if (jobs.length === 0) lines.push({ line: dim('No jobs are running.') })
  for (const job of visibleRows(choice, jobs, overview.collections.length, room).seen) {
    const isHighlighted = job === choice.job
    const line = activeLine(job, { paces, active: overview.active, nameOf, now, width, signs })
    lines.push({ line: [...rowPrefix(signs, isHighlighted), ...line], isHighlighted })
  }
  return lines
}

/** Problems, with the remedy below the chosen one; `spare`: number of unused rows. */
function troubleLines(data: DashboardData, choice: Choice, room: number, width: number, signs: Signs) {
  const { troubles, overview, jobs, count } = data
  const lines = heading('Problems', count === 0 ? '' : figure(count), width)
  if (troubles.length === 0) lines.push({ line: dim('None.') })
  const { seen } = visibleRows(choice, troubles, overview.collections.length + jobs.length, room)
  for (const trouble of seen) {
    const { collection, words, isSafetyStop } = trouble
    const isHighlighted = trouble === choice.trouble
    const name = `${cut(safe(collection?.name ?? ''), Math.floor(width / 4))}: `
    const what: Line = [{ text: `${signs.warning} `, style: 'amber' }, { text: name, style: 'bold' }, words]
    lines.push({ line: [...rowPrefix(signs, isHighlighted), ...what], isHighlighted })
    if (!isHighlighted) continue
    const actions = ['Enter: show it', 's: scan again']
    if (isSafetyStop && collection?.safetyStop)
      actions.splice(1, 0, `m: mark ${plural(collection.safetyStop.items, 'item')} missing`)
    lines.push({ line: ['     ', { text: actions.join('   '), style: 'dim' }] })
  }
  return { lines, spare: Math.max(0, room - Math.max(1, seen.length)) }
}

function recentEventLines({ recentEvents, now }: DashboardData, room: number, width: number): ScreenRow[] {
  const lines = heading('Just now', '', width)
  if (recentEvents.length === 0) lines.push({ line: dim('Nothing yet.') })
  for (const { at, line } of recentEvents.slice(0, room)) {
    const isToday = new Date(at).toDateString() === new Date(now).toDateString()
    const when = isToday ? clockTime(at) : dayText(at)
    lines.push({ line: [...dim(when.padEnd(7)), ...line] })
  }
  return lines
}

function storageLine({ cacheBytes, databaseBytes, freeBytes }: MachineFacts): Line {
  const cache = cacheBytes === null ? 'being counted' : sizeText(cacheBytes)
  const text = `  previews ${cache}   database ${sizeText(databaseBytes)}   free ${sizeText(freeBytes)}`
  return [' ', { text: 'Storage', style: 'bold' }, { text, style: 'dim' }]
}

export function Dashboard({ width, height }: ScreenProps): ReactElement {
  const ui = useUi()
  const { signs } = ui.terminal
  const { current: paces } = useRef(createPaces())
  const data = useDashboard()
  const { overview, error, facts } = data
  const { collections, active } = overview
  paces.keepOnly(new Set(active.map(({ id }) => id)))
  const choice = useChoice(data)
  useKeys({ title: 'Dashboard', bindings: keysOf(ui, choice, data) })

  // The last line shows the storage.
  const showsStorage = height >= 12
  const actionLines = choice.trouble === undefined ? 0 : 1
  const [forCollections, forJobs, forProblems, forPast] = rowsOfParts(
    data,
    actionLines,
    height - (showsStorage ? 2 : 0),
  )
  if (!data.isLoaded)
    return <Row line={['   ', { text: error ?? '', style: error === null ? 'dim' : 'amber' }]} width={width} />

  const collectionRows = forCollections ?? 1
  const isCut = collectionRows < collections.length
  const collectionRoom = Math.max(1, collectionRows - (isCut ? 1 : 0))
  const { top, seen } = visibleRows(choice, collections, 0, collectionRoom)
  const hidden = collections.length - seen.length
  const lines: ScreenRow[] = isCut ? [{ line: dim(hidden === 0 ? '' : `… ${figure(hidden)} more`) }] : []
  if (forJobs != null) lines.push(...jobLines(data, choice, forJobs, width, paces, signs))
  /** Rows that problems leave for recent steps. */
  let spare = 0
  if (forProblems != null) {
    const troubles = troubleLines(data, choice, Math.max(1, forProblems - actionLines), width, signs)
    lines.push(...troubles.lines)
    spare = troubles.spare
  }
  if (forPast != null) lines.push(...recentEventLines(data, forPast + spare, width))
  const left = height - 1 - (1 + Math.max(1, seen.length) + lines.length)
  return (
    <>
      <Table
        title="Collections"
        columns={columnsOf(overview, data.now)}
        total={collections.length}
        rowAt={at => collections[at]}
        width={width}
        height={collectionRoom}
        top={top}
        cursor={choice.list.cursor}
        isCursorHidden={choice.collection === undefined}
        empty="None yet. a creates one from a folder of pictures."
      />
      {lines.map(({ line, isHighlighted = false }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their position
        <Row key={at} line={line} width={width} isHighlighted={isHighlighted} />
      ))}
      <Box height={Math.max(0, left)} />
      {facts !== null && showsStorage ? <Row line={storageLine(facts)} width={width} /> : null}
    </>
  )
}

/** The day, such as '3 Nov'. */
function dayText(at: number): string {
  const date = new Date(at)
  return `${date.getDate()} ${date.toLocaleString('en-GB', { month: 'short' })}`
}
