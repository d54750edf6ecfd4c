/** The whole search language as people type it, against a naive reading; many more in tests/long. */
import { expect, test } from 'bun:test'
import { openSearchLibrary } from '../../support/search-language.ts'

test('2,000 random texts find what a naive reading of the same items finds', async () => {
  const setup = await openSearchLibrary(20_261_121)
  let hits = 0
  for (let round = 0; round < 2000; round++) {
    const { text, found, total, expected } = setup.ask()
    expect({ text, found, total }).toEqual({ text, found: expected, total: expected.length })
    if (expected.length > 0) hits++
  }
  // They are about something.
  expect(hits).toBeGreaterThan(800)
}, 60_000)

test('a text that is printed in full and read again finds the same', async () => {
  const setup = await openSearchLibrary(7)
  for (let round = 0; round < 400; round++) {
    const { text, found } = setup.ask()
    expect({ text, found: setup.again(text) }).toEqual({ text, found })
  }
}, 60_000)
