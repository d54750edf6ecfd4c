import { expect, test } from 'bun:test'
import { firstChoice } from '../../web/kit/form/combo.tsx'

const choices = [{ name: 'Holidays' }, { name: 'holiday' }, { name: 'New keyword “holiday”' }]

test('marks the suggestion with the typed name, or else the first one', () => {
  expect(firstChoice(choices, 'hol')).toBe(0)
  expect(firstChoice(choices, ' Holiday ')).toBe(1)
})
