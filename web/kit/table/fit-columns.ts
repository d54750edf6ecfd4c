/** Which columns of a table have room. Pure. */

export interface FittedColumn {
  name: string
  /** Pixels. Columns without one share what is left, and have `nameLeast` at least. */
  width?: number
  /** It shares what is left although it has a width, which is then the least. */
  grows?: boolean
  /** Left out when there is no room, lowest first. Columns without it stay. */
  drops?: number
}

/** The least width of the column that names the row, in pixels. */
const nameLeast = 200
/** Below this width of a table, rows are cards: 640, less what a scrollbar takes. */
export const tableLeast = 620
/** Below this width, row actions fold into the row's menu. */
const foldsBelow = 720

export const isFolded = (room: number): boolean => room < foldsBelow

/** What is left of the columns: whole ones go until the others fit beside the row's actions. */
export function columnsThatFit<Column extends FittedColumn>(
  columns: readonly Column[],
  room: number,
  actions: number,
): Column[] {
  const byImportance = columns
    .filter(({ drops }) => drops !== undefined)
    .sort((a, b) => (a.drops ?? 0) - (b.drops ?? 0))
  let kept = [...columns]
  for (const least of byImportance) {
    if (kept.reduce((sum, { width = nameLeast }) => sum + width, actions) <= room) break
    kept = kept.filter(column => column !== least)
  }
  return kept
}
