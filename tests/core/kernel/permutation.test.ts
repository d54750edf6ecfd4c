import { expect, test } from 'bun:test'
import { permuted } from '../../../core/kernel/permutation.ts'

const order = (size: number, seed: number) => Array.from({ length: size }, (_, place) => permuted(place, size, seed))

test('every number occurs once, for any size and seed', () => {
  for (const size of [1, 2, 3, 7, 16, 100, 1_000, 4_097, 20_000]) {
    for (const seed of [0, 1, 0xdead_beef, 2 ** 32 - 1]) {
      expect(new Set(order(size, seed)).size).toBe(size)
      expect(Math.max(...order(size, seed))).toBe(size - 1)
    }
  }
})

test('the same seed gives the same order, and another seed another order', () => {
  expect(order(1_000, 5)).toEqual(order(1_000, 5))
  const same = order(1_000, 5).filter((number, place) => permuted(place, 1_000, 6) === number)
  expect(same.length).toBeLessThan(20)
})

test('neighbours are far apart, and the first tenth of the order has numbers from the whole range', () => {
  const size = 100_000
  const numbers = order(size, 77)
  const steps = numbers.slice(1).map((number, place) => Math.abs(number - (numbers[place] ?? 0)))
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length
  // The mean step of a random order is a third of the range.
  expect(mean).toBeWithin(size * 0.32, size * 0.35)
  const counts = Array.from(
    { length: 10 },
    (_, part) => numbers.slice(0, size / 10).filter(number => Math.floor(number / (size / 10)) === part).length,
  )
  for (const count of counts) expect(count).toBeWithin(850, 1_150)
})
