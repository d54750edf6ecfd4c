import { expect, test } from 'bun:test'
import { inOrder, nextOrder, pageOf } from '../../web/kit/table/table-order.ts'

test('a press on a head sorts up, the next one down, and another head starts again', () => {
  const first = nextOrder({ by: '', descending: false }, 'name')
  expect(first).toEqual({ by: 'name', descending: false })
  expect(nextOrder(first, 'name')).toEqual({ by: 'name', descending: true })
  expect(nextOrder(nextOrder(first, 'name'), 'name')).toEqual({ by: 'name', descending: false })
  expect(nextOrder({ by: 'name', descending: true }, 'items')).toEqual({ by: 'items', descending: false })
})

test('rows that are equal stay as they came, both ways', () => {
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

test('a page that is gone shows the last one', () => {
  const rows = Array.from({ length: 31 }, (_, at) => at)
  expect(pageOf(rows, 3, 15)).toEqual({ rows: [30], page: 3 })
  expect(pageOf(rows.slice(0, 30), 3, 15)).toEqual({ rows: rows.slice(15, 30), page: 2 })
  expect(pageOf([], 1, 15)).toEqual({ rows: [], page: 1 })
})
