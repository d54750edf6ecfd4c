import { describe, expect, test } from 'bun:test'
import { swapped, withUnseen } from '../../../core/words/keystring-lists.ts'

describe('a list that is edited by a user who does not see all of it', () => {
  test.each([
    ['nothing is unseen', [1, 2], [2, 3], [], [2, 3]],
    ['what they cannot see stays behind its neighbour', [1, 90, 2], [1, 2, 3], [90], [1, 90, 2, 3]],
    ['at the beginning it stays there', [90, 1], [2, 1], [90], [90, 2, 1]],
    ['its neighbour is gone', [1, 90, 2], [2], [90], [2, 90]],
    ['everything they can see is gone', [90, 1, 91], [], [90, 91], [90, 91]],
    ['they give it themselves', [1, 90], [90, 1], [90], [90, 1]],
    ['they give something twice', [1], [2, 2], [], [2]],
  ])('%s', (_, old, wanted, unseen, list) => {
    expect(withUnseen(old, wanted, new Set(unseen))).toEqual(list)
  })
})

describe('what is swapped', () => {
  test.each([
    ['keeps its place', [1, 2, 3], [2], [9], [1, 9, 3]],
    ['of several the first has the place', [1, 2, 3, 4], [4, 2], [9, 8], [1, 9, 8, 3]],
    ['is there already', [9, 2, 3], [2], [9], [9, 3]],
    ['goes without anything in its place', [1, 2], [2], [], [1]],
  ])('%s', (_, list, from, to, result) => {
    expect(swapped(list, from, to)).toEqual(result)
  })
  test('a list that has none of it stays', () => {
    expect(swapped([1, 3], [2], [9])).toBeNull()
  })
})
