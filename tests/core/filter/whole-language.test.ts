/** Compares random searches in the whole language with a naive implementation. tests/long runs many more. */
import { expect, test } from 'bun:test'
import { openSearchLibrary } from '../../support/search-language.ts'

test('2,000 random searches find the same items as a naive implementation', async () => {
  const setup = await openSearchLibrary(20_261_121)
  let hits = 0
  for (let round = 0; round < 2000; round++) {
    const { text, found, total, expected } = setup.searchRandomly()
    expect({ text, found, total }).toEqual({ text, found: expected, total: expected.length })
    if (expected.length > 0) hits++
  }
  // If few searches found anything, the comparison would prove little.
  expect(hits).toBeGreaterThan(800)
}, 60_000)

test('a search that is printed in full and parsed again finds the same items', async () => {
  const setup = await openSearchLibrary(7)
  for (let round = 0; round < 400; round++) {
    const { text, found } = setup.searchRandomly()
    expect({ text, found: setup.searchAsPrinted(text) }).toEqual({ text, found })
  }
}, 60_000)
