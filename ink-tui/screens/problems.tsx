/** Files that could not be read, shown, moved or written: reasons and remedies. */
import { Box } from 'ink'
import { type ReactElement, useState } from 'react'
import type { Problem } from '../../schema/api/jobs.ts'
import { figure, plural } from '../../schema/figures.ts'
import { scan } from '../collection-actions.ts'
import type { Binding } from '../keys.ts'
import type { Line } from '../line.ts'
import { isCollectionEvent, isJobEvent, useLive } from '../live.ts'
import { collectionColumn } from '../overview.ts'
import { choiceKey, keysFor } from '../parts/keys-for.ts'
import { idOf, useRows } from '../parts/list.ts'
import { labelledLine, Row, Rows } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useFind } from '../parts/use-find.ts'
import { markedElsewhere, useMarkedRows } from '../parts/use-marks.ts'
import type { ScreenProps } from '../screen-props.ts'
import { cutFront, formatFullTime, safe, wrap } from '../text.ts'
import { type Ui, useKeys, useUi } from '../ui.ts'

const detailRows = 7

/** Removes problems from the list, after asking. */
async function dismiss(ui: Ui, gone: readonly Problem[]) {
  const { library, viewer } = ui.session
  const what = gone.length === 1 ? (gone[0]?.path ?? '') : plural(gone.length, 'problem')
  const text = 'The files are not changed. A problem that persists is listed again when its file is read.'
  const isWanted = await ui.confirm({
    title: `Remove ${what} from the list?`,
    lines: [[{ text, style: 'dim' }]],
    yes: 'remove it',
  })
  if (!isWanted) return null
  return library.problems.dismiss(viewer, gone.map(idOf))
}

const columnsOf = (names: ReadonlyMap<number, string>, width: number): Column<Problem>[] => [
  { id: 'path', title: 'file', width: Math.floor(width * 0.4), cell: ({ path }, _, own) => cutFront(safe(path), own) },
  collectionColumn(id => names.get(id), { width: 18, drop: 1, style: 'dim' }),
  { id: 'reason', title: 'what is wrong', width: 'rest', least: 34, cell: ({ reason }) => reason },
]

export function Problems({ width, height, params }: ScreenProps): ReactElement {
  const ui = useUi()
  const { client } = ui.session
  const [only, setOnly] = useState(Number(params.collection ?? 0))
  const find = useFind(ui, 'only those whose path or reason contains a word', 'show all problems')
  const { value, error } = useLive(
    async () => {
      const [, ...collections] = await client.collections.list()
      return { collections, problems: await client.jobs.problems({ params: { collectionId: 0 } }) }
    },
    event => (isJobEvent(event) && event.message.action === 'complete') || isCollectionEvent(event),
  )
  const all = value?.problems ?? []
  const names = new Map(value?.collections.map(({ id, name }) => [id, name]))
  const rows = all.filter(
    one => (only === 0 || one.collection_id === only) && find.matches(`${one.path} ${one.reason}`),
  )
  const room = Math.max(3, height - detailRows - 3)
  const list = useRows(rows, room, idOf)
  const marking = useMarkedRows(rows, list)
  const { here } = list
  const collection = value?.collections.find(({ id }) => id === here?.collection_id)
  const within = [...new Set(all.map(({ collection_id }) => collection_id))]
  const showOnly = (next: number) => {
    setOnly(next)
    list.set(0)
  }
  const key = keysFor(ui, here)
  const collectionKey = keysFor(ui, collection)
  const bindings: Binding[] = [
    ...list.keys,
    keysFor(ui, here?.item_id)('enter', 'item', 'the item of the file', item => ui.go('items', { item })),
    collectionKey('s R', 'scan again', 'scan its collection and read all files again', one => scan(ui, one, true)),
    collectionKey('c', 'collection', 'its collection', ({ id }) => ui.go('collection', { collection: id })),
    key('d delete', 'dismiss', 'remove it from the list', async one => {
      if (marking.isElsewhere) return ui.notice(markedElsewhere)
      const count = await dismiss(ui, marking.marked.length > 0 ? marking.marked : [one])
      if (count === null) return
      marking.clear()
      ui.notice(`${plural(count, 'problem')} removed from the list.`)
    }),
    ...find.keys(() => list.set(0)),
    choiceKey('which', 'one collection, or all', [0, ...within], only, showOnly, { when: within.length > 1 }),
    ...marking.keys,
    key('y', '', 'copy the path', ({ path }) => ui.copy(`${collection?.path ? `${collection.path}/` : ''}${path}`)),
  ]
  useKeys({ title: 'Problems', bindings })
  if (value === null) return <Row line={['   ', { text: error ?? '', style: 'amber' }]} width={width} />

  const what = only === 0 ? 'of all collections' : `of ${names.get(only) ?? 'this collection'}`
  const found = find.wanted === '' ? '' : `, with '${find.wanted}'`
  const marked = marking.marked.length > 0 ? `, ${figure(marking.marked.length)} marked` : ''
  const head: Line = [
    ' ',
    { text: plural(rows.length, 'problem'), style: 'bold' },
    { text: ` ${what}${found}${marked}`, style: 'dim' },
  ]
  const lines = here === undefined ? [] : details(here, names.get(here.collection_id) ?? '', width)
  return (
    <>
      <Row line={head} width={width} />
      <Row line={[]} width={width} />
      <Table
        columns={columnsOf(names, width)}
        {...list}
        width={width}
        isMarked={marking.isMarked}
        empty={all.length === 0 ? 'None. Every file could be read.' : 'None match.'}
      />
      <Box height={room - Math.max(1, Math.min(room, rows.length - list.top))} />
      <Rows lines={lines} width={width} height={detailRows} />
    </>
  )
}

function details({ path, reason, at, item_id }: Problem, collection: string, width: number): Line[] {
  return [
    [],
    [' ', { text: cutFront(safe(path), width - 2), style: 'bold' }],
    labelledLine('Collection', 12, collection),
    labelledLine('Found', 12, formatFullTime(at)),
    labelledLine('Shown as', 12, item_id === null ? 'nothing: it was left out' : `item ${item_id}`),
    ...wrap(reason, width - 18).map((text, at) => labelledLine(at === 0 ? 'Why' : '', 12, { text, style: 'amber' })),
  ]
}
