/** Running, waiting and ended jobs, with progress bars, and the details of the chosen one. */
import { Box } from 'ink'
import { type ReactElement, useRef, useState } from 'react'
import type { Job } from '../../schema/api/jobs.ts'
import { figure } from '../../schema/figures.ts'
import { countsText, isOver, stateText } from '../../schema/job-words.ts'
import { stopKey } from '../collection-actions.ts'
import type { Binding } from '../keys.ts'
import { alignToEnds, type Line, type Span } from '../line.ts'
import { isJobEvent, useLive, useNow } from '../live.ts'
import { sortJobs } from '../overview.ts'
import { createPaces } from '../parts/bar.ts'
import { activeLine, amountOf, titleOf } from '../parts/job-line.ts'
import { keysFor } from '../parts/keys-for.ts'
import { idOf, useRows } from '../parts/list.ts'
import { CursorRows, labelledLine, Row, Rows } from '../parts/rows.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { cutFront, dayAndTime, duration, formatFullTime, pad, safe } from '../text.ts'
import { useKeys, useUi } from '../ui.ts'
import { undoAny } from '../undo.ts'

const maxEnded = 300
const detailRows = 9

export function Jobs({ width, height, params }: ScreenProps): ReactElement {
  const ui = useUi()
  const { session, terminal } = ui
  const paces = useRef(createPaces())
  const [activeOnly, setActiveOnly] = useState(false)
  const { value, error } = useLive(async () => {
    const [, ...collections] = await session.client.collections.list()
    const active = sortJobs(await session.client.jobs.list({ query: { state: 'active' } }))
    const ended = session.library.jobs.ended(session.viewer, maxEnded)
    return { names: new Map(collections.map(({ id, name }) => [id, name])), active, ended }
  }, isJobEvent)
  const active = value?.active ?? []
  const now = useNow(active.length > 0 ? 1000 : 30_000)
  const jobs = activeOnly ? active : [...active, ...(value?.ended ?? [])]
  const nameOf = (id: number | null) => (id === null ? '' : (value?.names.get(id) ?? ''))
  const requested = Number(params.job ?? 0)
  const wasChosen = useRef(false)
  const room = Math.max(3, height - detailRows - 2)
  const list = useRows(jobs, room, idOf)
  // Choose the requested job once it is loaded.
  const at = jobs.findIndex(({ id }) => id === requested)
  if (!wasChosen.current && at >= 0) {
    wasChosen.current = true
    if (at !== list.cursor) queueMicrotask(() => list.set(at))
  }
  const { here } = list
  paces.current.keepOnly(new Set(active.map(idOf)))

  const key = keysFor(ui, ui)
  const collection = here?.collection_id
  const toCollection = (screen: string) => (of: number) => ui.go(screen, { collection: of })
  const bindings: Binding[] = [
    ...list.keys,
    stopKey(
      ui,
      here === undefined || isOver(here) ? undefined : here,
      'stop it; what it has done so far is kept',
      nameOf(collection ?? null),
      'x d',
    ),
    keysFor(ui, here !== undefined && here.problems > 0 && collection)(
      'enter p',
      'problems',
      'problems of its collection',
      toCollection('problems'),
    ),
    keysFor(ui, collection && value?.names.has(collection) ? collection : null)(
      'c',
      'collection',
      'its collection',
      toCollection('collection'),
    ),
    key('] [ tab', activeOnly ? 'all' : 'running only', 'only active ones, or all', () => setActiveOnly(!activeOnly)),
    key('u', 'undo a step', 'undo a step of the history, whoever made it', undoAny),
    key('L', '', 'the log', () => ui.go('log')),
    keysFor(ui, here)('y', '', 'copy its id', ({ id }) => ui.copy(String(id))),
  ]
  useKeys({ title: 'Jobs', bindings })
  if (value === null) return <Row line={['   ', { text: error ?? '', style: 'amber' }]} width={width} />

  const running = active.filter(({ state }) => state === 'running').length
  const counts = [`${running} running`, `${active.length - running} waiting`, `${value.ended.length} ended`].join(', ')
  const lineOf = (job: Job): Line =>
    isOver(job)
      ? endedLine(job, titleOf(job, nameOf(job.collection_id)), width - 4, now)
      : activeLine(job, { paces: paces.current, active, nameOf, now, width, signs: terminal.signs })
  const head = alignToEnds([' ', { text: 'Jobs', style: 'bold' }], [{ text: counts, style: 'dim' }, ' '], width)
  const about = here === undefined ? [] : details(here, titleOf(here, nameOf(here.collection_id)), width, now)
  return (
    <>
      <Row line={head} width={width} />
      {jobs.length > 0 ? null : <Row line={['   ', { text: 'No jobs yet.', style: 'dim' }]} width={width} />}
      <CursorRows rows={jobs} list={list} keyOf={idOf} lineOf={lineOf} width={width} />
      <Box height={room - Math.max(1, Math.min(room, jobs.length - list.top))} />
      <Rows lines={about} width={width} height={detailRows + 1} />
    </>
  )
}

/** 'Scan of Family   done   Today 21:42   12 s   37 new, 4 problems'. */
function endedLine(job: Job, title: string, width: number, now: number): Line {
  const bad = job.state === 'failed' || job.state === 'stopped'
  const titleWidth = Math.max(14, Math.min(34, Math.floor(width * 0.34)))
  const spans: Span[] = [
    pad(safe(title), titleWidth),
    '  ',
    { text: pad(stateText(job.state).toLowerCase(), 10), style: bad || job.problems > 0 ? 'amber' : 'dim' },
    { text: pad(dayAndTime(job.finished ?? job.created, now), 16), style: 'dim' },
  ]
  if (width >= 70) {
    const took = job.started === null || job.finished === null ? '' : duration(job.finished - job.started)
    spans.push('  ', { text: pad(took, 12), style: 'dim' })
  }
  if (width >= 90) spans.push(' ', { text: job.error ?? countsText(job), style: 'dim' })
  return spans
}

function details(job: Job, title: string, width: number, now: number): Line[] {
  const label = (name: string, ...about: Line) => labelledLine(name, 13, ...about)
  const took = job.started === null ? null : (job.finished ?? now) - job.started
  const began = formatFullTime(job.started ?? job.created)
  const lines: Line[] = [
    [],
    [
      ' ',
      { text: `${title}`, style: 'bold' },
      '  ',
      { text: `job ${job.id}, ${stateText(job.state).toLowerCase()}`, style: 'dim' },
    ],
    label(
      job.started === null ? 'Waits since' : 'Began',
      began,
      took === null ? '' : `, ${job.finished === null ? 'for' : 'took'} ${duration(took)}`,
    ),
  ]
  const amount = amountOf(job)
  if (amount !== '') lines.push(label('Done', amount))
  const counts = Object.entries(job.counts).filter(([, count]) => count > 0)
  if (counts.length > 0)
    lines.push(label('Counted', counts.map(([name, count]) => `${figure(count)} ${name}`).join(', ')))
  if (job.problems > 0) lines.push(label('Problems', { text: figure(job.problems), style: 'amber' }))
  if (job.message !== '')
    lines.push(label(job.state === 'running' ? 'Now' : 'Said', cutFront(safe(job.message), width - 16)))
  if (job.error !== null) lines.push(label('Error', { text: job.error, style: 'amber' }))
  return lines
}
