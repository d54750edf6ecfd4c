import { expect, test } from 'bun:test'
import { leftText, paceOf, type Sample, withSample } from '../../web/app/jobs/pace.ts'

function seen(...dones: [at: number, done: number][]): Sample[] {
  return dones.reduce<Sample[]>((samples, [at, done]) => withSample(samples, { at, done }), [])
}

test('the rate is that of the last ten seconds', () => {
  const samples = seen([0, 0], [5_000, 100], [11_000, 1_000], [14_000, 2_500])
  expect(paceOf(samples, null, 14_000).rate).toBeCloseTo(2400 / 9)
})

test('time left is said after five seconds, and only where the whole is known', () => {
  const samples = seen([0, 0], [2_000, 200])
  expect(paceOf(samples, 1000, 2_000)).toEqual({ rate: 100, secondsLeft: null })
  expect(paceOf(samples, 1000, 6_000)).toEqual({ rate: 100, secondsLeft: 8 })
  expect(paceOf(samples, null, 6_000).secondsLeft).toBeNull()
})

test('nothing is said of a job that stands still or was seen once', () => {
  expect(paceOf(seen([0, 10]), 100, 9_000)).toEqual({ rate: null, secondsLeft: null })
  expect(paceOf(seen([0, 10], [3_000, 10]), 100, 9_000)).toEqual({ rate: null, secondsLeft: null })
})

test('another pass starts again', () => {
  expect(seen([0, 900], [1_000, 1_000], [2_000, 5])).toEqual([{ at: 2_000, done: 5 }])
})

test('time is reported in two units at most', () => {
  expect([45, 83, 7500].map(leftText)).toEqual(['45 s left', '1 min 23 s left', '2 h 5 min left'])
})
