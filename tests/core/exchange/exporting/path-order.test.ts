import { expect, test } from 'bun:test'
import { inPathOrder } from '../../../../core/exchange/exporting/export-collection.ts'

const files: Record<string, string[]> = {
  '': ['z.jpg', '2012.jpg', 'a.jpg'],
  '2012': ['b.jpg', 'a.jpg'],
  '2012/x': ['1.jpg'],
  '2012-1': ['q.jpg'],
  // The parent directory has no files, and so no row.
  'deep/deeper': ['d.jpg'],
}

test('items are sorted by their whole paths', () => {
  const dirs = Object.keys(files).map((path, id) => ({ id, path }))
  const rows = inPathOrder(dirs, ({ id, path }) => (files[path] ?? []).map((name, n) => ({ id: id * 10 + n, name })))
  const paths = [...rows].map(({ dir, name }) => (dir === '' ? name : `${dir}/${name}`))
  expect(paths).toEqual([...paths].sort())
  expect(paths).toHaveLength(8)
})
