import { describe, expect, test } from 'bun:test'
import { overscan, positionToShow } from '../../web/gallery/arrangement.ts'
import { cardPlace, cardRows, cardsWithin, contentHeight, gridShape, stepFrom } from '../../web/gallery/grid-layout.ts'
import { breakpointOf } from '../../web/kit/viewport.ts'

const laptop = gridShape('lg', 1124)
const rows = cardRows(100, laptop)

test('the number of cards per row follows the specification: 1, 2, 2, 3, 4, 6', () => {
  const columns = [390, 600, 960, 1280, 1920, 2560].map(width => gridShape(breakpointOf(width), width).columns)
  expect(columns).toEqual([1, 2, 2, 3, 4, 6])
  expect(breakpointOf(599)).toBe('xs')
})

test('cards are 430 high on a phone, edge to edge, and 455 elsewhere', () => {
  expect(gridShape('xs', 390)).toMatchObject({ cardHeight: 430, cardWidth: 390, inset: 0 })
  expect(laptop).toMatchObject({ cardHeight: 455, inset: 4 })
  expect(laptop.cardWidth * 3 + 3 * 4).toBe(1124)
  const paged = gridShape('lg', 1124, 4)
  expect(paged.cardWidth * 3 + 4 * 4).toBe(1124)
})

test('a card is in its row and column', () => {
  expect(cardPlace(0, laptop)).toEqual({ left: 4, top: 0 })
  expect(cardPlace(4, laptop)).toEqual({ left: 4 + laptop.cardWidth + 4, top: 459 })
  expect(contentHeight(7, laptop)).toBe(3 * 459)
  expect(contentHeight(0, laptop)).toBe(0)
})

describe('the cards near the screen', () => {
  test('are those of every row that is partly visible', () => {
    expect(cardsWithin(0, 852, 100, laptop)).toEqual({ first: 0, last: 5 })
    expect(cardsWithin(458, 460, 100, laptop)).toEqual({ first: 0, last: 5 })
    expect(cardsWithin(459, 918, 100, laptop)).toEqual({ first: 3, last: 5 })
  })

  test('end with the list', () => {
    expect(cardsWithin(0, 9999, 7, laptop)).toEqual({ first: 0, last: 6 })
    expect(cardsWithin(0, 852, 0, laptop)).toEqual({ first: 0, last: -1 })
    expect(cardsWithin(90_000, 90_852, 7, laptop)).toEqual({ first: 7, last: 6 })
  })

  test('reach further ahead the faster the grid scrolls, up to a limit', () => {
    const still = overscan(0, rows)
    const down = overscan(5, rows)
    expect(down.below).toBeGreaterThan(still.below)
    expect(down.above).toBe(still.above)
    expect(overscan(-1e9, rows).above).toBeLessThan(459 * 5)
  })
})

describe('the keys that move the focus', () => {
  const go = (index: number, step: Parameters<typeof stepFrom>[1], count = 10) => stepFrom(index, step, count, 3, 2)
  test('go from card to card', () => {
    expect([go(4, 'left'), go(4, 'right'), go(4, 'up'), go(4, 'down')]).toEqual([3, 5, 1, 7])
    expect([go(4, 'home'), go(4, 'end')]).toEqual([0, 9])
    expect([go(0, 'pageDown'), go(7, 'pageUp')]).toEqual([6, 1])
    // At most to the first row, in the same column.
    expect(go(4, 'pageUp')).toBe(1)
  })

  test('stay where there is no card in their direction', () => {
    expect([go(0, 'left'), go(9, 'right'), go(1, 'up'), go(9, 'down')]).toEqual([0, 9, 1, 9])
    expect(go(2, 'pageUp')).toBe(2)
  })

  test('reach the shorter last row from any column', () => {
    expect(go(8, 'down')).toBe(9)
    expect(go(5, 'pageDown')).toBe(9)
  })
})

test('showing a card scrolls as little as possible', () => {
  expect(positionToShow(0, 100, 852, rows)).toBe(0)
  expect(positionToShow(3, 459, 852, rows)).toBe(459)
  expect(positionToShow(6, 0, 852, rows)).toBe(3 * 459 - 852)
  // If the screen is shorter than a card, the top of the card is shown.
  expect(positionToShow(6, 0, 300, rows)).toBe(918)
})
