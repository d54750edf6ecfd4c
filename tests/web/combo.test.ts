import { expect, test } from 'bun:test'
import { firstChoice } from '../../web/kit/form/combo.tsx'

const choices = [{ name: 'Holidays' }, { name: 'holiday' }, { name: 'New keyword “holiday”' }]

test('the first suggestion is marked, unless one has the very name that was typed', () => {
  expect(firstChoice(choices, 'hol')).toBe(0)
  expect(firstChoice(choices, ' Holiday ')).toBe(1)
})
