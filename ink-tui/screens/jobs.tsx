/** What is being done, what waits, and what was done: with bars, and the details of the chosen one. */
import { type ReactElement, useRef, useState } from 'react'
import type { Job } from '../../schema/api/jobs.ts'
import { figure } from '../../schema/figures.ts'
import { countsText, stateText } from '../../schema/job-words.ts'
import { stopJob } from '../collection-actions.ts'
import type { Binding } from '../keys.ts'
import { type Line, type Span, spread } from '../line.ts'
import { ofJobs, useLive, useNow } from '../live.ts'
import { inOrder } from '../overview.ts'
import { createPaces } from '../parts/bar.ts'
import { amountOf, jobLine, titleOf, waitingWords } from '../parts/job-line.ts'
import { useList } from '../parts/list.ts'
import { Row, Rows } from '../parts/rows.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { useKeys, useStage } from '../stage.ts'
import { cutFront, dayAndTime, duration, pad, safe, wholeTime } from '../text.ts'

/** As many ended ones as are listed. */
const most = 300
const detailRows = 9

export function Jobs({ width, height, params }: ScreenProps): ReactElement {
  const stage = useStage()
  const { session, terminal } = stage
  const { signs } = terminal
  const paces = useRef(createPaces())
  const [activeOnly, setActiveOnly] = useState(false)
  const { value, error } = useLive(async () => {
    const [, ...collections] = await session.client.collections.list()
    const active = inOrder(await session.client.jobs.list({ query: { state: 'active' } }))
    const ended = session.library.jobs.ended(session.viewer, most)
    return { names: new Map(collections.map(({ id, name }) => [id, name])), active, ended }
  }, ofJobs)
  const active = value?.active ?? []
  const now = useNow(active.length > 0 ? 1000 : 30_000)
  const jobs = activeOnly ? active : [...active, ...(value?.ended ?? [])]
  const nameOf = (id: number | null) => (id === null ? '' : (value?.names.get(id) ?? ''))
  const wished = Number(params.job ?? 0)
  const wishedAt = useRef(false)
  const room = Math.max(3, height - detailRows - 2)
  const list = useList({ total: jobs.length, height: room, ids: jobs.map(({ id }) => id) })
  // The one that was asked for is chosen once it is known.
  const at = jobs.findIndex(({ id }) => id === wished)
  if (!wishedAt.current && at >= 0) {
    wishedAt.current = true
    if (at !== list.cursor) queueMicrotask(() => list.set(at))
  }
  const chosen = jobs[list.cursor]
  const canStop = chosen !== undefined && (chosen.state === 'running' || chosen.state === 'queued')
  paces.current.forget(new Set(active.map(({ id }) => id)))

  const bindings: Binding[] = [
    ...list.keys,
    {
      keys: ['x', 'd'],
      short: 'stop',
      about: 'stop it; what it has done stays',
      when: canStop,
      run: () => stage.run(() => chosen && stopJob(stage, chosen.id, titleOf(chosen, nameOf(chosen.collection_id)))),
    },
    {
      keys: ['enter', 'p'],
      short: 'problems',
      about: 'files of its collection that it had trouble with',
      when: chosen !== undefined && chosen.problems > 0 && chosen.collection_id !== null,
      run: () => stage.go('problems', { collection: chosen?.collection_id ?? 0 }),
    },
    {
      keys: ['c'],
      short: 'collection',
      about: 'the collection that it is of',
      when: chosen !== undefined && chosen.collection_id !== null && value?.names.has(chosen.collection_id) === true,
      run: () => stage.go('collection', { collection: chosen?.collection_id ?? 0 }),
    },
    {
      keys: [']', '[', 'tab'],
      short: activeOnly ? 'all' : 'running only',
      about: 'only those that run or wait, or all',
      run: () => setActiveOnly(!activeOnly),
    },
    {
      keys: ['u'],
      short: 'undo a step',
      about: 'take back a step of the history, whoever made it',
      run: () =>
        stage.run(async () => {
          const { undoAny } = await import('../undo.ts')
          await undoAny(stage)
        }),
    },
    { keys: ['L'], about: 'the log', run: () => stage.go('log') },
    {
      keys: ['y'],
      about: 'copy its number',
      when: chosen !== undefined,
      run: () => stage.copy(String(chosen?.id ?? '')),
    },
  ]
  useKeys({ title: 'Jobs', bindings })
  if (value === null) return <Row line={['   ', { text: error ?? '', style: 'amber' }]} width={width} />

  const seen = jobs.slice(list.top, list.top + room)
  const running = active.filter(({ state }) => state === 'running').length
  const counts = [`${running} running`, `${active.length - running} waiting`, `${value.ended.length} ended`].join(', ')
  const rowOf = (job: Job): Line => {
    const name = nameOf(job.collection_id)
    if (job.state === 'running' || job.state === 'queued') {
      const pace =
        job.state === 'running' ? paces.current.pace(job.id, job.done, job.total, now) : { rate: null, left: null }
      return jobLine({ job, name, pace, waits: waitingWords(job, active, nameOf), width: width - 4, signs })
    }
    return endedLine(job, titleOf(job, name), width - 4, now)
  }
  return (
    <>
      <Row
        line={spread([' ', { text: 'Jobs', style: 'bold' }], [{ text: counts, style: 'dim' }, ' '], width)}
        width={width}
      />
      {jobs.length === 0 ? (
        <Row line={['   ', { text: 'Nothing is being done, and nothing was.', style: 'dim' }]} width={width} />
      ) : null}
      {seen.map((job, place) => {
        const isChosen = list.top + place === list.cursor
        const lead: Line = [' ', isChosen ? { text: signs.cursor, style: 'accent' } : ' ', ' ']
        return <Row key={job.id} line={[...lead, ...rowOf(job)]} width={width} ground={isChosen} />
      })}
      <Rows
        lines={Array.from({ length: Math.max(0, room - Math.max(1, seen.length)) }, (): Line => [])}
        width={width}
      />
      {chosen === undefined ? null : (
        <Rows
          lines={details(chosen, titleOf(chosen, nameOf(chosen.collection_id)), width, now)}
          width={width}
          height={detailRows + 1}
        />
      )}
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
  const label = (text: string): Span => ({ text: pad(text, 13), style: 'dim' })
  const took = job.started === null ? null : (job.finished ?? now) - job.started
  const lines: Line[] = [
    [],
    [
      ' ',
      { text: `${title}`, style: 'bold' },
      '  ',
      { text: `job ${job.id}, ${stateText(job.state).toLowerCase()}`, style: 'dim' },
    ],
  ]
  const began = wholeTime(job.started ?? job.created)
  lines.push([
    '   ',
    label(job.started === null ? 'Waits since' : 'Began'),
    began,
    took === null ? '' : `, ${job.finished === null ? 'for' : 'took'} ${duration(took)}`,
  ])
  const amount = amountOf(job)
  if (amount !== '') lines.push(['   ', label('Done'), amount])
  const counts = Object.entries(job.counts).filter(([, count]) => count > 0)
  if (counts.length > 0)
    lines.push(['   ', label('Counted'), counts.map(([name, count]) => `${figure(count)} ${name}`).join(', ')])
  if (job.problems > 0) lines.push(['   ', label('Problems'), { text: figure(job.problems), style: 'amber' }])
  if (job.message !== '')
    lines.push(['   ', label(job.state === 'running' ? 'Now' : 'Said'), cutFront(safe(job.message), width - 16)])
  if (job.error !== null) lines.push(['   ', label('Error'), { text: job.error, style: 'amber' }])
  return lines
}
