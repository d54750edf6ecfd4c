import { expect, test } from 'bun:test'
import { paceOf, type Sample, timeLeftText, withSample } from '../../web/app/jobs/pace.ts'

function samplesOf(...dones: [at: number, done: number][]): Sample[] {
  return dones.reduce<Sample[]>((samples, [at, done]) => withSample(samples, { at, done }), [])
}

test('measures the rate over the last ten seconds', () => {
  const samples = samplesOf([0, 0], [5_000, 100], [11_000, 1_000], [14_000, 2_500])
  expect(paceOf(samples, null, 14_000).rate).toBeCloseTo(2400 / 9)
})

test('shows the time left after five seconds, and only when the total is known', () => {
  const samples = samplesOf([0, 0], [2_000, 200])
  expect(paceOf(samples, 1000, 2_000)).toEqual({ rate: 100, secondsLeft: null })
  expect(paceOf(samples, 1000, 6_000)).toEqual({ rate: 100, secondsLeft: 8 })
  expect(paceOf(samples, null, 6_000).secondsLeft).toBeNull()
})

test('shows nothing for a job without progress or with one sample', () => {
  expect(paceOf(samplesOf([0, 10]), 100, 9_000)).toEqual({ rate: null, secondsLeft: null })
  expect(paceOf(samplesOf([0, 10], [3_000, 10]), 100, 9_000)).toEqual({ rate: null, secondsLeft: null })
})

test('another pass starts a new measurement', () => {
  expect(samplesOf([0, 900], [1_000, 1_000], [2_000, 5])).toEqual([{ at: 2_000, done: 5 }])
})

test('shows a time in two units at most', () => {
  expect([45, 83, 7500].map(timeLeftText)).toEqual(['45 s left', '1 min 23 s left', '2 h 5 min left'])
})
