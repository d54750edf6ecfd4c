/** Items: the filter line, the table of what it finds, one item's details and picture, and what can be done to them. */
import { Box } from 'ink'
import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { Item, ItemSort } from '../../schema/api/items.ts'
import { reasonOf } from '../../schema/errors.ts'
import { figure } from '../../schema/figures.ts'
import {
  type Begun,
  bulk,
  changeTags,
  copy,
  rate,
  recycle,
  rotate,
  settled,
  type Targets,
} from '../items/item-actions.ts'
import { itemsText, keywordsOf, kindOf, minuteOf, starsOf } from '../items/item-text.ts'
import { goToMonth, indexOfMonth, type Month } from '../items/months.ts'
import { useItemList } from '../items/use-item-list.ts'
import type { Binding } from '../keys.ts'
import { type Line, type Span, spread } from '../line.ts'
import { ofCollections, useLive } from '../live.ts'
import { useBegunJob } from '../parts/begun-job.tsx'
import { useFilterLine } from '../parts/filter-line.tsx'
import { ItemPane } from '../parts/item-pane.tsx'
import { Row } from '../parts/rows.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { ScreenProps } from '../screen-props.ts'
import { type Stage, useKeys, useStage } from '../stage.ts'

/** From here on the details stand beside the list. */
const wideColumns = 100

/** Orders as `<` and `>` go through them. */
const sorts: readonly { sort: ItemSort; words: string; column: string; down: boolean }[] = [
  { sort: '-taken', words: 'newest first', column: 'date', down: true },
  { sort: 'taken', words: 'oldest first', column: 'date', down: false },
  { sort: 'name', words: 'by name', column: 'name', down: false },
  { sort: '-name', words: 'by name, backwards', column: 'name', down: true },
  { sort: '-added', words: 'last added first', column: '', down: true },
  { sort: 'added', words: 'first added first', column: '', down: false },
]

/** What the screen was left with, so that coming back finds it so. */
interface Kept {
  q: string
  sort: ItemSort
  pane: boolean
}
const kept = new WeakMap<Stage, Kept>()

function columnsOf(unicode: boolean, collections: ReadonlyMap<number, string>, width: number): Column<Item>[] {
  // Where there is room to spare, keywords get some of it; else the name is what one looks for.
  const keywords = width >= 110 ? 'rest' : 18
  return [
    { id: 'date', title: 'date', width: 16, cell: minuteOf },
    { id: 'name', title: 'name', width: 'rest', least: 16, cell: ({ name }) => name },
    { id: 'kind', title: 'kind', width: 10, drop: 4, style: 'dim', cell: kindOf },
    {
      id: 'collection',
      title: 'collection',
      width: 14,
      drop: 3,
      style: 'dim',
      cell: ({ collection_id }) => collections.get(collection_id) ?? '',
    },
    { id: 'keywords', title: 'keywords', width: keywords, least: 18, drop: 2, cell: keywordsOf },
    { id: 'rating', title: 'rating', width: 8, drop: 1, cell: item => starsOf(item, unicode) },
  ]
}

export function Items({ width, height, params }: ScreenProps): ReactElement {
  const stage = useStage()
  const { client } = stage.session
  const { abilities } = stage.terminal
  const before = kept.get(stage)
  const collectionId = typeof params.collection === 'number' ? params.collection : 0
  const [q, setQ] = useState(typeof params.q === 'string' ? params.q : collectionId === 0 ? (before?.q ?? '') : '')
  const [sort, setSort] = useState<ItemSort>(before?.sort ?? '-taken')
  const [hasPane, setPane] = useState(before?.pane ?? true)
  /** An item that fills the screen; 0: the list does. */
  const [open, setOpen] = useState(typeof params.item === 'number' ? params.item : 0)
  useEffect(() => {
    if (collectionId === 0) kept.set(stage, { q, sort, pane: hasPane })
  }, [stage, collectionId, q, sort, hasPane])

  const query = q === '' ? {} : { q }
  const filter = useFilterLine({
    value: q,
    width,
    check: async text => {
      await client.items.list({ params: { collectionId }, query: { q: text, limit: 1 } })
    },
    onTaken: setQ,
  })
  const { line: jobLine, begin } = useBegunJob()
  const isWide = width >= wideColumns && hasPane
  const paneWidth = isWide ? Math.max(38, Math.floor(width * 0.36)) : 0
  const listWidth = isWide ? width - paneWidth - 1 : width
  const above = filter.isTyping ? filter.lines.length + 1 : 2
  const listHeight = Math.max(1, height - above - 1 - (jobLine === null ? 0 : 2))

  const items = useItemList(
    wish =>
      client.items.list({
        params: { collectionId },
        query: {
          ...query,
          sort,
          page: wish.page,
          limit: wish.limit,
          ...(wish.cursor === null ? {} : { cursor: wish.cursor }),
        },
      }),
    `${collectionId} ${sort} ${q}`,
    listHeight,
  )
  const { list, here, total } = items

  const { value: names } = useLive(
    async () => new Map((await client.collections.list()).map(({ id, name }) => [id, name])),
    ofCollections,
  )
  const months = useRef<{ key: string; months: readonly Month[] } | null>(null)
  async function monthsNow(): Promise<readonly Month[]> {
    const key = `${collectionId} ${total} ${q}`
    if (months.current?.key !== key)
      months.current = { key, months: (await client.items.timeline({ params: { collectionId }, query })).months }
    return months.current.months
  }
  const order = sorts.find(one => one.sort === sort) ?? sorts[0]
  const isByDate = order?.column === 'date'

  /** What is looked at: one may come here from elsewhere, for an item that the list's cursor is not on. */
  const looked = open === 0 || here?.id === open ? here : undefined
  const targets: Targets = {
    count: open === 0 ? items.count : 1,
    name: looked?.name ?? '',
    ids: async () => (open === 0 ? items.targets() : [open]),
  }
  const isThere = targets.count > 0
  /** Runs an action; a job that it began is followed. */
  function act(work: (stage: Stage, targets: Targets) => Promise<Begun | null | 'done'>, clears = false) {
    stage.run(async () => {
      const begun = await work(stage, await settled(stage, targets, looked))
      if (begun === null) return
      if (begun !== 'done') begin(begun)
      if (clears) items.clear()
      if (clears && open !== 0) setOpen(0)
    })
  }
  const turnTo = (by: number) => {
    const at = sorts.findIndex(one => one.sort === sort)
    const next = sorts[(at + by + sorts.length) % sorts.length]
    if (next !== undefined) setSort(next.sort)
  }
  /** To the next item while one is open, to the next month in the list. */
  function step(by: 1 | -1) {
    if (open !== 0) {
      const next = items.window.rowAt(list.cursor + by)
      if (next === undefined) return
      list.set(list.cursor + by)
      setOpen(next.id)
      return
    }
    stage.run(async () => {
      if (here === undefined || !isByDate) return
      const known = await monthsNow()
      const down = sort === '-taken'
      const [year = 0, month = 0] = here.taken_at.split('-').map(Number)
      const start = indexOfMonth(known, year, month, down)
      if (by < 0 && list.cursor > start) return list.set(start)
      const ends = known.toSorted((a, b) => (down ? -1 : 1) * (a.year * 12 + a.month - b.year * 12 - b.month))
      const at = ends.findIndex(one => one.year === year && one.month === month)
      const next = ends[at + by]
      if (next !== undefined) list.set(indexOfMonth(known, next.year, next.month, down))
    })
  }

  const keys: Binding[] = [
    {
      keys: ['enter'],
      short: 'open',
      about: 'the item with everything that is known of it',
      when: open === 0 && here !== undefined,
      run: () => setOpen(here?.id ?? 0),
    },
    { keys: ['esc', 'q', 'left'], short: 'list', about: 'back to the list', when: open !== 0, run: () => setOpen(0) },
    {
      keys: ['/'],
      short: 'filter',
      about: 'filter: words, field:value, AND, OR, NOT',
      when: open === 0,
      run: filter.begin,
    },
    ...(open === 0 ? [items.markKey] : []),
    { keys: ['t'], short: 'tags', about: 'add, remove or set tags', when: isThere, run: () => act(changeTags) },
    {
      keys: ['b'],
      short: 'bulk',
      about: 'everything that can be done to what is marked',
      when: open === 0 && isThere,
      run: () => act(bulk),
    },
    {
      keys: ['d', 'delete'],
      short: 'recycle',
      about: 'move to the recycle bin',
      when: isThere,
      run: () => act(recycle, true),
    },
    ...(open === 0 ? items.keys : []),
    { keys: ['*'], about: 'rate with stars', when: isThere, run: () => act(rate) },
    {
      keys: ['r', ')'],
      about: 'turn to the right',
      when: isThere,
      run: () => act((on, what) => rotate(on, what, 'right')),
    },
    {
      keys: ['e', '('],
      about: 'turn to the left',
      when: isThere,
      run: () => act((on, what) => rotate(on, what, 'left')),
    },
    {
      keys: ['y'],
      about: 'copy the path, the id or the name',
      when: isThere,
      run: () =>
        stage.run(async () => {
          const now = await settled(stage, targets, looked)
          const [id] = await now.ids()
          if (id !== undefined)
            await copy(stage, now, looked?.id === id ? looked : await client.items.get({ params: { id } }))
        }),
    },
    { keys: ['<'], about: 'the order before: date, name, added', when: open === 0, run: () => turnTo(-1) },
    { keys: ['>'], about: 'the next order: date, name, added', when: open === 0, run: () => turnTo(1) },
    {
      keys: ['['],
      shown: '[ ]',
      short: open === 0 ? 'month' : 'item',
      about: open === 0 ? 'the month above' : 'the item before',
      when: open !== 0 || isByDate,
      run: () => step(-1),
    },
    {
      keys: [']'],
      about: open === 0 ? 'the month below' : 'the next item',
      when: open !== 0 || isByDate,
      run: () => step(1),
    },
    {
      keys: ['m'],
      about: 'go to a month',
      when: open === 0 && isByDate,
      run: () => stage.run(async () => goToMonth(stage, await monthsNow(), sort === '-taken', list.set)),
    },
    {
      keys: ['i'],
      about: 'show the details beside the list, or hide them',
      when: open === 0 && width >= wideColumns,
      run: () => setPane(now => !now),
    },
    { keys: ['R'], about: 'look again', run: () => items.window.reload() },
    ...(open === 0 ? list.keys : []),
  ]
  useKeys({ title: 'Items', bindings: keys }, 'screen', !filter.isTyping)

  if (open !== 0)
    return (
      <>
        <ItemPane
          id={open}
          known={looked}
          width={width}
          height={height - (jobLine === null ? 0 : 1)}
          column={0}
          row={0}
          scrolls
        />
        {jobLine === null ? null : <Row line={jobLine} width={width} />}
      </>
    )

  const collection = collectionId === 0 ? null : (names?.get(collectionId) ?? '')
  const scope: Span[] = collection === null ? [] : [{ text: collection, style: 'bold' }, '  ']
  const told: Span[] =
    q === ''
      ? [{ text: collection === null ? 'Everything' : 'everything', style: 'dim' }]
      : [{ text: '/ ', style: 'bold' }, q]
  const right: Span[] = []
  if (items.marked > 0) right.push({ text: `${figure(items.marked)} marked`, style: 'accent' }, '  ')
  right.push(total === null ? '' : itemsText(total), '  ', { text: order?.words ?? '', style: 'dim' }, ' ')
  const head: readonly Line[] = filter.isTyping ? filter.lines : [spread([' ', ...scope, ...told], right, width)]
  const failed = items.error === null ? null : reasonOf(items.error)
  const empty =
    failed ??
    (total === null
      ? ''
      : q === ''
        ? 'No items yet. Scan a collection: 2, then s.'
        : 'Nothing is found by this filter. / changes it.')

  return (
    <>
      {head.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
        <Row key={at} line={line} width={width} />
      ))}
      <Row line={[]} width={width} />
      <Box height={listHeight + 1} overflow="hidden">
        <Box flexDirection="column" width={listWidth}>
          <Table
            columns={columnsOf(abilities.unicode, names ?? new Map(), listWidth)}
            total={total ?? 0}
            rowAt={items.window.rowAt}
            width={listWidth}
            height={listHeight}
            top={list.top}
            cursor={list.cursor}
            isMarked={items.isMarked}
            onSeen={items.window.see}
            empty={empty}
            {...(order === undefined ? {} : { sortedBy: { id: order.column, down: order.down } })}
          />
        </Box>
        {isWide && here !== undefined ? (
          <Box flexDirection="column" width={paneWidth} marginLeft={1}>
            <ItemPane
              id={here.id}
              known={here}
              width={paneWidth}
              height={listHeight + 1}
              column={listWidth + 1}
              row={head.length + 1}
            />
          </Box>
        ) : null}
      </Box>
      {jobLine === null ? null : (
        <>
          <Row line={[]} width={width} />
          <Row line={jobLine} width={width} />
        </>
      )}
    </>
  )
}
