/** The one table of the administration: columns, rows, what can be done with a row, pages. On a phone it is a list of cards. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { inOrder, nextOrder, type Order, pageOf } from '../state/table-order.ts'
import { phone, windowWidth } from '../state/viewport.ts'
import { PageBar, type Paging } from './pager.tsx'
import { useRowFocus } from './use-row-focus.ts'
import { useSlow } from './use-slow.ts'

export interface Column<Row> {
  /** Unique in its table. */
  name: string
  head: string
  /** null: nothing to say, and no line in a card. */
  cell: (row: Row) => ReactNode
  align?: 'end'
  /** CSS length; columns without one share what is left. */
  width?: string
  /** Hidden in windows narrower than so many pixels. Cards show it all the same. */
  from?: number
  /** Its head sorts by it. */
  compare?: (a: Row, b: Row) => number
  /** In a card: its first line (the first column's place unless another says so), without a label, or not at all. */
  card?: 'title' | 'plain' | 'hidden'
}

export interface DataTableProps<Row> {
  /** Says what it lists, to those who don't see it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** Buttons (`RowAction`) at the row's end. */
  actions?: (row: Row) => ReactNode
  /** CSS length of their column. */
  actionsWidth?: string
  /** What stands under a row, over its whole width: progress, or more of it. */
  below?: (row: Row) => ReactNode
  /** A heading stands before a row whose heading is another than that of the row before it. */
  headingOf?: (row: Row) => string
  /** One line, or an `Empty`. */
  empty: ReactNode
  /** The rows are on their way; those that are there stay meanwhile. */
  loading: boolean
  /** They did not come: a button tries again. */
  onRetry?: () => void
  /** Pages that are loaded one by one. */
  paging?: Paging
  /** All rows are there, and shown in pages of so many. */
  pageSize?: number
}

/** The heading that stands before the row at a place; null: none. */
function headingAt<Row>(
  { rows, headingOf }: Pick<DataTableProps<Row>, 'rows' | 'headingOf'>,
  at: number,
): string | null {
  const [row, before] = [rows[at], rows[at - 1]]
  if (headingOf === undefined || row === undefined) return null
  const heading = headingOf(row)
  return before !== undefined && headingOf(before) === heading ? null : heading
}

const bars = [62, 78, 50, 70, 58]

function Bars({ at }: { at: number }) {
  return <i className="table-bar" style={{ width: `${bars[at % bars.length]}%` }} />
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

function Table<Row>({
  columns,
  order,
  onOrder,
  ...props
}: DataTableProps<Row> & { order: Order; onOrder: (name: string) => void }) {
  const { caption, rows, keyOf, actions, actionsWidth = '112px', below, loading } = props
  const slow = useSlow(loading && rows.length === 0)
  return (
    <table className="grid-table data-table" aria-busy={loading}>
      <caption className="sr-only">{caption}</caption>
      <colgroup>
        {columns.map(({ name, width }) => (
          <col key={name} style={{ width }} />
        ))}
        {actions !== undefined && <col style={{ width: actionsWidth }} />}
      </colgroup>
      <thead>
        <tr>
          {columns.map(column => (
            <Head key={column.name} column={column} order={order} onOrder={onOrder} />
          ))}
          {actions !== undefined && (
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {slow &&
          bars.map((width, row) => (
            <tr key={width}>
              {columns.map(({ name }, at) => (
                <td key={name}>
                  <Bars at={row + at} />
                </td>
              ))}
              {actions !== undefined && <td />}
            </tr>
          ))}
        {rows.map((row, place) => {
          const under = below?.(row) ?? null
          const heading = headingAt(props, place)
          return (
            <Fragment key={keyOf(row)}>
              {heading !== null && (
                <tr className="heading-row">
                  <th scope="rowgroup" colSpan={columns.length + (actions === undefined ? 0 : 1)}>
                    {heading}
                  </th>
                </tr>
              )}
              <tr data-row data-open={under !== null}>
                {columns.map(({ name, align, cell }) => (
                  <td key={name} className={align === 'end' ? 'num' : ''}>
                    {cell(row)}
                  </td>
                ))}
                {actions !== undefined && (
                  <td>
                    <span className="row-actions">{actions(row)}</span>
                  </td>
                )}
              </tr>
              {under !== null && (
                <tr className="under-row">
                  <td colSpan={columns.length + (actions === undefined ? 0 : 1)}>{under}</td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

/** Nothing where the cell has nothing to say. */
function CardLine<Row>({ column: { head, card, cell }, row }: { column: Column<Row>; row: Row }) {
  const content = cell(row)
  if (content === null || content === '') return null
  return (
    <div className="data-card-line">
      {card !== 'plain' && <span className="soft text-xs shrink-0">{head}</span>}
      <div className="min-w-0">{content}</div>
    </div>
  )
}

function Cards<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, actions, below, loading } = props
  const slow = useSlow(loading && rows.length === 0)
  const title = columns.find(({ card }) => card === 'title') ?? columns[0]
  const rest = columns.filter(column => column !== title && column.card !== 'hidden')
  return (
    <>
      {slow && <p className="sr-only">Loading</p>}
      {/* biome-ignore lint/a11y/noRedundantRoles: without bullets it is no list to Safari's screen reader */}
      <ul role="list" aria-label={caption} aria-busy={loading} className="data-cards">
        {slow &&
          bars.slice(0, 3).map((width, at) => (
            <li key={width} aria-hidden="true">
              <Bars at={at} />
              <Bars at={at + 2} />
            </li>
          ))}
        {rows.map((row, place) => {
          const heading = headingAt(props, place)
          return (
            <Fragment key={keyOf(row)}>
              {heading !== null && <li className="heading-row">{heading}</li>}
              <li data-row>
                <div className="data-card-head">
                  <div className="data-card-title">{title?.cell(row)}</div>
                  {actions !== undefined && <div className="row-actions">{actions(row)}</div>}
                </div>
                {rest.map(column => (
                  <CardLine key={column.name} column={column} row={row} />
                ))}
                {below?.(row)}
              </li>
            </Fragment>
          )
        })}
      </ul>
    </>
  )
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  useSignals()
  const { columns, rows, empty, loading, onRetry, paging, pageSize } = props
  const [order, setOrder] = useState<Order>({ by: '', descending: false })
  const [asked, setAsked] = useState(1)
  const focus = useRowFocus()
  const sorted = inOrder(rows, columns.find(({ name }) => name === order.by)?.compare, order.descending)
  const cut = pageSize === undefined ? { rows: sorted, page: 1 } : pageOf(sorted, asked, pageSize)
  const bar =
    paging ??
    (pageSize === undefined ? undefined : { total: rows.length, page: cut.page, size: pageSize, onPage: setAsked })
  const shown = { ...props, rows: cut.rows }
  if (rows.length === 0 && !loading) {
    return (
      <div className="table-empty">
        {onRetry === undefined ? (
          typeof empty === 'string' ? (
            <p>{empty}</p>
          ) : (
            empty
          )
        ) : (
          <button type="button" className="btn btn-quiet" onClick={onRetry}>
            Try again
          </button>
        )}
      </div>
    )
  }
  return (
    <div {...focus}>
      {phone.value ? (
        <Cards {...shown} />
      ) : (
        <Table
          {...shown}
          columns={columns.filter(({ from = 0 }) => windowWidth.value >= from)}
          order={order}
          onOrder={name => setOrder(nextOrder(order, name))}
        />
      )}
      {bar !== undefined && bar.total > Math.min(bar.size, bar.onSize === undefined ? bar.size : 10) && (
        <PageBar {...bar} />
      )}
    </div>
  )
}
