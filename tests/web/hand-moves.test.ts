import { expect, test } from 'bun:test'
import { targetIndex } from '../../web/albums/hand-moves.ts'

test('a move by hand puts items before the previous item, after the next item, or at an end', () => {
  const chosen = [2, 4]
  expect(targetIndex('earlier', chosen, 9)).toBe(1)
  expect(targetIndex('later', chosen, 9)).toBe(6)
  expect(targetIndex('first', chosen, 9)).toBe(0)
  expect(targetIndex('last', chosen, 9)).toBe(9)
  expect(targetIndex('earlier', [0], 9)).toBe(0)
  expect(targetIndex('later', [8], 9)).toBe(9)
})
