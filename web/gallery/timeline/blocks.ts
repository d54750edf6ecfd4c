/** Divides the timeline into blocks of one or more whole months, which are laid out independently. Pure. */
import type { Marks, Month } from '../../items/scrubber-marks.ts'
import type { MonthShapes } from '../../items/shapes.ts'
import { layoutGroups, type RowLayout, type RowMeasures } from './justified.ts'

/** Months with few pictures share a block, and so rows: a block gets further months until it has this many pictures. */
const minBlockSize = 60

/** The pictures under one heading. `day` is null if that is a whole month. */
export interface Group {
  year: number
  month: number
  day: number | null
  count: number
}

export interface Block {
  /** Index of its first picture in the list. */
  first: number
  count: number
  /** Pixels from the start of the timeline. */
  top: number
  height: number
  /** A byte for each picture, see `ratioOf`; empty while the shapes are unknown. */
  shapes: Uint8Array
  groups: readonly Group[]
  layout: () => RowLayout
}

type BlockContent = Pick<Block, 'height' | 'shapes' | 'groups' | 'layout'>

/** A block whose shapes are unknown: all pictures are 3 : 2, as `widthsOf` assumes for missing shapes. */
function placeholderBlock({ year, month }: Month, count: number, measures: RowMeasures): BlockContent {
  const perRow = Math.max(1, Math.round((measures.width + measures.gap) / (measures.height * 1.5 + measures.gap)))
  const rowHeight = Math.min(measures.height, (measures.width - (perRow - 1) * measures.gap) / (1.5 * perRow))
  const rowCount = Math.ceil(count / perRow)
  const height = measures.heading + rowCount * (rowHeight + measures.gap)
  const rowAt = (n: number) => ({
    first: n * perRow,
    count: Math.min(perRow, count - n * perRow),
    top: measures.heading + n * (rowHeight + measures.gap),
    left: 0,
    height: rowHeight,
  })
  let layout: RowLayout | null = null
  return {
    height,
    shapes: new Uint8Array(0),
    groups: [{ year, month, day: null, count }],
    layout() {
      layout ??= {
        rows: Array.from({ length: rowCount }, (_, n) => rowAt(n)),
        headings: [{ group: 0, first: 0, count, top: 0, left: 0, width: measures.width }],
        height,
      }
      return layout
    },
  }
}

/** Cached blocks, by the shapes of their first month. */
const loadedBlocks = new WeakMap<MonthShapes, { parts: readonly MonthShapes[]; key: string; block: BlockContent }>()

/** A block whose shapes are known; null without months. `parts`: the shapes of each month. */
function loadedBlock(
  months: readonly Month[],
  parts: readonly MonthShapes[],
  measures: RowMeasures,
  byMonth: boolean,
): BlockContent | null {
  const [first] = parts
  if (first === undefined) return null
  const key = JSON.stringify([measures, byMonth])
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
  const layout = layoutGroups(shapes, counts, measures)
  const block = { height: layout.height, shapes, groups, layout: () => layout }
  loadedBlocks.set(first, { parts, key, block })
  return block
}

/** The months of each block, in the order of the list. */
function monthsByBlock({ months }: Marks): Marks['months'][] {
  const blocks: Marks['months'][number][][] = []
  let size = minBlockSize
  for (const month of months) {
    if (size >= minBlockSize) {
      blocks.push([])
      size = 0
    }
    blocks.at(-1)?.push(month)
    size += month.count
  }
  return blocks
}

/** `byMonth`: whether pictures are grouped by month, not by day. */
export function blocksOf(
  marks: Marks,
  shapesOf: (month: Month) => MonthShapes | undefined,
  measures: RowMeasures,
  byMonth: boolean,
): Block[] {
  let top = 0
  return monthsByBlock(marks).flatMap(months => {
    const [newest] = months
    if (newest === undefined) return []
    const count = months.reduce((sum, month) => sum + month.count, 0)
    // Shapes that were loaded before a month's number of items changed are ignored.
    const parts = months.flatMap(month => {
      const shapes = shapesOf(month)
      return shapes?.shapes.length === month.count ? [shapes] : []
    })
    const known = parts.length === months.length ? loadedBlock(months, parts, measures, byMonth) : null
    const block = { first: newest.before, count, top, ...(known ?? placeholderBlock(newest, count, measures)) }
    top += block.height
    return [block]
  })
}
