/** Which columns of a table fit. Pure. */

export interface FittedColumn {
  name: string
  /** Pixels. Columns without a width share the rest, with at least `minNameWidth`. */
  width?: number
  /** Whether the column also shares the rest, so that its width is the minimum. */
  grows?: boolean
  /** Order in which columns are dropped, lowest first. Columns without it stay. */
  drops?: number
}

/** Minimum width of the column that names the row, in pixels. */
const minNameWidth = 200
/** Below this width of a table, rows become cards: 640, minus a scrollbar. */
export const minTableWidth = 620
/** Below this width, row actions fold into the row's menu. */
const foldsBelow = 720

export const isFolded = (room: number): boolean => room < foldsBelow

/** The columns that fit beside the row's actions; others are dropped entirely. */
export function columnsThatFit<Column extends FittedColumn>(
  columns: readonly Column[],
  room: number,
  actionsWidth: number,
): Column[] {
  const byImportance = columns
    .filter(({ drops }) => drops !== undefined)
    .sort((a, b) => (a.drops ?? 0) - (b.drops ?? 0))
  let kept = [...columns]
  for (const least of byImportance) {
    if (kept.reduce((sum, { width = minNameWidth }) => sum + width, actionsWidth) <= room) break
    kept = kept.filter(column => column !== least)
  }
  return kept
}
