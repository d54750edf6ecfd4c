import { describe, expect, test } from 'bun:test'
import { replaceInList, withUnseen } from '../../../core/words/keystring-lists.ts'

describe('a list edited by a user who does not see all of it', () => {
  test.each([
    ['without hidden keystrings', [1, 2], [2, 3], [], [2, 3]],
    ['a hidden keystring stays after its neighbour', [1, 90, 2], [1, 2, 3], [90], [1, 90, 2, 3]],
    ['a hidden keystring at the beginning stays there', [90, 1], [2, 1], [90], [90, 2, 1]],
    ['the neighbour is removed', [1, 90, 2], [2], [90], [2, 90]],
    ['all visible keystrings are removed', [90, 1, 91], [], [90, 91], [90, 91]],
    ['the list includes the hidden keystring', [1, 90], [90, 1], [90], [90, 1]],
    ['the list includes a keystring twice', [1], [2, 2], [], [2]],
  ])('%s', (_, old, wanted, unseen, list) => {
    expect(withUnseen(old, wanted, new Set(unseen))).toEqual(list)
  })
})

describe('a replaced keystring', () => {
  test.each([
    ['keeps its place', [1, 2, 3], [2], [9], [1, 9, 3]],
    ['several are replaced at the place of the first', [1, 2, 3, 4], [4, 2], [9, 8], [1, 9, 8, 3]],
    ['is removed if its replacement exists', [9, 2, 3], [2], [9], [9, 3]],
    ['is removed without a replacement', [1, 2], [2], [], [1]],
  ])('%s', (_, list, from, to, result) => {
    expect(replaceInList(list, from, to)).toEqual(result)
  })
  test('a list without it does not change', () => {
    expect(replaceInList([1, 3], [2], [9])).toBeNull()
  })
})
