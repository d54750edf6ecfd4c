import { describe, expect, test } from 'bun:test'
import { withWords } from '../../web/admin/metadata/item-form.ts'
import { isTooLong, lengthFault, tooLongWords } from '../../web/kit/words.ts'

const [fits, long] = ['x'.repeat(4000), 'y'.repeat(4001)]
const fault = 'Keywords must be at most 4,000 characters'

describe('words that are too long', () => {
  for (const [what, typed, left, message] of [
    ['nothing is typed', '', '', null],
    ['a word has the greatest length', ` ${fits} `, '', null],
    ['the only word is too long', long, long, fault],
    ['one of several is too long', `sea, ${long}, sun`, long, fault],
    ['both words are too long', `${long},${long}`, `${long}, ${long}`, fault],
    ['both words have the greatest length', `${fits},${fits}`, '', null],
  ] as const) {
    test(`stay in the field, and no others: ${what}`, () => {
      expect(tooLongWords(typed)).toBe(left)
      expect(lengthFault('Keywords', typed)).toBe(message)
    })
  }

  test('are not added to a list', () => {
    expect(withWords(['sea'], `${long}, sun,`)).toEqual(['sea', 'sun'])
    expect([isTooLong(fits), isTooLong(`${fits} `), isTooLong(long)]).toEqual([false, false, true])
  })

  test('are reported with the name of their tag', () => {
    expect(lengthFault('Author', long)).toBe('Author must be at most 4,000 characters')
  })
})
