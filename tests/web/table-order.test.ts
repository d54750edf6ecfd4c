import { expect, test } from 'bun:test'
import { inOrder, nextOrder, pageOf } from '../../web/kit/table/table-order.ts'

test('pressing a column heading sorts ascending, then descending; another heading starts ascending', () => {
  const first = nextOrder({ by: '', descending: false }, 'name')
  expect(first).toEqual({ by: 'name', descending: false })
  expect(nextOrder(first, 'name')).toEqual({ by: 'name', descending: true })
  expect(nextOrder(nextOrder(first, 'name'), 'name')).toEqual({ by: 'name', descending: false })
  expect(nextOrder({ by: 'name', descending: true }, 'items')).toEqual({ by: 'items', descending: false })
})

test('equal rows keep their order in both directions', () => {
  const rows = [
    { name: 'b', n: 1 },
    { name: 'a', n: 2 },
    { name: 'c', n: 1 },
  ]
  const names = (descending: boolean) => inOrder(rows, (a, b) => a.n - b.n, descending).map(({ name }) => name)
  expect(names(false)).toEqual(['b', 'c', 'a'])
  expect(names(true)).toEqual(['a', 'b', 'c'])
  expect(inOrder(rows, undefined, true)).toBe(rows)
})

test('shows the last page instead of one that no longer exists', () => {
  const rows = Array.from({ length: 31 }, (_, at) => at)
  expect(pageOf(rows, 3, 15)).toEqual({ rows: [30], page: 3 })
  expect(pageOf(rows.slice(0, 30), 3, 15)).toEqual({ rows: rows.slice(15, 30), page: 2 })
  expect(pageOf([], 1, 15)).toEqual({ rows: [], page: 1 })
})
