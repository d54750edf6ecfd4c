import { expect, test } from 'bun:test'
import { flatOptions, treeOfOptions } from '../../schema/api/parts/option-tree.ts'

test.each([
  [{}, []],
  [{ size: 3 }, [['size', 3]]],
  [
    { a: { b: { c: 'x' }, d: true }, e: 1 },
    [
      ['a.b.c', 'x'],
      ['a.d', true],
      ['e', 1],
    ],
  ],
] as const)('%j is flattened to dotted names and restored from them', (tree, values) => {
  expect([...flatOptions(tree)].map(([name, value]) => [name, value])).toEqual(values.map(one => [...one]))
  expect(treeOfOptions(flatOptions(tree))).toEqual(tree)
})

test('names of JavaScript built-ins are names like others', () => {
  const tree = treeOfOptions([['constructor.name', 'x']])
  expect(Object.hasOwn(tree, 'constructor')).toBe(true)
  expect([...flatOptions(tree)]).toEqual([['constructor.name', 'x']])
})
