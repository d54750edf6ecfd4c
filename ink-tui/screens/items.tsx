/** Items: the filter line, the table of results, an item's details and picture, and actions. */
import { Box } from 'ink'
import { type ReactElement, useEffect, useState } from 'react'
import type { Item, ItemSort } from '../../schema/api/items.ts'
import { reasonOf } from '../../schema/errors.ts'
import {
  changeTags,
  chooseAction,
  rate,
  recycle,
  rotate,
  type StartedJob,
  type Targets,
} from '../items/item-actions.ts'
import { countsOf, type ItemScreen, OpenItem, useItemScreen, WorkLine } from '../items/item-screen.tsx'
import { keywordsOf, kindOf, minuteOf, starsOf } from '../items/item-text.ts'
import type { LoadPage } from '../items/item-window.ts'
import { useMonths } from '../items/months.ts'
import type { ItemList } from '../items/use-item-list.ts'
import type { Binding } from '../keys.ts'
import { alignToEnds, type Line, type Span } from '../line.ts'
import { isCollectionEvent, useLive } from '../live.ts'
import { collectionColumn } from '../overview.ts'
import { useFilterLine } from '../parts/filter-line.tsx'
import { ItemPane } from '../parts/item-pane.tsx'
import { keysFor } from '../parts/keys-for.ts'
import { choiceAfter } from '../parts/list.ts'
import { Row, Rows } from '../parts/rows.tsx'
import { useStartedJob } from '../parts/started-job.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { type Ui, useKeys, useUi } from '../ui.ts'

/** Minimum columns for showing details beside the list. */
const wideColumns = 100

interface Order {
  sort: ItemSort
  words: string
  column: string
  down: boolean
}

const newestFirst: Order = { sort: '-taken', words: 'newest first', column: 'date', down: true }

/** Sort orders, in the sequence of `<` and `>`. */
const sorts: readonly Order[] = [
  newestFirst,
  { sort: 'taken', words: 'oldest first', column: 'date', down: false },
  { sort: 'name', words: 'by name', column: 'name', down: false },
  { sort: '-name', words: 'by name, backwards', column: 'name', down: true },
  { sort: '-added', words: 'last added first', column: '', down: true },
  { sort: 'added', words: 'first added first', column: '', down: false },
]

/** Offered only in albums that are sorted by hand. */
const byHand: Order = { sort: 'hand', words: 'by hand', column: '', down: false }

/** The screen's state when the user left it, which is restored when they return. */
let lastView: { q: string; sort: ItemSort; pane: boolean } = { q: '', sort: '-taken', pane: true }

function columnsOf(unicode: boolean, collections: ReadonlyMap<number, string>, width: number): Column<Item>[] {
  // In wide tables, keywords get some of the space; otherwise the name is more important.
  const keywords = width >= 110 ? 'rest' : 18
  return [
    { id: 'date', title: 'date', width: 16, cell: minuteOf },
    { id: 'name', title: 'name', width: 'rest', least: 16, cell: ({ name }) => name },
    { id: 'kind', title: 'kind', width: 10, drop: 4, style: 'dim', cell: kindOf },
    collectionColumn(id => collections.get(id), { width: 14, drop: 3, style: 'dim' }),
    { id: 'keywords', title: 'keywords', width: keywords, least: 18, drop: 2, cell: keywordsOf },
    { id: 'rating', title: 'rating', width: 8, drop: 1, cell: item => starsOf(item, unicode) },
  ]
}

type Work = (ui: Ui, targets: Targets) => Promise<StartedJob | null | 'done'>

/** Keys that change items; `begin` follows a started job. */
function changeKeys(screen: ItemScreen, ui: Ui, begin: (job: StartedJob) => void) {
  const { list, openId, hasTargets, loadChosenTargets, setOpenId } = screen
  const handlerOf =
    (work: Work, clears = false) =>
    async () => {
      const started = await work(ui, await loadChosenTargets())
      if (started === null) return
      if (started !== 'done') begin(started)
      if (!clears) return
      list.clear()
      setOpenId(0)
    }
  const key = keysFor(ui, hasTargets)
  return {
    first: [
      key('t', 'tags', 'add, remove or set tags', handlerOf(changeTags)),
      keysFor(ui, openId === 0 && hasTargets)('b', 'bulk', 'all actions on the marked items', handlerOf(chooseAction)),
      key('d delete', 'recycle', 'move to the recycle bin', handlerOf(recycle, true)),
    ],
    others: [
      key('*', '', 'rate with stars', handlerOf(rate)),
      key(
        'r )',
        '',
        'rotate right',
        handlerOf((on, what) => rotate(on, what, 'right')),
      ),
      key(
        'e (',
        '',
        'rotate left',
        handlerOf((on, what) => rotate(on, what, 'left')),
      ),
      screen.copyKey,
    ],
  }
}

/** Goes to the next item while one is open, or to the next month in the list. */
function stepKeys(ui: Ui, screen: ItemScreen, months: ReturnType<typeof useMonths>, isByDate: boolean): Binding[] {
  const { list, openId, setOpenId } = screen
  const isList = openId === 0
  function step(by: 1 | -1) {
    if (isList) return list.here === undefined || !isByDate ? undefined : months.step(list.here, by)
    const next = list.rowAt(list.cursor + by)
    if (next === undefined) return
    list.set(list.cursor + by)
    setOpenId(next.id)
  }
  const key = keysFor(ui, !isList || isByDate)
  const [before, after] = isList ? ['the month above', 'the month below'] : ['the item before', 'the next item']
  return [
    key('[', isList ? 'month' : 'item', before, () => step(-1), '[ ]'),
    key(']', '', after, () => step(1)),
    keysFor(ui, isList && isByDate)('m', '', 'go to a month', months.choose),
  ]
}

/** What is listed: everything, a collection, or an album, which is shown in its own order. */
function scopeOf({ collection, album, title, sort }: ScreenProps['params'], names: ReadonlyMap<number, string>) {
  const collectionId = typeof collection === 'number' ? collection : 0
  const albumId = typeof album === 'number' ? album : 0
  return {
    of: { params: { collectionId } },
    filter: albumId === 0 ? {} : { album: albumId },
    key: `${collectionId} ${albumId}`,
    none: albumId === 0 ? 'No items yet. Scan a collection: 2, then s.' : 'No items in this album.',
    isAll: collectionId === 0 && albumId === 0,
    name: albumId > 0 ? String(title ?? '') : collectionId === 0 ? null : (names.get(collectionId) ?? ''),
    order: [...sorts, byHand].find(one => one.sort === sort),
  }
}

/** The restored state: filter, order, and whether details are shown. */
function useView(params: ScreenProps['params'], scope: ReturnType<typeof scopeOf>) {
  const { isAll } = scope
  const [q, setQ] = useState(typeof params.q === 'string' ? params.q : isAll ? lastView.q : '')
  const [sort, setSort] = useState(scope.order?.sort ?? lastView.sort)
  const [pane, setPane] = useState(lastView.pane)
  useEffect(() => {
    if (isAll) lastView = { q, sort, pane }
  }, [isAll, q, sort, pane])
  const orders = scope.order === byHand ? [byHand, ...sorts] : sorts
  const order = orders.find(one => one.sort === sort) ?? newestFirst
  const stepOrder = (by: number) => setSort(choiceAfter(orders, order, by).sort)
  return { q, setQ, order, stepOrder, hasPane: pane, togglePane: () => setPane(!pane) }
}

interface ResultsProps {
  list: ItemList
  order: Order
  names: ReadonlyMap<number, string>
  width: number
  /** 0 if there are no details beside the list. */
  paneWidth: number
  /** Row of the body where the list and the details start. */
  row: number
  empty: string
}

/** The list and, beside it, the details of the item at the cursor. */
function Results({ list, order, names, width, paneWidth, row, empty }: ResultsProps): ReactElement {
  const { unicode } = useUi().terminal.abilities
  const { here } = list
  const height = list.height + 1
  return (
    <Box height={height} overflow="hidden">
      <Box flexDirection="column" width={width}>
        <Table
          columns={columnsOf(unicode, names, width)}
          {...list}
          width={width}
          empty={empty}
          sortedBy={{ id: order.column, down: order.down }}
        />
      </Box>
      {paneWidth > 0 && here !== undefined ? (
        <Box flexDirection="column" width={paneWidth} marginLeft={1}>
          <ItemPane id={here.id} known={here} width={paneWidth} height={height} column={width + 1} row={row} />
        </Box>
      ) : null}
    </Box>
  )
}

function useCollectionNames(): ReadonlyMap<number, string> {
  const { client } = useUi().session
  const { value } = useLive(() => client.collections.list(), isCollectionEvent)
  return new Map(value?.map(({ id, name }) => [id, name]))
}

export function Items({ width, height, params }: ScreenProps): ReactElement {
  const ui = useUi()
  const { client } = ui.session
  const names = useCollectionNames()
  const scope = scopeOf(params, names)
  const { of } = scope
  const view = useView(params, scope)
  const { q, order } = view
  const query = q === '' ? scope.filter : { ...scope.filter, q }
  const check = (text: string) => client.items.list({ ...of, query: { q: text, limit: 1 } })
  const filter = useFilterLine(q, width, check, view.setQ)
  const { line: jobLine, begin } = useStartedJob()
  const isWide = width >= wideColumns && view.hasPane
  const paneWidth = isWide ? Math.max(38, Math.floor(width * 0.36)) : 0
  const listWidth = isWide ? width - paneWidth - 1 : width
  const above = filter.isTyping ? filter.lines.length + 1 : 2
  const load: LoadPage = ({ page, limit, cursor }) =>
    client.items.list({
      ...of,
      query: { ...query, sort: order.sort, page, limit, ...(cursor === null ? {} : { cursor }) },
    })
  const screen = useItemScreen(
    load,
    `${scope.key} ${order.sort} ${q}`,
    Math.max(1, height - above - 1 - (jobLine === null ? 0 : 2)),
    'show everything known about it',
    typeof params.item === 'number' ? params.item : 0,
  )
  const { list, openId } = screen
  const months = useMonths(
    async () => (await client.items.timeline({ ...of, query })).months,
    `${scope.key} ${list.isKnown ? list.total : null} ${q}`,
    order.sort === '-taken',
    list,
  )

  const listKey = keysFor(ui, openId === 0)
  const change = changeKeys(screen, ui, begin)
  const bindings: Binding[] = [
    ...screen.openKeys,
    listKey('/', 'filter', 'filter: words, field:value, AND, OR, NOT', filter.begin),
    ...(openId === 0 ? [list.markKey] : []),
    ...change.first,
    ...(openId === 0 ? list.markKeys : []),
    ...change.others,
    listKey('<', '', 'the order before: date, name, added', () => view.stepOrder(-1)),
    listKey('>', '', 'the next order: date, name, added', () => view.stepOrder(1)),
    ...stepKeys(ui, screen, months, order.column === 'date'),
    keysFor(ui, openId === 0 && width >= wideColumns)('i', '', 'show or hide the details', view.togglePane),
    screen.reloadKey,
    ...(openId === 0 ? list.keys : []),
  ]
  useKeys({ title: 'Items', bindings }, 'screen', !filter.isTyping)

  if (openId !== 0)
    return (
      <>
        <OpenItem screen={screen} width={width} height={height - (jobLine === null ? 0 : 1)} />
        {jobLine === null ? null : <Row line={jobLine} width={width} />}
      </>
    )

  const where: Span[] = scope.name === null ? [] : [{ text: scope.name, style: 'bold' }, '  ']
  const spans: Span[] =
    q !== ''
      ? [{ text: '/ ', style: 'bold' }, q]
      : [{ text: scope.name === null ? 'Everything' : 'everything', style: 'dim' }]
  const right: Line = [...countsOf(list), '  ', { text: order.words, style: 'dim' }, ' ']
  const head: readonly Line[] = filter.isTyping ? filter.lines : [alignToEnds([' ', ...where, ...spans], right, width)]
  const none = q === '' ? scope.none : 'No items match this filter. / changes it.'
  return (
    <>
      <Rows lines={head} width={width} />
      <Row line={[]} width={width} />
      <Results
        list={list}
        order={order}
        names={names}
        width={listWidth}
        paneWidth={paneWidth}
        row={head.length + 1}
        empty={list.error === null ? (list.isKnown ? none : '') : reasonOf(list.error)}
      />
      <WorkLine line={jobLine} width={width} />
    </>
  )
}
