/** What a sort, an import or a transfer would do, file by file, before it does: then it is applied or left. */
import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { PlannedWork } from '../../core/moving/planned-work.ts'
import { Failure, reasonOf } from '../../schema/errors.ts'
import { figure, plural } from '../../schema/figures.ts'
import type { Binding } from '../keys.ts'
import { coalesced, liveMs } from '../live.ts'
import { useList } from '../parts/list.ts'
import { Row } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { type Stage, useKeys, useStage } from '../stage.ts'
import { cutFront, safe } from '../text.ts'

interface Planned {
  /** Null: a file that the library does not know yet. */
  item: number | null
  from: string
  /** Null: it stays, for this reason. */
  to: string | null
  reason: string
}

interface PlanState {
  rows: Planned[]
  /** 'Sort Family'. */
  title: string
  /** Looked at everything. */
  done: boolean
  error: string | null
  /** Said behind the counts. */
  note: string
}

type Params = ScreenProps['params']

/** Finds out what would be done; tells of each file as it is found. */
async function look(stage: Stage, params: Params, guess: boolean, signal: AbortSignal, tell: (row: Planned) => void) {
  const { client, library, viewer } = stage.session
  const id = Number(params.collection)
  if (params.kind === 'sort') {
    const { moves } = await client.collections.sortPlan({ params: { id }, query: { guess } })
    for (const move of moves) tell(move)
    return ''
  }
  if (params.kind === 'import') {
    const wish =
      typeof params.directory === 'string' ? { directory: params.directory, guess } : { otherId: Number(params.other) }
    const { counts, message } = await library.plans.import(
      viewer,
      { id, ...wish },
      { signal, tell: row => tell({ item: null, ...row }) },
    )
    return [counts.skipped > 0 ? `${plural(counts.skipped, 'file')} skipped.` : '', message].filter(Boolean).join(' ')
  }
  await library.plans.as(viewer).transfer(
    { collection: id, items: heldItems(stage, params) },
    {
      signal,
      tell: ({ item, from, to, reason }) => tell({ item, from: from === '' ? `item ${item}` : from, to, reason }),
    },
  )
  return ''
}

function heldItems(stage: Stage, { items }: Params): number[] {
  const held = stage.held(Number(items))
  return Array.isArray(held) ? held.filter(one => typeof one === 'number') : []
}

function workOf(stage: Stage, params: Params, guess: boolean): PlannedWork {
  const collection = Number(params.collection)
  if (params.kind === 'sort') return { command: 'sort', collection, guess }
  if (params.kind === 'transfer') return { command: 'transfer', collection, items: heldItems(stage, params) }
  const source =
    typeof params.directory === 'string' ? { directory: params.directory } : { collection: Number(params.other) }
  return { command: 'import', collection, source, guess }
}

const asOne = (rows: readonly Planned[]) => JSON.stringify(rows.map(({ from, to }) => [from, to]).sort())

const verbs: Record<string, { title: string; does: string; done: string }> = {
  sort: { title: 'Sort', does: 'move', done: 'moved' },
  import: { title: 'Import into', does: 'copy', done: 'copied' },
  transfer: { title: 'Transfer into', does: 'move', done: 'moved' },
}

type Which = 'all' | 'moves' | 'stays'
const whichOnes: readonly Which[] = ['all', 'moves', 'stays']

export function Plan({ width, height, params }: ScreenProps): ReactElement {
  const stage = useStage()
  const verb = verbs[String(params.kind)] ?? { title: 'Plan', does: 'move', done: 'moved' }
  const [guess, setGuess] = useState(false)
  const [which, setWhich] = useState<Which>('all')
  const [plan, setPlan] = useState<PlanState>({ rows: [], title: verb.title, done: false, error: null, note: '' })
  const abort = useRef(new AbortController())

  useEffect(() => {
    const own = new AbortController()
    abort.current = own
    const rows: Planned[] = []
    const { client } = stage.session
    const shown = coalesced(async () => {
      if (!own.signal.aborted) setPlan(before => ({ ...before, rows: [...rows] }))
    }, liveMs)
    void (async () => {
      try {
        const [, ...collections] = await client.collections.list()
        const name = collections.find(({ id }) => id === Number(params.collection))?.name ?? ''
        setPlan({ rows: [], title: `${verb.title} ${name}`, done: false, error: null, note: '' })
        const note = await look(stage, params, guess, own.signal, row => {
          rows.push(row)
          shown.ask()
        })
        if (!own.signal.aborted) setPlan(before => ({ ...before, rows, done: true, note }))
      } catch (error) {
        const words = reasonOf(error)
        if (!own.signal.aborted) setPlan(before => ({ ...before, done: true, error: words }))
      }
    })()
    return () => {
      own.abort()
      shown.close()
    }
  }, [stage, params, guess, verb.title])

  const moves = plan.rows.filter(({ to }) => to !== null)
  const rows = which === 'all' ? plan.rows : plan.rows.filter(({ to }) => (to !== null) === (which === 'moves'))
  const stays = plan.rows.length - moves.length
  const list = useList({ total: rows.length, height: height - 4 })
  const turn = (by: number) => {
    const at = (whichOnes.indexOf(which) + by + whichOnes.length) % whichOnes.length
    setWhich(whichOnes[at] ?? 'all')
    list.set(0)
  }

  async function apply() {
    const { library, viewer } = stage.session
    const isWanted = await stage.confirm({
      title: `${plan.title}: ${verb.does} ${plural(moves.length, 'file')}?`,
      lines: [
        [
          {
            text: params.kind === 'import' ? 'The source is not touched.' : 'It can be undone in the history (z).',
            style: 'dim',
          },
        ],
      ],
      yes: verb.does,
    })
    if (!isWanted) return
    const now: Planned[] = []
    await look(stage, params, guess, abort.current.signal, row => now.push(row))
    if (asOne(now) !== asOne(plan.rows)) {
      setPlan(before => ({ ...before, rows: now }))
      throw new Failure('changed', 'Files have changed since this was planned. Nothing was done: look at it again.')
    }
    // What changes from now on is seen by the job, item by item.
    const { job } = await library.plannedWork.start(viewer, { work: workOf(stage, params, guess), files: now })
    stage.back()
    stage.go('jobs', { job })
  }

  const canGuess = params.kind === 'sort' || typeof params.directory === 'string'
  const bindings: Binding[] = [
    ...list.keys,
    {
      keys: ['enter', 'a'],
      short: 'apply',
      about: 'do what is shown, after a question',
      when: plan.done && plan.error === null && moves.length > 0,
      run: () => stage.run(apply),
    },
    {
      keys: [']', 'tab'],
      shown: '[ ]',
      short: 'which',
      about: 'all files, those that move, those that stay',
      when: plan.rows.length > 0,
      run: () => turn(1),
    },
    { keys: ['[', 'backtab'], about: 'the other way round', when: plan.rows.length > 0, run: () => turn(-1) },
    {
      keys: ['u'],
      short: guess ? 'do not guess' : 'guess dates',
      about: 'also files that only their own time dates',
      when: canGuess,
      run: () => setGuess(!guess),
    },
  ]
  useKeys({ title: 'Plan', bindings })

  const half = Math.floor((width - 10) / 2)
  const columns: Column<Planned>[] = [
    { id: 'from', title: 'file', width: half, cell: ({ from }, _, own) => cutFront(safe(from), own) },
    {
      id: 'to',
      title: which === 'stays' ? 'why it stays' : 'to',
      width: 'rest',
      cell: ({ to, reason }, _, own) =>
        to === null ? { text: `stays: ${reason}`, style: 'dim' } : cutFront(safe(to), own),
    },
  ]
  const state = plan.done ? '' : '  looking …'
  const counts = `${figure(moves.length)} would be ${verb.done}, ${figure(stays)} would stay.${state}`
  return (
    <>
      <Row
        line={[' ', { text: plan.title, style: 'bold' }, '   ', { text: counts, style: plan.done ? 'plain' : 'dim' }]}
        width={width}
      />
      <Row
        line={
          plan.error === null ? [' ', { text: plan.note, style: 'dim' }] : [' ', { text: plan.error, style: 'amber' }]
        }
        width={width}
      />
      <Row line={[]} width={width} />
      <Table
        columns={columns}
        total={rows.length}
        rowAt={at => rows[at]}
        width={width}
        height={height - 4}
        top={list.top}
        cursor={list.cursor}
        {...(plan.done ? { empty: 'Nothing: everything is where it belongs.' } : {})}
      />
    </>
  )
}
