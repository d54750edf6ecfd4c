import { describe, expect, test } from 'bun:test'
import { formatLine, lineWidth } from '../../ink-tui/line.ts'
import { createPaces } from '../../ink-tui/parts/bar.ts'
import { activeLine } from '../../ink-tui/parts/job-line.ts'
import { firstVisibleRow } from '../../ink-tui/parts/list.ts'
import { shareRows } from '../../ink-tui/parts/sections.ts'
import { type Column, layColumns, rowLine } from '../../ink-tui/parts/table.tsx'
import { abilitiesOf } from '../../ink-tui/terminal/terminal.ts'
import type { Job } from '../../schema/api/jobs.ts'

const columns: Column<string>[] = [
  { id: 'name', title: 'name', width: 'rest', least: 14, cell: name => name },
  { id: 'items', title: 'items', width: 11, align: 'end', cell: () => '18,412' },
  { id: 'scan', title: 'last scan', width: 16, drop: 1, cell: () => 'Today 09:12' },
  { id: 'state', title: 'state', width: 15, drop: 2, cell: () => 'up to date' },
]

describe('columns', () => {
  const shown = (width: number) => layColumns(columns, width).map(({ column }) => column.id)
  test('are dropped where there is no room, the least important first', () => {
    expect(shown(80)).toEqual(['name', 'items', 'scan', 'state'])
    expect(shown(60)).toEqual(['name', 'items', 'scan'])
    expect(shown(40)).toEqual(['name', 'items'])
  })

  test('a row fits the width whatever it contains', () => {
    for (const width of [40, 60, 80, 120, 200])
      for (const name of ['Family', '北京的春天和夏天'.repeat(12), 'صور العائلة', '👍🏽'.repeat(50)])
        expect(lineWidth(rowLine(layColumns(columns, width), name, 0, [' ', ' ', ' ']))).toBeLessThanOrEqual(width)
  })
})

test('keeps the cursor visible and scrolls as little as possible', () => {
  expect(firstVisibleRow(0, 0, 100, 10)).toBe(0)
  expect(firstVisibleRow(10, 0, 100, 10)).toBe(1)
  expect(firstVisibleRow(5, 1, 100, 10)).toBe(1)
  expect(firstVisibleRow(99, 0, 100, 10)).toBe(90)
  expect(firstVisibleRow(3, 50, 5, 10)).toBe(0)
  expect(firstVisibleRow(0, 0, 0, 10)).toBe(0)
})

test('sections share the rows; the least important are dropped first', () => {
  const sections = [
    { wanted: 10, least: 4 },
    { wanted: 3, least: 1, drop: 1 },
    { wanted: 8, least: 2, drop: 2 },
    { wanted: 20, least: 2, drop: 3 },
  ]
  expect(shareRows(sections, 40)).toEqual([10, 3, 8, 12])
  expect(shareRows(sections, 18)).toEqual([6, 1, 2, 2])
  expect(shareRows(sections, 14)).toEqual([6, 1, 2, null])
  expect(shareRows(sections, 9)).toEqual([5, 1, null, null])
  expect(shareRows(sections, 5)).toEqual([4, null, null, null])
  for (let rows = 3; rows < 60; rows++) {
    const shared = shareRows(sections, rows).filter(one => one !== null)
    expect(shared.reduce((sum, one) => sum + one + 2, -1)).toBeLessThanOrEqual(Math.max(rows, 2))
  }
})

const job: Job = {
  id: 1,
  kind: 'scan',
  collection_id: 1,
  state: 'running',
  done: 18_204,
  total: 52_310,
  message: '',
  counts: {},
  problems: 0,
  error: null,
  created: 0,
  started: 0,
  finished: null,
}

describe('a job', () => {
  const line = (width: number, more: Partial<Job> = {}) =>
    Bun.stripANSI(
      formatLine(
        activeLine(
          { ...job, ...more },
          {
            paces: { pace: () => ({ rate: 412, left: 83 }), keepOnly() {} },
            active: [{ ...job, id: 2, collection_id: 2 }],
            nameOf: id => (id === 1 ? 'Holidays' : 'Family'),
            now: 0,
            // The line leaves room for the cursor before it and a column after it.
            width: width + 4,
            signs: { full: '=', empty: '-' },
          },
        ),
        0,
      ),
    )

  test('is one line with bar, share, figures, rate and time left', () => {
    expect(line(96)).toMatch(/^Scan of Holidays +=+-+ {2}34 % {2}18,204 of 52,310 +412\/s {2}1 min 23 s left$/)
    expect(line(96, { state: 'queued' })).toMatch(/^Scan of Holidays +-+ +waits for the scan of Family$/)
    expect(line(96, { done: 300, total: null, counts: { found: 300 } })).toContain('300 files found')
  })

  test('drops the rate and the remaining time first in a narrow window', () => {
    expect(line(76)).toContain('412/s')
    expect(line(60)).not.toContain('412/s')
    expect(line(60)).toContain('18,204 of 52,310')
    for (const width of [36, 56, 76, 96, 196]) expect(lineWidth([line(width)])).toBeLessThanOrEqual(width)
  })

  test('measures its rate over the last seconds, and shows the time left after five seconds', () => {
    const paces = createPaces()
    expect(paces.pace(1, 0, 1000, 0)).toEqual({ rate: null, left: null })
    expect(paces.pace(1, 100, 1000, 2000)).toEqual({ rate: 50, left: null })
    // The rate is updated at most once a second.
    expect(paces.pace(1, 500, 1000, 2500)).toEqual({ rate: 50, left: null })
    expect(paces.pace(1, 500, 1000, 10_000)).toEqual({ rate: 50, left: 10 })
    // If a job starts to count from zero again, so does the measurement of its rate.
    expect(paces.pace(1, 10, 1000, 12_000).rate).toBeNull()
  })
})

test('reads the abilities of a terminal from the environment', () => {
  const of = (environment: Record<string, string>) => {
    const { colours, unicode, multiplexer } = abilitiesOf(environment)
    return { colours, unicode, multiplexer }
  }
  expect(of({ TERM: 'xterm-256color', LANG: 'de_DE.UTF-8' })).toEqual({
    colours: 256,
    unicode: true,
    multiplexer: null,
  })
  expect(of({ TERM: 'xterm-256color', COLORTERM: 'truecolor' }).colours).toBe(16_777_216)
  expect(of({ TERM: 'xterm-kitty' }).colours).toBe(16_777_216)
  expect(of({ TERM: 'linux', LANG: 'C.UTF-8' })).toEqual({ colours: 16, unicode: false, multiplexer: null })
  expect(of({ TERM: 'xterm', LANG: 'de_DE.ISO-8859-1' }).unicode).toBe(false)
  expect(of({ TERM: 'xterm-256color', NO_COLOR: '1' }).colours).toBe(0)
  expect(of({ TERM: 'tmux-256color', TMUX: '/tmp/x' })).toEqual({ colours: 256, unicode: true, multiplexer: 'tmux' })
  expect(of({ TERM: 'screen' })).toEqual({ colours: 16, unicode: true, multiplexer: 'screen' })
})
