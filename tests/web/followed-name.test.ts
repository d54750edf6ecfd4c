import { expect, test } from 'bun:test'
import { followName } from '../../web/state/followed-name.ts'

test.each([
  { text: 'sea', now: 'sea', after: { text: 'sea', start: 'sea', told: null }, why: 'nothing has changed' },
  { text: 'lake', now: 'sea', after: { text: 'lake', start: 'sea', told: null }, why: 'only here' },
  { text: 'sea', now: 'ocean', after: { text: 'ocean', start: 'ocean', told: null }, why: 'only elsewhere' },
  { text: 'sea ', now: 'ocean', after: { text: 'ocean', start: 'ocean', told: null }, why: 'a space is no other name' },
  { text: 'lake', now: 'ocean', after: { text: 'lake', start: 'ocean', told: 'ocean' }, why: 'on both sides' },
  { text: 'lake', now: 'lake', after: { text: 'lake', start: 'lake', told: null }, why: 'to the same' },
])("typed '$text' over 'sea' that is '$now' now: $why", ({ text, now, after }) => {
  expect(followName({ text, start: 'sea', told: null }, now)).toEqual(after)
})

test('what was told once is not told again, and a third change is', () => {
  const told = followName({ text: 'lake', start: 'sea', told: null }, 'ocean')
  expect(followName(told, 'ocean')).toEqual(told)
  expect(followName(told, 'river').told).toBe('river')
})
