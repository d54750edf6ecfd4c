/** The table of the administration: columns, rows, row actions, pages. In narrow places it is a list of cards. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Fragment, type ReactNode, useRef, useState } from 'react'
import { limits } from '../../../schema/limits.ts'
import { baseTexts } from '../../texts/base.ts'
import type { Fact, MenuEntry } from '../layers/menu.tsx'
import { useSlow } from '../time/use-slow.ts'
import { type Retry, TryAgain } from '../try-again.tsx'
import { useElementSize } from '../use-element-size.ts'
import { windowWidth } from '../viewport.ts'
import { columnsThatFit, type FittedColumn, isFolded, minTableWidth } from './fit-columns.ts'
import { PageBar, type Paging } from './page-bar.tsx'
import { pageForNewSize } from './pages.ts'
import { RowMenu } from './row-menu.tsx'
import { inOrder, nextOrder, type Order, pageOf } from './table-order.ts'
import { useRowFocus } from './use-row-focus.ts'

/** Names of columns are unique. Cards show the columns that never drop; the row's menu shows the dropped ones. */
export interface Column<Row> extends FittedColumn {
  head: string
  /**
   * Returns null for an empty cell. `shows(name)`: whether the table shows the column of that name; always false in cards
   * and in the row's menu.
   */
  cell: (row: Row, shows: (name: string) => boolean) => ReactNode
  align?: 'end'
  /** If present, the column's head sorts by it. */
  compare?: (a: Row, b: Row) => number
  /** Layout in a card: 'plain' without a label, 'line' on a separate line. The first column is the card's title. */
  card?: 'plain' | 'line'
}

export interface DataTableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  nameOf: (row: Row) => string
  /** Buttons (`RowAction`) at the row's end. If `folded`, only the first; `menu` then has the others. */
  actions?: (row: Row, folded: boolean) => ReactNode
  /** Width of `actions` in pixels, without the button of the row's menu. */
  actionsWidth?: number
  /** Width of `actions` if `folded`. */
  foldedWidth?: number
  /** Further actions; null if there are none now. */
  menu?: (row: Row, folded: boolean) => readonly MenuEntry[] | null
  /** Columns of the cards, if different from the table's. */
  cardColumns?: readonly Column<Row>[]
  /** Content below a row, across its whole width: progress or details. */
  below?: (row: Row) => ReactNode
  /** A heading is shown before a row whose heading differs from the previous row's. */
  headingOf?: (row: Row) => string
  /** Shown if there are no rows: one line, or an `Empty`. */
  empty: ReactNode
  /** Whether rows are loading; old ones stay meanwhile. */
  loading: boolean
  /** Set after a failure; loads again. */
  onRetry?: (how: Retry) => unknown
  paging?: Paging
  /** Shows `rows` in pages of this size. If it is one of `limits.pageSizes`, the user may choose another. */
  pageSize?: number
}

/** The heading before the row at an index; null for none. */
function headingAt<Row>(
  { rows, headingOf }: Pick<DataTableProps<Row>, 'rows' | 'headingOf'>,
  at: number,
): string | null {
  const [row, before] = [rows[at], rows[at - 1]]
  if (headingOf === undefined || row === undefined) return null
  const heading = headingOf(row)
  return before !== undefined && headingOf(before) === heading ? null : heading
}

const barWidths = [62, 78, 50, 70, 58]

function PlaceholderBar({ at }: { at: number }) {
  return <i className="table-bar" style={{ width: `${barWidths[at % barWidths.length]}%` }} />
}

function Head<Row>({ column, order, onOrder }: { column: Column<Row>; order: Order; onOrder: (name: string) => void }) {
  const sorted = order.by === column.name
  const align = column.align === 'end' ? 'num' : ''
  if (column.compare === undefined) {
    return (
      <th scope="col" className={align}>
        {column.head}
      </th>
    )
  }
  const Arrow = order.descending ? ArrowDown : ArrowUp
  return (
    <th scope="col" className={align} aria-sort={sorted ? (order.descending ? 'descending' : 'ascending') : undefined}>
      <button type="button" className="table-sort" data-sorted={sorted} onClick={() => onOrder(column.name)}>
        {column.align === 'end' && <Arrow size={14} aria-hidden="true" />}
        {column.head}
        {column.align !== 'end' && <Arrow size={14} aria-hidden="true" />}
      </button>
    </th>
  )
}

/** Width of the button that opens a row's menu, in pixels. */
const menuButtonWidth = 46

/** The dropped columns of one row. */
function factsOf<Row>(dropped: readonly Column<Row>[], row: Row): Fact[] {
  return dropped
    .map(({ head, cell }) => ({ head, content: cell(row, () => false) }))
    .filter(({ content }) => content !== null && content !== '')
}

interface ShownProps<Row> extends DataTableProps<Row> {
  dropped: readonly Column<Row>[]
  folded: boolean
}

function Actions<Row>({ row, ...props }: ShownProps<Row> & { row: Row }) {
  const { dropped, folded, nameOf, actions, menu } = props
  return (
    <span className="row-actions">
      {actions?.(row, folded)}
      <RowMenu of={nameOf(row)} facts={factsOf(dropped, row)} entries={menu === undefined ? [] : menu(row, folded)} />
    </span>
  )
}

const hasActions = <Row,>({ actions, menu, dropped }: ShownProps<Row>) =>
  actions !== undefined || menu !== undefined || dropped.length > 0

function Table<Row>({
  order,
  onOrder,
  ...props
}: ShownProps<Row> & { actionsColumnWidth: number; order: Order; onOrder: (name: string) => void }) {
  const { caption, columns, rows, keyOf, actionsColumnWidth, below, loading } = props
  const slow = useSlow(loading && rows.length === 0)
  const hasActionsColumn = hasActions(props)
  const shows = (name: string) => columns.some(column => column.name === name)
  return (
    <table className="grid-table data-table" aria-busy={loading}>
      <caption className="sr-only">{caption}</caption>
      <colgroup>
        {columns.map(({ name, width, grows }) => (
          <col key={name} style={{ width: grows === true ? undefined : width }} />
        ))}
        {hasActionsColumn && <col style={{ width: actionsColumnWidth }} />}
      </colgroup>
      <thead>
        <tr>
          {columns.map(column => (
            <Head key={column.name} column={column} order={order} onOrder={onOrder} />
          ))}
          {hasActionsColumn && (
            <th scope="col">
              <span className="sr-only">{baseTexts.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {slow &&
          barWidths.map((width, row) => (
            <tr key={width}>
              {columns.map(({ name }, at) => (
                <td key={name}>
                  <PlaceholderBar at={row + at} />
                </td>
              ))}
              {hasActionsColumn && <td />}
            </tr>
          ))}
        {rows.map((row, place) => {
          const under = below?.(row) ?? null
          const heading = headingAt(props, place)
          return (
            <Fragment key={keyOf(row)}>
              {heading !== null && (
                <tr className="heading-row">
                  <th scope="rowgroup" colSpan={columns.length + (hasActionsColumn ? 1 : 0)}>
                    {heading}
                  </th>
                </tr>
              )}
              <tr data-row data-open={under !== null}>
                {columns.map(({ name, align, cell }) => (
                  <td key={name} className={align === 'end' ? 'num' : ''}>
                    {cell(row, shows)}
                  </td>
                ))}
                {hasActionsColumn && (
                  <td>
                    <Actions {...props} row={row} />
                  </td>
                )}
              </tr>
              {under !== null && (
                <tr className="under-row">
                  <td colSpan={columns.length + (hasActionsColumn ? 1 : 0)}>{under}</td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

/** A column in a card; hidden if the cell is empty. */
function CardPart<Row>({ column: { head, card, cell }, row }: { column: Column<Row>; row: Row }) {
  const content = cell(row, () => false)
  if (content === null || content === '') return null
  return (
    <div className="data-card-part" data-line={card === 'line'}>
      {card !== 'plain' && <span className="soft shrink-0">{head}</span>}
      <div className="min-w-0">{content}</div>
    </div>
  )
}

function Cards<Row>(props: ShownProps<Row>) {
  const { caption, columns, rows, keyOf, below, loading } = props
  const slow = useSlow(loading && rows.length === 0)
  const [title, ...rest] = columns
  return (
    <>
      {slow && <p className="sr-only">{baseTexts.loading}</p>}
      {/* biome-ignore lint/a11y/noRedundantRoles: without bullets Safari's screen reader needs the role */}
      <ul role="list" aria-label={caption} aria-busy={loading} className="data-cards">
        {slow &&
          barWidths.slice(0, 3).map((width, at) => (
            <li key={width} aria-hidden="true">
              <PlaceholderBar at={at} />
              <PlaceholderBar at={at + 2} />
            </li>
          ))}
        {rows.map((row, place) => {
          const heading = headingAt(props, place)
          return (
            <Fragment key={keyOf(row)}>
              {heading !== null && <li className="heading-row">{heading}</li>}
              <li data-row>
                <div className="data-card-head">
                  <div className="min-w-0 flex-1">
                    <div className="data-card-title">{title?.cell(row, () => false)}</div>
                    <div className="data-card-parts">
                      {rest.map(column => (
                        <CardPart key={column.name} column={column} row={row} />
                      ))}
                    </div>
                  </div>
                  {hasActions(props) && <Actions {...props} row={row} />}
                </div>
                {below?.(row)}
              </li>
            </Fragment>
          )
        })}
      </ul>
    </>
  )
}

function fitTable<Row>(room: number, props: DataTableProps<Row>) {
  const { columns, cardColumns, menu, actions } = props
  const folded = isFolded(room)
  if (room < minTableWidth) {
    const shown = cardColumns ?? columns.filter(({ drops }) => drops === undefined)
    const dropped = cardColumns === undefined ? columns.filter(({ drops }) => drops !== undefined) : []
    return { columns: shown, dropped, folded, actionsColumnWidth: 0 }
  }
  const { actionsWidth = actions === undefined ? 16 : 112, foldedWidth = actionsWidth } = props
  const buttons = folded ? foldedWidth : actionsWidth
  const some = columnsThatFit(columns, room, menu === undefined ? buttons : buttons + menuButtonWidth)
  const isFinal = menu !== undefined || some.length === columns.length
  const shown = isFinal ? some : columnsThatFit(columns, room, buttons + menuButtonWidth)
  const dropped = columns.filter(column => !shown.includes(column))
  const hasMenu = menu !== undefined || dropped.length > 0
  return { columns: shown, dropped, folded, actionsColumnWidth: hasMenu ? buttons + menuButtonWidth : buttons }
}

/** Paging of rows that are all loaded. */
function pagingOf(
  total: number,
  page: number,
  size: number,
  onPage: (page: number) => void,
  setSize: (size: number) => void,
): Paging {
  const onSize = (next: number) => {
    setSize(next)
    onPage(pageForNewSize(page, size, next))
  }
  return { total, page, size, onPage, ...(limits.pageSizes.some(choice => choice === size) ? { onSize } : {}) }
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  useSignals()
  const { columns, rows, empty, loading, onRetry, paging, pageSize } = props
  const [size, setSize] = useState(pageSize)
  const [order, setOrder] = useState<Order>({ by: '', descending: false })
  const [requestedPage, setRequestedPage] = useState(1)
  const focus = useRowFocus()
  const ref = useRef<HTMLDivElement>(null)
  // On the first render the width is not measured yet.
  const room = useElementSize(ref).width || windowWidth.value
  const sorted = inOrder(rows, columns.find(({ name }) => name === order.by)?.compare, order.descending)
  const cut = size === undefined ? { rows: sorted, page: 1 } : pageOf(sorted, requestedPage, size)
  const bar =
    paging ?? (size === undefined ? undefined : pagingOf(rows.length, cut.page, size, setRequestedPage, setSize))
  const shown = { ...props, ...fitTable(room, props), rows: cut.rows }
  if (rows.length === 0 && !loading) {
    return (
      <div ref={ref} className="table-empty">
        {onRetry === undefined ? typeof empty === 'string' ? <p>{empty}</p> : empty : <TryAgain again={onRetry} />}
      </div>
    )
  }
  return (
    <div ref={ref}>
      <div {...focus}>
        {room < minTableWidth ? (
          <Cards {...shown} />
        ) : (
          <Table {...shown} order={order} onOrder={name => setOrder(nextOrder(order, name))} />
        )}
      </div>
      {bar !== undefined && bar.total > Math.min(bar.size, bar.onSize === undefined ? bar.size : 10) && (
        <PageBar {...bar} />
      )}
    </div>
  )
}
