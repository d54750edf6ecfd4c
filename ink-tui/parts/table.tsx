/** Rows in aligned columns: only visible rows are made; columns that do not fit are dropped. */
import { type ReactElement, useEffect } from 'react'
import { fillLine, type Line, type Span, type Style } from '../line.ts'
import { safe, wrap } from '../text.ts'
import { useUi } from '../ui.ts'
import { Row, Rows, rowPrefix } from './rows.tsx'
import { dropUntilTheyFit } from './sections.ts'

export interface Column<T> {
  id: string
  title: string
  /** Columns of the terminal; 'rest': the remaining width, at least `least`. */
  width: number | 'rest'
  least?: number
  align?: 'end'
  /** In narrow tables, columns with the highest value are dropped first; columns without it stay. */
  drop?: number
  /** Style of a cell that is plain text. */
  style?: Style
  /** `width`: width of the cell in columns. */
  cell(row: T, index: number, width: number): Span | Line
}

const gap = 3
/** Columns for the cursor's sign and the mark. */
const gutter = 3

export interface LaidColumn<T> {
  column: Column<T>
  width: number
}

export function layColumns<T>(columns: readonly Column<T>[], width: number): LaidColumn<T>[] {
  const widthFor = (some: readonly Column<T>[]) =>
    gutter +
    some.reduce((sum, { width: own, least = 12 }) => sum + (own === 'rest' ? least : own), 0) +
    gap * Math.max(0, some.length - 1) +
    1
  const shown = dropUntilTheyFit(columns, widthFor, width)
  const spare = width - widthFor(shown)
  const rests = shown.filter(({ width: own }) => own === 'rest').length
  return shown.map(column => {
    const { width: own, least = 12 } = column
    if (own !== 'rest') return { column, width: own }
    return { column, width: Math.max(4, least + Math.floor(spare / rests)) }
  })
}

function isLine(cell: Span | Line): cell is Line {
  return Array.isArray(cell)
}

function cellLine<T>(column: Column<T>, row: T, index: number, width: number): Line {
  const cell = column.cell(row, index, width)
  const line: Line = isLine(cell) ? cell : [cell]
  const { style } = column
  return style === undefined ? line : line.map(span => (typeof span === 'string' ? { text: span, style } : span))
}

export function rowLine<T>(laid: readonly LaidColumn<T>[], row: T, index: number, lead: Line, strong = false): Line {
  const cells = laid.flatMap(({ column, width }, at): Span[] => {
    const cell = fillLine(cellLine(column, row, index, width), width, column.align ?? 'start')
    const styled =
      strong && at === 0 ? cell.map(span => (typeof span === 'string' ? { text: span, bold: true } : span)) : cell
    return at === 0 ? [...styled] : [' '.repeat(gap), ...styled]
  })
  return [...lead, ...cells]
}

export interface TableProps<T> {
  columns: readonly Column<T>[]
  total: number
  /** Returns the row at an index; undefined while loading. */
  rowAt(index: number): T | undefined
  width: number
  /** Number of visible rows, without the heading. */
  height: number
  top: number
  cursor: number
  /** Heading above the first column, instead of its title. */
  title?: string
  isMarked?(row: T, index: number): boolean
  /** Whether the cursor is hidden. */
  isCursorHidden?: boolean
  /** Shown if there are no rows. */
  empty?: string
  /** Called with the visible rows, `first` to `first + count`, to load them. */
  onSeen?(first: number, count: number): void
  sortedBy?: { id: string; down: boolean }
}

export function Table<T>(props: TableProps<T>): ReactElement {
  const {
    columns,
    total,
    rowAt,
    width,
    height,
    top,
    cursor,
    title,
    isMarked,
    isCursorHidden = false,
    empty,
    onSeen,
  } = props
  const { signs } = useUi().terminal
  const laid = layColumns(columns, width)
  const count = Math.max(0, Math.min(height, total - top))
  useEffect(() => onSeen?.(top, count))

  const heading: Line = [
    ' ',
    ...laid.flatMap(({ column, width: own }, at): Span[] => {
      const sorted = props.sortedBy?.id === column.id ? ` ${props.sortedBy.down ? signs.down : signs.up}` : ''
      const text = (at === 0 && title !== undefined ? title : column.title) + sorted
      const first = at === 0
      const isTitle = first && title !== undefined
      const lead = first && !isTitle ? ' '.repeat(gutter - 1) : ''
      const cell = fillLine(
        [lead, { text, style: isTitle ? 'bold' : 'dim' }],
        own + (first ? gutter - 1 : 0),
        column.align ?? 'start',
      )
      return first ? [...cell] : [' '.repeat(gap), ...cell]
    }),
  ]
  const lines = Array.from({ length: count }, (_, at) => {
    const index = top + at
    const row = rowAt(index)
    const isChosen = index === cursor && !isCursorHidden
    const marked = row !== undefined && isMarked?.(row, index) === true
    const lead = rowPrefix(signs, isChosen, marked)
    const line =
      row === undefined ? [...lead, { text: '…', style: 'dim' as const }] : rowLine(laid, row, index, lead, isChosen)
    return <Row key={index} line={line} width={width} isHighlighted={isChosen} />
  })
  return (
    <>
      <Row line={heading} width={width} />
      {lines}
      {total === 0 && empty !== undefined ? (
        <Rows
          lines={wrap(safe(empty), width - 4).map((text): Line => ['   ', { text, style: 'dim' }])}
          width={width}
          height={height}
        />
      ) : null}
    </>
  )
}
