import { describe, expect, test } from 'bun:test'
import { shapeOf } from '../../schema/api/items.ts'
import { positionToShow } from '../../web/gallery/arrangement.ts'
import { withRoom } from '../../web/gallery/timeline/bar-room.ts'
import { layoutGroups, type RowMeasures, ratioOf, widthsOf } from '../../web/gallery/timeline/justified.ts'
import { type TimelineMeasures, timelineRows } from '../../web/gallery/timeline/rows.ts'
import { marksOf } from '../../web/items/scrubber-marks.ts'
import type { MonthShapes } from '../../web/items/shapes.ts'

const rowMeasures: RowMeasures = {
  width: 1124,
  height: 200,
  gap: 4,
  groupGap: 16,
  heading: 40,
  minGroupWidth: 176,
  turned: false,
}

/** The same numbers in each run. */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const cameras = [
  [4000, 3000],
  [3000, 4000],
  [6000, 4000],
  [1920, 1080],
  [1080, 1920],
  [2000, 2000],
] as const
function shapesFrom(random: () => number, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => {
    const [width, height] = cameras[Math.floor(random() * cameras.length)] ?? [1, 1]
    return shapeOf(width, height)
  })
}

describe('a byte for a shape', () => {
  test.each(cameras)('of %d × %d is exact to one per cent', (width, height) => {
    expect(Math.abs(ratioOf(shapeOf(width, height)) / (width / height) - 1)).toBeLessThan(0.01)
  })

  test('stands for 3 : 2 if the size is unknown', () => {
    expect(ratioOf(shapeOf(0, 0))).toBe(1.5)
  })
})

describe('rows of pictures', () => {
  const layouts = [390, 768, 1124, 2200].flatMap(width =>
    [56, 80, 144, 200, 400].map(height => {
      const random = randomFrom(width * height)
      const counts = Array.from({ length: 40 }, () => Math.ceil(random() ** 3 * 30))
      const shapes = shapesFrom(
        random,
        counts.reduce((sum, count) => sum + count, 0),
      )
      const measures = { ...rowMeasures, width, height: Math.min(height, width / 2) }
      return { measures, counts, shapes, layout: layoutGroups(shapes, counts, measures) }
    }),
  )

  test('keep the shape of each picture, and their order', () => {
    for (const { measures, shapes, layout } of layouts) {
      let next = 0
      for (const row of layout.rows) {
        expect(row.first).toBe(next)
        next += row.count
        for (const [at, width] of widthsOf(row, shapes, measures).entries())
          expect(width / row.height / ratioOf(shapes[row.first + at] ?? 0)).toBeCloseTo(1, 5)
      }
      expect(next).toBe(shapes.length)
    }
  })

  test('fill the width within the limits of their height, except the last row of a group', () => {
    for (const { measures, shapes, layout } of layouts) {
      const ends = new Set(layout.headings.map(({ first, count }) => first + count))
      for (const row of layout.rows) {
        const widths = widthsOf(row, shapes, measures)
        const right = row.left + widths.reduce((sum, width) => sum + width, 0) + (row.count - 1) * measures.gap
        expect(right).toBeLessThan(measures.width + 0.5)
        // One or two pictures fill a narrow row even if it is higher.
        if (row.count > 2) expect(row.height).toBeLessThanOrEqual(measures.height * 1.3 + 1e-9)
        expect(row.height).toBeGreaterThanOrEqual(measures.height * 0.7 - 1e-9)
        if (!ends.has(row.first + row.count)) expect(right).toBeGreaterThan(measures.width - 0.5)
      }
    }
  })

  test('are shared by small groups, each below its heading and not narrower than the date', () => {
    const shapes = new Uint8Array(4).fill(shapeOf(3000, 4000))
    const { rows, headings, height } = layoutGroups(shapes, [1, 1, 2], rowMeasures)
    expect(headings.map(({ top, left }) => [top, left])).toEqual([
      [0, 0],
      [0, 192],
      [0, 384],
    ])
    expect(new Set(rows.map(row => row.top))).toEqual(new Set([40]))
    expect(height).toBe(40 + (rows[0]?.height ?? 0) + 4)
  })

  test('are planned together, so that no row is much lower or higher than the others', () => {
    const shapes = new Uint8Array(11).fill(shapeOf(4000, 3000))
    const heights = layoutGroups(shapes, [11], rowMeasures).rows.map(row => Math.round(row.height))
    // If each row were filled before the next one, one picture would be left for the third row.
    expect(heights.every(height => Math.abs(height - 200) < 60)).toBe(true)
  })

  test('show a panorama as wide as the row, and an upright scroll wide enough to be clicked', () => {
    const shapes = Uint8Array.from([shapeOf(30_000, 1000), shapeOf(100, 9000), shapeOf(4000, 3000)])
    const { rows } = layoutGroups(shapes, [3], rowMeasures)
    const widths = rows.flatMap(row => widthsOf(row, shapes, rowMeasures))
    expect(widths[0]).toBeLessThan(rowMeasures.width + 0.01)
    expect(widths[1]).toBeGreaterThanOrEqual(48 * 0.7)
  })

  test('rotate with the pictures', () => {
    const shapes = Uint8Array.from([shapeOf(4000, 3000)])
    const turned = { ...rowMeasures, turned: true }
    const [row] = layoutGroups(shapes, [1], turned).rows
    expect((row === undefined ? [] : widthsOf(row, shapes, turned))[0]).toBeCloseTo(150, -1)
  })
})

describe('the timeline', () => {
  const random = randomFrom(7)
  const months = Array.from({ length: 30 }, (_, n) => ({
    year: 2020 - Math.floor(n / 12),
    month: 12 - (n % 12),
    count: Math.ceil(random() ** 2 * 200),
  }))
  const marks = marksOf(months)
  const measures: TimelineMeasures = { ...rowMeasures, inset: 4, byMonth: false }
  const known = new Map(
    marks.months.map(({ year, month, count }): [string, MonthShapes] => {
      const first = Math.ceil(count / 2)
      const days = [
        { day: 20, count: first },
        { day: 3, count: count - first },
      ].filter(day => day.count > 0)
      return [`${year} ${month}`, { shapes: shapesFrom(random, count), days }]
    }),
  )
  const loaded = timelineRows(marks, ({ year, month }) => known.get(`${year} ${month}`), measures)
  const unloaded = timelineRows(marks, () => undefined, measures)

  test.each([
    ['loaded', loaded],
    ['not loaded', unloaded],
  ])('finds the cards of any range (%s)', (_, rows) => {
    const boxes = Array.from({ length: marks.total }, (_, index) => rows.boxOf(index))
    for (let top = -100; top < rows.height + 100; top += 317) {
      const bottom = top + 600
      const seen = boxes.flatMap((box, index) => (box.top < bottom && box.top + box.height > top ? [index] : []))
      const found = rows.within(top, bottom)
      expect([top, found]).toEqual([top, { first: seen[0] ?? 0, last: seen.at(-1) ?? -1 }])
    }
    expect(Math.max(...boxes.map(box => box.top + box.height))).toBeLessThanOrEqual(rows.height)
    expect(boxes.every(box => box.left >= 4)).toBe(true)
    expect(rows.isLaidOut(5)).toBe(rows === loaded)
  })

  test('has a heading for each day, or for each month', () => {
    const days = loaded.headingsWithin(0, loaded.height)
    expect(days.map(({ first, count }) => [first, count])).toEqual(
      marks.months.flatMap(({ before, year, month }) => {
        const [late = 0, early] = known.get(`${year} ${month}`)?.days.map(day => day.count) ?? []
        return early === undefined
          ? [[before, late]]
          : [
              [before, late],
              [before + late, early],
            ]
      }),
    )
    const byMonth = timelineRows(marks, ({ year, month }) => known.get(`${year} ${month}`), {
      ...measures,
      byMonth: true,
    })
    const headings = byMonth.headingsWithin(0, byMonth.height)
    expect(headings.map(({ year, month, day, count }) => ({ year, month, count, day }))).toEqual(
      months.map(month => ({ ...month, day: null })),
    )
    for (const index of [0, 17, marks.total - 1]) {
      const over = loaded.headingsOver(index)
      expect(over.some(({ first, count }) => first <= index && index < first + count)).toBe(true)
    }
  })

  test('moves the focus to the nearest card above and below, and by screens', () => {
    for (let index = 0; index < marks.total; index += 37) {
      const down = loaded.stepFrom(index, 'down', 800)
      const [from, to] = [loaded.boxOf(index), loaded.boxOf(down)]
      if (down !== index) {
        expect(to.top).toBeGreaterThan(from.top)
        const back = loaded.boxOf(loaded.stepFrom(down, 'up', 800))
        expect(back.top).toBe(from.top)
      }
    }
    expect(loaded.stepFrom(0, 'up', 800)).toBe(0)
    expect(loaded.stepFrom(3, 'left', 800)).toBe(2)
    expect(loaded.stepFrom(marks.total - 1, 'right', 800)).toBe(marks.total - 1)
    const paged = loaded.stepFrom(0, 'pageDown', 800)
    expect(loaded.boxOf(paged).top).toBeGreaterThan(500)
    expect(loaded.stepFrom(paged, 'home', 800)).toBe(0)
    expect(loaded.stepFrom(0, 'end', 800)).toBe(marks.total - 1)
  })

  test('treats the shapes of a month as unknown when its number of items has changed', () => {
    const rows = timelineRows(marks, () => ({ shapes: new Uint8Array(1), days: [{ day: 1, count: 1 }] }), measures)
    expect(rows.count).toBe(marks.total)
    expect(rows.height).toBe(unloaded.height)
  })

  test('leaves room for bars above the first row and below the last', () => {
    const under = withRoom(loaded, 44, 66)
    expect(under.height).toBe(loaded.height + 110)
    expect(under.heading).toBe(loaded.heading + 44)
    for (const index of [0, 17, marks.total - 1]) {
      const box = under.boxOf(index)
      expect(box).toEqual({ ...loaded.boxOf(index), top: loaded.boxOf(index).top + 44 })
      const { first, last } = under.within(box.top, box.top + 1)
      expect(first <= index && index <= last).toBe(true)
      expect(under.headingsOver(index)[0]?.top).toBe((loaded.headingsOver(index)[0]?.top ?? 0) + 44)
    }
    expect(under.headingsWithin(0, 44)).toEqual([])
    expect(positionToShow(0, 500, 390, under)).toBe(0)
  })
})
