import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { limits } from '../../schema/limits.ts'
import { throttle } from '../../web/kit/time/throttle.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

test('without a leading call, reloads 20 seconds after a change, once for all changes until then', () => {
  let reloads = 0
  const changed = throttle(() => reloads++, limits.reloadAfterChangeMs, { leading: false })
  changed()
  jest.advanceTimersByTime(10_000)
  changed()
  jest.advanceTimersByTime(9_999)
  expect(reloads).toBe(0)
  jest.advanceTimersByTime(1)
  expect(reloads).toBe(1)
  jest.advanceTimersByTime(60_000)
  expect(reloads).toBe(1)
})

test('with a leading call, runs again at the end when it was called meanwhile', () => {
  let done = 0
  const act = throttle(() => done++, 1_000)
  act()
  expect(done).toBe(1)
  act()
  act()
  expect(done).toBe(1)
  jest.advanceTimersByTime(1_000)
  expect(done).toBe(2)
})
