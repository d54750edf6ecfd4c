/** The timeline in blocks of one or more whole months; a block is laid out when the shapes of its months are known. Pure. */
import type { Marks, Month } from '../../items/scrubber-marks.ts'
import type { MonthShapes } from '../../items/shapes.ts'
import { layoutGroups, type RowLayout, type RowMeasures } from './justified.ts'

/** A month is in the same block as the months before it until those have this many pictures, so that they share rows. */
const minBlockSize = 60

/** Pictures under one heading. `day` is null for a whole month. */
export interface Group {
  year: number
  month: number
  day: number | null
  count: number
}

export interface Block {
  /** Its first picture, as an index of the list. */
  first: number
  count: number
  /** Logical pixels. */
  top: number
  height: number
  /** A byte for each picture; empty while the shapes are not known. */
  shapes: Uint8Array
  groups: readonly Group[]
  layout: () => RowLayout
}

type BlockContent = Pick<Block, 'height' | 'shapes' | 'groups' | 'layout'>

/** Until shapes are known, pictures stand in even rows of 3 : 2, as `widthsOf` takes missing shapes. */
function placeholderBlock({ year, month }: Month, count: number, of: RowMeasures): BlockContent {
  const perRow = Math.max(1, Math.round((of.width + of.gap) / (of.height * 1.5 + of.gap)))
  const rowHeight = Math.min(of.height, (of.width - (perRow - 1) * of.gap) / (1.5 * perRow))
  const rowCount = Math.ceil(count / perRow)
  const height = of.heading + rowCount * (rowHeight + of.gap)
  const rowAt = (n: number) => ({
    first: n * perRow,
    count: Math.min(perRow, count - n * perRow),
    top: of.heading + n * (rowHeight + of.gap),
    left: 0,
    height: rowHeight,
  })
  let made: RowLayout | null = null
  return {
    height,
    shapes: new Uint8Array(0),
    groups: [{ year, month, day: null, count }],
    layout() {
      made ??= {
        rows: Array.from({ length: rowCount }, (_, n) => rowAt(n)),
        headings: [{ group: 0, first: 0, count, top: 0, left: 0, width: of.width }],
        height,
      }
      return made
    },
  }
}

/** Blocks that were made last, by the shapes of their first month. */
const loadedBlocks = new WeakMap<MonthShapes, { parts: readonly MonthShapes[]; key: string; block: BlockContent }>()

function loadedBlock(
  months: readonly Month[],
  parts: readonly MonthShapes[],
  of: RowMeasures,
  byMonth: boolean,
): BlockContent | null {
  const [first] = parts
  if (first === undefined) return null
  const key = JSON.stringify([of, byMonth])
  const cached = loadedBlocks.get(first)
  if (cached?.key === key && parts.every((part, n) => part === cached.parts[n])) return cached.block
  const groups = months.flatMap(({ year, month, count }, n): Group[] =>
    byMonth
      ? [{ year, month, day: null, count }]
      : (parts[n]?.days ?? []).map(({ day, count: inDay }) => ({ year, month, day, count: inDay })),
  )
  const shapes = new Uint8Array(parts.reduce((sum, part) => sum + part.shapes.length, 0))
  let at = 0
  for (const part of parts) {
    shapes.set(part.shapes, at)
    at += part.shapes.length
  }
  const counts = groups.map(({ count }) => count)
  const layout = layoutGroups(shapes, counts, of)
  const block = { height: layout.height, shapes, groups, layout: () => layout }
  loadedBlocks.set(first, { parts, key, block })
  return block
}

/** Whole months, in the order of the list, that belong into one block each. */
function monthsByBlock({ months }: Marks): Marks['months'][] {
  const runs: Marks['months'][number][][] = []
  let size = minBlockSize
  for (const month of months) {
    if (size >= minBlockSize) {
      runs.push([])
      size = 0
    }
    runs.at(-1)?.push(month)
    size += month.count
  }
  return runs
}

export function blocksOf(
  marks: Marks,
  shapesOf: (month: Month) => MonthShapes | undefined,
  of: RowMeasures,
  byMonth: boolean,
): Block[] {
  let top = 0
  return monthsByBlock(marks).flatMap(months => {
    const [newest] = months
    if (newest === undefined) return []
    const count = months.reduce((sum, month) => sum + month.count, 0)
    // Shapes from before a change of the month do not fit any more.
    const parts = months.flatMap(month => {
      const shapes = shapesOf(month)
      return shapes?.shapes.length === month.count ? [shapes] : []
    })
    const known = parts.length === months.length ? loadedBlock(months, parts, of, byMonth) : null
    const block = { first: newest.before, count, top, ...(known ?? placeholderBlock(newest, count, of)) }
    top += block.height
    return [block]
  })
}
