import { describe, expect, test } from 'bun:test'
import { withWords } from '../../web/admin/metadata/item-form.ts'
import { isTooLong, lengthFault, tooLongWords } from '../../web/kit/words.ts'

const [fits, long] = ['x'.repeat(4000), 'y'.repeat(4001)]
const fault = 'Keywords must be at most 4,000 characters'

describe('words that are too long', () => {
  for (const [what, typed, left, message] of [
    ['nothing', '', '', null],
    ['just not too long', ` ${fits} `, '', null],
    ['one too many', long, long, fault],
    ['one of several', `sea, ${long}, sun`, long, fault],
    ['two of them', `${long},${long}`, `${long}, ${long}`, fault],
    ['many that are not', `${fits},${fits}`, '', null],
  ] as const) {
    test(`${what}: words that are too long stay in the field`, () => {
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
