/** Compares the search language with a naive evaluation: like tests/core/filter/whole-language.test.ts, but longer. */
import { expect, test } from 'bun:test'
import { openSearchLibrary } from '../support/search-language.ts'

for (const seed of [1, 2, 3, 4, 5]) {
  test(`20,000 random queries find what a naive evaluation finds (seed ${seed})`, async () => {
    const library = await openSearchLibrary(seed)
    for (let round = 0; round < 20_000; round++) {
      const { text, found, total, expected } = library.searchRandomly()
      expect({ text, found, total }).toEqual({ text, found: expected, total: expected.length })
      if (round % 10 === 0) expect({ text, found: library.searchAsPrinted(text) }).toEqual({ text, found })
    }
  }, 1_200_000)
}
