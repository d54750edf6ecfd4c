/** A plan: what a sort, an import or a transfer would do, file by file; the user applies or discards it. */
import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { PlannedWork } from '../../core/moving/planned-work.ts'
import { Failure, reasonOf } from '../../schema/errors.ts'
import { figure, plural } from '../../schema/figures.ts'
import type { Binding } from '../keys.ts'
import type { Span } from '../line.ts'
import { createCoalescer, liveMs } from '../live.ts'
import { choiceKey, keysFor } from '../parts/keys-for.ts'
import { useRows } from '../parts/list.ts'
import { Row } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { cutFront, safe } from '../text.ts'
import { type Ui, useKeys, useUi } from '../ui.ts'

interface Planned {
  /** Null for a file that is not in the library yet. */
  item: number | null
  from: string
  /** Null if the file stays, for the given reason. */
  to: string | null
  reason: string
}

interface PlanState {
  rows: Planned[]
  title: string
  /** Whether the plan is complete. */
  done: boolean
  error: string | null
  /** Text after the counts. */
  note: string
}

type Params = ScreenProps['params']

/** Makes the plan and reports each of its files; returns the text to show after the counts. */
async function loadPlan(ui: Ui, params: Params, guess: boolean, signal: AbortSignal, report: (row: Planned) => void) {
  const { client, library, viewer } = ui.session
  const id = Number(params.collection)
  if (params.kind === 'sort') {
    const { moves } = await client.collections.sortPlan({ params: { id }, query: { guess } })
    for (const move of moves) report(move)
    return ''
  }
  if (params.kind === 'import') {
    const request =
      typeof params.directory === 'string' ? { directory: params.directory, guess } : { otherId: Number(params.other) }
    const { counts, message } = await library.plans.import(
      viewer,
      { id, ...request },
      { signal, report: row => report({ item: null, ...row }) },
    )
    return [counts.skipped > 0 ? `${plural(counts.skipped, 'file')} skipped.` : '', message].filter(Boolean).join(' ')
  }
  await library.plans.as(viewer).transfer(
    { collection: id, items: plannedItems(ui, params) },
    {
      signal,
      report: ({ item, from, to, reason }) => report({ item, from: from === '' ? `item ${item}` : from, to, reason }),
    },
  )
  return ''
}

function plannedItems(ui: Ui, params: Params): number[] {
  const stored = ui.storedValue(Number(params.items))
  return Array.isArray(stored) ? stored.filter(one => typeof one === 'number') : []
}

function workOf(ui: Ui, params: Params, guess: boolean): PlannedWork {
  const collection = Number(params.collection)
  if (params.kind === 'sort') return { command: 'sort', collection, guess }
  if (params.kind === 'transfer') return { command: 'transfer', collection, items: plannedItems(ui, params) }
  const source =
    typeof params.directory === 'string' ? { directory: params.directory } : { collection: Number(params.other) }
  return { command: 'import', collection, source, guess }
}

const movesAsText = (rows: readonly Planned[]) => JSON.stringify(rows.map(({ from, to }) => [from, to]).sort())

const verbs: Record<string, { title: string; does: string; done: string }> = {
  sort: { title: 'Sort', does: 'move', done: 'moved' },
  import: { title: 'Import into', does: 'copy', done: 'copied' },
  transfer: { title: 'Transfer into', does: 'move', done: 'moved' },
}

type RowFilter = 'all' | 'moves' | 'stays'
const rowFilters: readonly RowFilter[] = ['all', 'moves', 'stays']

/** The plan so far; loading is aborted when the user leaves the screen. */
function usePlan(params: Params, guess: boolean, verb: string) {
  const ui = useUi()
  const emptyPlan: PlanState = { rows: [], title: verb, done: false, error: null, note: '' }
  const [plan, setPlan] = useState<PlanState>(emptyPlan)
  const abort = useRef(new AbortController())
  // biome-ignore lint/correctness/useExhaustiveDependencies: the initial state only depends on the verb
  useEffect(() => {
    const controller = new AbortController()
    abort.current = controller
    const rows: Planned[] = []
    const change = (changed: Partial<PlanState>) => {
      if (!controller.signal.aborted) setPlan(before => ({ ...before, ...changed }))
    }
    const refresh = createCoalescer(async () => change({ rows: [...rows] }), liveMs)
    void (async () => {
      try {
        const [, ...collections] = await ui.session.client.collections.list()
        const name = collections.find(({ id }) => id === Number(params.collection))?.name ?? ''
        setPlan({ ...emptyPlan, title: `${verb} ${name}` })
        const note = await loadPlan(ui, params, guess, controller.signal, row => {
          rows.push(row)
          refresh.request()
        })
        change({ rows, done: true, note })
      } catch (error) {
        change({ done: true, error: reasonOf(error) })
      }
    })()
    return () => {
      controller.abort()
      refresh.close()
    }
  }, [ui, params, guess, verb])
  const setRows = (rows: Planned[]) => setPlan(before => ({ ...before, rows }))
  return { plan, setRows, signal: () => abort.current.signal }
}

export function Plan({ width, height, params }: ScreenProps): ReactElement {
  const ui = useUi()
  const verb = verbs[String(params.kind)] ?? { title: 'Plan', does: 'move', done: 'moved' }
  const [guess, setGuess] = useState(false)
  const [which, setWhich] = useState<RowFilter>('all')
  const { plan, setRows, signal } = usePlan(params, guess, verb.title)
  const moves = plan.rows.filter(({ to }) => to !== null)
  const rows = which === 'all' ? plan.rows : plan.rows.filter(({ to }) => (to !== null) === (which === 'moves'))
  const list = useRows(rows, height - 4)
  const show = (next: (typeof rowFilters)[number]) => {
    setWhich(next)
    list.set(0)
  }

  async function apply() {
    const { library, viewer } = ui.session
    const text = params.kind === 'import' ? 'The source is not touched.' : 'It can be undone in the history (z).'
    const isWanted = await ui.confirm({
      title: `${plan.title}: ${verb.does} ${plural(moves.length, 'file')}?`,
      lines: [[{ text, style: 'dim' }]],
      yes: verb.does,
    })
    if (!isWanted) return
    const now: Planned[] = []
    await loadPlan(ui, params, guess, signal(), row => now.push(row))
    if (movesAsText(now) !== movesAsText(plan.rows)) {
      setRows(now)
      throw new Failure(
        'changed',
        'Files have changed since this plan was made. Nothing was done: review the new plan.',
      )
    }
    // The job handles later changes, item by item.
    const { job } = await library.plannedWork.start(viewer, { work: workOf(ui, params, guess), files: now })
    ui.back()
    ui.go('jobs', { job })
  }

  const canGuess = params.kind === 'sort' || typeof params.directory === 'string'
  const canApply = plan.done && plan.error === null && moves.length > 0
  const bindings: Binding[] = [
    ...list.keys,
    keysFor(ui, canApply)('enter a', 'apply', 'carry out the plan, after a question', apply),
    choiceKey('which', 'all files, those that move, those that stay', rowFilters, which, show, {
      when: plan.rows.length > 0,
    }),
    keysFor(ui, canGuess)(
      'u',
      guess ? 'do not guess' : 'guess dates',
      'include files whose only date is when the file was modified',
      () => setGuess(!guess),
    ),
  ]
  useKeys({ title: 'Plan', bindings })

  const columns: Column<Planned>[] = [
    {
      id: 'from',
      title: 'file',
      width: Math.floor((width - 10) / 2),
      cell: ({ from }, _, cellWidth) => cutFront(safe(from), cellWidth),
    },
    {
      id: 'to',
      title: which === 'stays' ? 'why it stays' : 'to',
      width: 'rest',
      cell: ({ to, reason }, _, cellWidth) =>
        to === null ? { text: `stays: ${reason}`, style: 'dim' } : cutFront(safe(to), cellWidth),
    },
  ]
  const stays = plan.rows.length - moves.length
  const text = `${figure(moves.length)} would be ${verb.done}, ${figure(stays)} would stay.${plan.done ? '' : '  looking …'}`
  const counts: Span = { text, style: plan.done ? 'plain' : 'dim' }
  const note: Span = plan.error === null ? { text: plan.note, style: 'dim' } : { text: plan.error, style: 'amber' }
  return (
    <>
      <Row line={[' ', { text: plan.title, style: 'bold' }, '   ', counts]} width={width} />
      <Row line={[' ', note]} width={width} />
      <Row line={[]} width={width} />
      <Table
        columns={columns}
        {...list}
        width={width}
        {...(plan.done ? { empty: 'Nothing: every file is in its place.' } : {})}
      />
    </>
  )
}
