/** Files that could not be read, shown, moved or written: why, and what can be done. */
import { type ReactElement, useState } from 'react'
import type { Problem } from '../../schema/api/jobs.ts'
import { figure, plural } from '../../schema/figures.ts'
import { scan } from '../collection-actions.ts'
import type { Binding } from '../keys.ts'
import type { Line, Span } from '../line.ts'
import { ofCollections, ofJobs, useLive } from '../live.ts'
import { useList } from '../parts/list.ts'
import { findKey } from '../parts/log-list.tsx'
import { markedElsewhere, useMarking } from '../parts/marking.ts'
import { Row, Rows } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { useKeys, useStage } from '../stage.ts'
import { cutFront, pad, safe, wholeTime, wrap } from '../text.ts'

const detailRows = 7

export function Problems({ width, height, params }: ScreenProps): ReactElement {
  const stage = useStage()
  const { session } = stage
  const [only, setOnly] = useState(Number(params.collection ?? 0))
  const [wanted, setWanted] = useState('')
  const { value, error } = useLive(
    async () => {
      const [, ...collections] = await session.client.collections.list()
      const problems = await session.client.jobs.problems({ params: { collectionId: 0 } })
      return { collections, problems }
    },
    event => (ofJobs(event) && event.message.action === 'complete') || ofCollections(event),
  )
  const all = value?.problems ?? []
  const names = new Map(value?.collections.map(({ id, name }) => [id, name]))
  const word = wanted.toLowerCase()
  const rows = all.filter(
    one =>
      (only === 0 || one.collection_id === only) &&
      (word === '' || `${one.path} ${one.reason}`.toLowerCase().includes(word)),
  )
  const room = Math.max(3, height - detailRows - 3)
  const list = useList({ total: rows.length, height: room, ids: rows.map(({ id }) => id) })
  const marking = useMarking(
    rows.map(({ id }) => id),
    list,
  )
  const chosen = rows[list.cursor]
  const collection = value?.collections.find(({ id }) => id === chosen?.collection_id)
  const some = marking.of(rows)
  const within = [...new Set(all.map(({ collection_id }) => collection_id))]

  function turn(by: number) {
    const choices = [0, ...within]
    setOnly(choices[(choices.indexOf(only) + by + choices.length) % choices.length] ?? 0)
    list.set(0)
  }

  async function dismiss() {
    if (marking.isElsewhere(rows)) return stage.notice(markedElsewhere)
    const gone = some.length > 0 ? some : chosen === undefined ? [] : [chosen]
    if (gone.length === 0) return
    const isWanted = await stage.confirm({
      title:
        gone.length === 1
          ? `Take ${gone[0]?.path ?? ''} off the list?`
          : `Take ${plural(gone.length, 'problem')} off the list?`,
      lines: [
        [{ text: 'The files stay as they are. Reading a file anew tells again what is wrong with it.', style: 'dim' }],
      ],
      yes: 'take it off',
    })
    if (!isWanted) return
    const count = await session.library.problems.dismiss(
      session.viewer,
      gone.map(({ id }) => id),
    )
    marking.clear()
    stage.notice(`${plural(count, 'problem')} taken off the list.`)
  }

  const bindings: Binding[] = [
    ...list.keys,
    {
      keys: ['enter'],
      short: 'item',
      about: 'the item of the file',
      when: chosen !== undefined && chosen.item_id !== null,
      run: () => stage.go('items', { item: chosen?.item_id ?? 0 }),
    },
    {
      keys: ['s', 'R'],
      short: 'scan again',
      about: 'scan its collection and read every file anew',
      when: collection !== undefined,
      run: () => stage.run(() => collection && scan(stage, collection, true)),
    },
    {
      keys: ['c'],
      short: 'collection',
      about: 'its collection',
      when: collection !== undefined,
      run: () => stage.go('collection', { collection: collection?.id ?? 0 }),
    },
    {
      keys: ['d', 'delete'],
      short: 'dismiss',
      about: 'take it off the list',
      when: chosen !== undefined,
      run: () => stage.run(dismiss),
    },
    findKey(stage, {
      about: 'only those whose path or reason has a word',
      hint: 'Empty: all of them.',
      value: wanted,
      set: text => {
        setWanted(text)
        list.set(0)
      },
    }),
    {
      keys: [']', 'tab'],
      shown: '[ ]',
      short: 'which',
      about: 'of one collection after the other, or of all',
      when: within.length > 1,
      run: () => turn(1),
    },
    { keys: ['[', 'backtab'], about: 'the other way round', when: within.length > 1, run: () => turn(-1) },
    ...marking.keys,
    {
      keys: ['y'],
      about: 'copy the path',
      when: chosen !== undefined,
      run: () => stage.copy(pathOf(chosen, collection?.path)),
    },
  ]
  useKeys({ title: 'Problems', bindings })
  if (value === null) return <Row line={['   ', { text: error ?? '', style: 'amber' }]} width={width} />

  const pathWidth = Math.floor(width * 0.4)
  const columns: Column<Problem>[] = [
    { id: 'path', title: 'file', width: pathWidth, cell: ({ path }, _, own) => cutFront(safe(path), own) },
    {
      id: 'collection',
      title: 'collection',
      width: 18,
      drop: 1,
      style: 'dim',
      cell: one => names.get(one.collection_id) ?? '',
    },
    { id: 'reason', title: 'what is wrong', width: 'rest', least: 34, cell: ({ reason }) => reason },
  ]
  const what = only === 0 ? 'of all collections' : `of ${names.get(only) ?? 'this collection'}`
  const found = word === '' ? '' : `, with '${wanted}'`
  const head: Line = [
    ' ',
    { text: plural(rows.length, 'problem'), style: 'bold' },
    { text: ` ${what}${found}${some.length > 0 ? `, ${figure(some.length)} marked` : ''}`, style: 'dim' },
  ]
  const lines = chosen === undefined ? [] : details(chosen, names.get(chosen.collection_id) ?? '', width)
  const seen = Math.max(1, Math.min(room, rows.length - list.top))
  return (
    <>
      <Row line={head} width={width} />
      <Row line={[]} width={width} />
      <Table
        columns={columns}
        total={rows.length}
        rowAt={at => rows[at]}
        width={width}
        height={room}
        top={list.top}
        cursor={list.cursor}
        isMarked={({ id }, at) => marking.isMarked(id, at)}
        empty={all.length === 0 ? 'None. Every file could be read.' : 'None like that.'}
      />
      <Rows lines={Array.from({ length: Math.max(0, room - seen) }, (): Line => [])} width={width} />
      <Rows lines={lines} width={width} height={detailRows} />
    </>
  )
}

function pathOf(problem: Problem | undefined, folder: string | undefined): string {
  return `${folder === undefined || folder === '' ? '' : `${folder}/`}${problem?.path ?? ''}`
}

function details({ path, reason, at, item_id }: Problem, collection: string, width: number): Line[] {
  const label = (text: string): Span => ({ text: pad(text, 12), style: 'dim' })
  return [
    [],
    [' ', { text: cutFront(safe(path), width - 2), style: 'bold' }],
    ['   ', label('Collection'), collection],
    ['   ', label('Found'), wholeTime(at)],
    ['   ', label('Shown as'), item_id === null ? 'nothing: it was left out' : `item ${item_id}`],
    ...wrap(reason, width - 18).map(
      (line, at): Line => ['   ', label(at === 0 ? 'Why' : ''), { text: line, style: 'amber' }],
    ),
  ]
}
