/** Everything at a glance: collections, jobs with live bars, problems with what can be done about them, what happened just now. */
import { type ReactElement, useRef } from 'react'
import type { Collection } from '../../schema/api/collections.ts'
import type { HistoryStep } from '../../schema/api/history.ts'
import type { Job, Problem } from '../../schema/api/jobs.ts'
import { figure, plural, sizeText } from '../../schema/figures.ts'
import { actorText, stepText } from '../../schema/history-words.ts'
import { jobsOf, stateText } from '../../schema/job-words.ts'
import { addCollection, findKey, markMissing, scan, stopJob } from '../collection-actions.ts'
import type { Binding } from '../keys.ts'
import { type Line, spread } from '../line.ts'
import { ofCollections, ofJobs, ofMachine, useLive, useNow } from '../live.ts'
import { inOrder, lastScanText, loadOverview, type Overview, standOf } from '../overview.ts'
import { createPaces } from '../parts/bar.ts'
import { jobLine, titleOf, waitingWords } from '../parts/job-line.ts'
import { topFor, useList } from '../parts/list.ts'
import { Row } from '../parts/rows.tsx'
import { shareRows } from '../parts/sections.ts'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { useKeys, useStage } from '../stage.ts'
import { clockTime, cut, safe } from '../text.ts'

/** As many problems, ended jobs and steps as are looked at. */
const most = 20
/** Problems have a screen of their own: here they leave room for what happened. */
const troublesShown = 8

interface Trouble {
  id: string
  collection: Collection | undefined
  words: string
  /** A safety stop; else a file. */
  stop: boolean
  item: number | null
}

/** Why a scan stopped, without the folder, which may be long: everybody knows it by the collection's name. */
function stopWords({ path, safetyStop }: Collection): string {
  const words = (safetyStop?.reason ?? '').replaceAll(path, 'its folder')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

interface Happening {
  at: number
  line: Line
}

const columnsOf = (overview: Overview, now: number): Column<Collection>[] => [
  { id: 'name', title: '', width: 'rest', least: 14, cell: one => one.name },
  { id: 'items', title: 'items', width: 11, align: 'end', cell: one => figure(one.itemcount) },
  { id: 'scan', title: 'last scan', width: 16, drop: 1, cell: one => lastScanText(one, overview.active, now) },
  { id: 'state', title: 'state', width: 15, drop: 2, cell: one => standOf(one, overview) },
]

function troublesOf({ collections }: Overview, problems: readonly Problem[]): Trouble[] {
  const stopped = collections
    .filter(one => one.safetyStop !== null)
    .map(one => ({ id: `s${one.id}`, collection: one, words: stopWords(one), stop: true, item: null }))
  const files = problems.map(one => ({
    id: `p${one.id}`,
    collection: collections.find(({ id }) => id === one.collection_id),
    words: `${one.path}: ${one.reason}`,
    stop: false,
    item: one.item_id,
  }))
  return [...stopped, ...files]
}

function happeningsOf(
  steps: readonly HistoryStep[],
  ended: readonly Job[],
  nameOf: (id: number | null) => string,
): Happening[] {
  const told = steps.map((step): Happening => {
    const file = step.items === 1 && step.item_name !== null ? `: ${step.item_name}` : ''
    return { at: step.at, line: [actorText(step), '  ', { text: `${stepText(step)}${file}`, style: 'plain' }] }
  })
  const done = ended.map((job): Happening => {
    const state = stateText(job.state).toLowerCase()
    const bad = job.state === 'failed' || job.state === 'stopped'
    return {
      at: job.finished ?? job.created,
      line: [titleOf(job, nameOf(job.collection_id)), ' ', { text: state, style: bad ? 'amber' : 'plain' }],
    }
  })
  return [...told, ...done].sort((a, b) => b.at - a.at)
}

export function Dashboard({ width, height }: ScreenProps): ReactElement {
  const stage = useStage()
  const { session, terminal } = stage
  const { signs } = terminal
  const paces = useRef(createPaces())
  const minute = useNow(30_000)

  const { value, error } = useLive(
    async () => {
      const overview = await loadOverview(session)
      const problems = session.library.problems.newest(session.viewer, most)
      return { overview, problems, count: session.library.problems.count() }
    },
    event => ofCollections(event) || ofJobs(event),
  )
  const { value: past } = useLive(
    async () => {
      const { steps } = await session.client.history.list({ params: { collectionId: 0 }, query: {} })
      return { steps: steps.slice(0, most), ended: session.library.jobs.ended(session.viewer, most) }
    },
    event =>
      ofCollections(event) ||
      (ofJobs(event) && event.message.action !== 'update') ||
      /^(person|keystring)-/.test(event.channel),
  )
  const { value: facts } = useLive(
    () => session.facts(),
    event => (ofJobs(event) && event.message.action === 'complete') || ofMachine(event),
    String(Math.floor(minute / 30_000)),
  )

  const overview = value?.overview ?? { collections: [], problems: new Map(), active: [] }
  const { collections, active } = overview
  // Bars and what is left move on each second; without a job nothing does.
  const now = useNow(active.length > 0 ? 1000 : 30_000)
  const nameOf = (id: number | null) => collections.find(one => one.id === id)?.name ?? ''
  const troubles = troublesOf(overview, value?.problems ?? [])
  const count = (value?.count ?? 0) + troubles.filter(({ stop }) => stop).length
  const happenings = past === null ? [] : happeningsOf(past.steps, past.ended, nameOf)
  paces.current.forget(new Set(active.map(({ id }) => id)))

  const jobs = inOrder(active)
  const ids = [
    ...collections.map(({ id }) => `c${id}`),
    ...jobs.map(({ id }) => `j${id}`),
    ...troubles.map(({ id }) => id),
  ]
  const list = useList({ total: ids.length, height: ids.length, ids })
  const chosen = ids[list.cursor]
  const chosenTrouble = troubles.find(({ id }) => id === chosen)
  const chosenJob = jobs.find(({ id }) => `j${id}` === chosen)
  const chosenCollection = collections.find(({ id }) => `c${id}` === chosen)
  const target = chosenCollection ?? chosenTrouble?.collection
  const work = chosenJob ?? (chosenCollection === undefined ? undefined : jobsOf(active, chosenCollection.id).work)

  const tellsStorage = height >= 12
  const actionLines = chosenTrouble === undefined ? 0 : 1
  const [forCollections, forJobs, forProblems, forPast] = shareRows(
    [
      { wanted: Math.max(1, collections.length), least: Math.min(4, Math.max(1, collections.length)) },
      { wanted: Math.max(1, jobs.length), least: Math.min(3, Math.max(1, jobs.length)), drop: 1 },
      {
        wanted: Math.min(troublesShown, Math.max(1, troubles.length)) + actionLines,
        // With the line of what can be done, though it may not be shown: lists do not jump when one comes to it.
        least: Math.min(2, Math.max(1, troubles.length)) + (troubles.length > 0 ? 1 : 0),
        drop: 2,
      },
      { wanted: Math.max(1, happenings.length), least: 2, drop: 3 },
    ],
    // The last line tells what is stored.
    height - (tellsStorage ? 2 : 0),
  )

  const sections = [0, collections.length, collections.length + jobs.length].filter(at => at < ids.length)
  const section = sections.findLast(at => at <= list.cursor) ?? 0
  const jump = (by: number) => {
    const at = sections.indexOf(section) + by
    list.set(sections[(at + sections.length) % sections.length] ?? 0)
  }
  const bindings: Binding[] = [
    ...list.keys,
    {
      keys: ['enter'],
      short: 'open',
      about: 'open what is chosen',
      when: chosen !== undefined,
      run: () => {
        if (chosenJob !== undefined) stage.go('jobs', { job: chosenJob.id })
        else if (chosenTrouble?.stop === true && target !== undefined) stage.go('collection', { collection: target.id })
        else if (chosenTrouble !== undefined) stage.go('problems', { collection: target?.id ?? 0 })
        else if (target !== undefined) stage.go('collection', { collection: target.id })
      },
    },
    {
      keys: ['s', 'R'],
      short: chosenTrouble === undefined ? 'scan' : 'scan again',
      about: 'scan the collection',
      when: target !== undefined,
      run: () => stage.run(() => target && scan(stage, target)),
    },
    {
      keys: ['m'],
      short: 'mark missing',
      about: 'after a scan that stopped: what was not found is gone',
      when: target !== undefined && target.safetyStop !== null,
      run: () => stage.run(() => target && markMissing(stage, target)),
    },
    {
      keys: ['x'],
      short: 'stop',
      about: 'stop the job',
      when: work !== undefined,
      run: () => stage.run(() => work && stopJob(stage, work.id, titleOf(work, nameOf(work.collection_id)))),
    },
    {
      keys: ['a'],
      short: collections.length === 0 ? 'add a folder' : undefined,
      about: 'make a collection of a folder',
      run: () => stage.run(() => addCollection(stage)),
    },
    findKey(stage),
    { keys: [']', 'tab'], about: 'the next part of the dashboard', when: sections.length > 1, run: () => jump(1) },
    { keys: ['[', 'backtab'], about: 'the part before', when: sections.length > 1, run: () => jump(-1) },
  ]
  useKeys({ title: 'Dashboard', bindings })

  if (value === null)
    return <Row line={['   ', { text: error ?? '', style: error === null ? 'dim' : 'amber' }]} width={width} />

  const rows: ReactElement[] = []
  const add = (line: Line, ground = false) =>
    rows.push(<Row key={rows.length} line={line} width={width} ground={ground} />)
  const heading = (title: string, right: Line = []) =>
    add(spread([' ', { text: title, style: 'bold' }], [...right, ' '], width))
  const lead = (isChosen: boolean): Line => [' ', isChosen ? { text: signs.cursor, style: 'accent' } : ' ', ' ']
  const window = <T,>(all: readonly T[], first: number, room: number): { top: number; seen: readonly T[] } => {
    const at = Math.max(0, Math.min(all.length - 1, list.cursor - first))
    const top = list.cursor >= first && list.cursor < first + all.length ? topFor(at, 0, all.length, room) : 0
    return { top, seen: all.slice(top, top + room) }
  }

  const isCut = (forCollections ?? 1) < collections.length
  const collectionRoom = Math.max(1, (forCollections ?? 1) - (isCut ? 1 : 0))
  const shownCollections = window(collections, 0, collectionRoom)
  rows.push(
    <Table
      key="collections"
      title="Collections"
      columns={columnsOf(overview, now)}
      total={collections.length}
      rowAt={at => collections[at]}
      width={width}
      height={collectionRoom}
      top={shownCollections.top}
      cursor={list.cursor}
      resting={chosenCollection === undefined}
      empty="None yet. a makes one of a folder with pictures."
    />,
  )

  const hidden = collections.length - shownCollections.seen.length
  if (isCut) add(['   ', { text: hidden === 0 ? '' : `… ${figure(hidden)} more`, style: 'dim' }])

  if (forJobs !== null && forJobs !== undefined) {
    add([])
    const running = jobs.filter(({ state }) => state === 'running').length
    const waiting = jobs.length - running
    const counts = [running > 0 ? `${running} running` : '', waiting > 0 ? `${waiting} waiting` : ''].filter(
      text => text !== '',
    )
    heading('Jobs', [{ text: counts.join(', '), style: 'dim' }])
    if (jobs.length === 0) add(['   ', { text: 'Nothing is being done.', style: 'dim' }])
    for (const job of window(jobs, collections.length, forJobs).seen) {
      const isChosen = job === chosenJob
      const pace =
        job.state === 'running' ? paces.current.pace(job.id, job.done, job.total, now) : { rate: null, left: null }
      const waits = waitingWords(job, active, nameOf)
      const line = jobLine({ job, name: nameOf(job.collection_id), pace, waits, width: width - 4, signs })
      add([...lead(isChosen), ...line], isChosen)
    }
  }

  /** Rows that problems leave to what happened. */
  let spare = 0
  if (forProblems !== null && forProblems !== undefined) {
    add([])
    heading('Problems', [{ text: count === 0 ? '' : figure(count), style: 'dim' }])
    if (troubles.length === 0) add(['   ', { text: 'None.', style: 'dim' }])
    const roomOfTroubles = Math.max(1, forProblems - actionLines)
    const { seen } = window(troubles, collections.length + jobs.length, roomOfTroubles)
    spare = Math.max(0, roomOfTroubles - Math.max(1, seen.length))
    for (const trouble of seen) {
      const isChosen = trouble === chosenTrouble
      add(
        [
          ' ',
          isChosen ? { text: signs.cursor, style: 'accent' } : ' ',
          ' ',
          { text: `${signs.warning} `, style: 'amber' },
          { text: `${cut(safe(trouble.collection?.name ?? ''), Math.floor(width / 4))}: `, style: 'bold' },
          trouble.words,
        ],
        isChosen,
      )
      if (!isChosen) continue
      const actions = ['Enter: look at it', 's: scan again']
      if (trouble.stop && trouble.collection?.safetyStop)
        actions.splice(1, 0, `m: mark ${plural(trouble.collection.safetyStop.items, 'item')} missing`)
      add(['     ', { text: actions.join('   '), style: 'dim' }])
    }
  }

  if (forPast !== null && forPast !== undefined) {
    add([])
    heading('Just now')
    if (happenings.length === 0) add(['   ', { text: 'Nothing yet.', style: 'dim' }])
    for (const { at, line } of happenings.slice(0, forPast + spare)) {
      const isToday = new Date(at).toDateString() === new Date(now).toDateString()
      const when = isToday ? clockTime(at) : dayText(at)
      add(['   ', { text: when.padEnd(7), style: 'dim' }, ...line])
    }
  }

  const used = 1 + Math.max(1, shownCollections.seen.length) + rows.length - 1
  for (let at = used; at < height - 1; at++) add([])
  if (facts !== null && tellsStorage) {
    const cache = facts.cacheBytes === null ? 'being counted' : sizeText(facts.cacheBytes)
    add([
      ' ',
      { text: 'Storage', style: 'bold' },
      {
        text: `  previews ${cache}   database ${sizeText(facts.databaseBytes)}   free ${sizeText(facts.freeBytes)}`,
        style: 'dim',
      },
    ])
  }
  return <>{rows}</>
}

/** '3 Nov': the day of what was not today. */
function dayText(at: number): string {
  const date = new Date(at)
  return `${date.getDate()} ${date.toLocaleString('en-GB', { month: 'short' })}`
}
