/** Which entries are rendered: the visible ones, and some beyond, so that thumbnails load in time. Pure. */

export interface Layout {
  count: number
  columns: number
  /** Height of a row in pixels. */
  row: number
  /** Width of a cell with its gap in pixels; in a list, a cell is the whole row. */
  cell: number
  inset: number
}

export interface ScrollView {
  top: number
  height: number
  /** Pixels rendered beyond the view. */
  ahead: number
}

const rowsOf = ({ count, columns }: Pick<Layout, 'count' | 'columns'>): number => Math.ceil(count / columns)

export const heightOf = (layout: Layout): number => rowsOf(layout) * layout.row + 2 * layout.inset

/** Index of the first rendered entry, and the index after the last. */
export function renderedRange(layout: Layout, { top, height, ahead }: ScrollView): { from: number; to: number } {
  const { columns, row, inset, count } = layout
  const first = Math.max(0, Math.floor((top - ahead - inset) / row))
  const after = Math.max(first, Math.ceil((top + height + ahead - inset) / row))
  return { from: Math.min(count, first * columns), to: Math.min(count, after * columns) }
}

export const topOf = ({ inset, row, columns }: Layout, at: number): number => inset + Math.floor(at / columns) * row

/** The scroll position that makes an entry visible; unchanged if it is visible. */
export function scrollTopFor(layout: Layout, at: number, { top, height }: Omit<ScrollView, 'ahead'>): number {
  const start = topOf(layout, at)
  if (start < top) return Math.max(0, start - layout.inset)
  const end = start + layout.row + layout.inset
  return end > top + height ? end - height : top
}

export interface SelectionBox {
  left: number
  top: number
  right: number
  bottom: number
}

/** Indices of the entries that a box touches. Its sides are measured in the scrolled content, from the inline start. */
export function touchedBy(layout: Layout, box: SelectionBox): number[] {
  const { columns, row, cell, inset, count } = layout
  const firstRow = Math.max(0, Math.floor((box.top - inset) / row))
  const lastRow = Math.min(rowsOf(layout) - 1, Math.floor((box.bottom - inset) / row))
  const firstColumn = columns === 1 ? 0 : Math.max(0, Math.floor((box.left - inset) / cell))
  const lastColumn = columns === 1 ? 0 : Math.min(columns - 1, Math.floor((box.right - inset) / cell))
  const touched: number[] = []
  for (let line = firstRow; line <= lastRow; line++) {
    for (let column = firstColumn; column <= lastColumn; column++) {
      const at = line * columns + column
      if (at < count) touched.push(at)
    }
  }
  return touched
}
