import { expect, test } from 'bun:test'
import type { Preparing } from '../../web/api.ts'
import { createFilm, type FilmState, pause, percentOf } from '../../web/app/film.ts'

/** A film whose server gives these responses one after another; an Error is no response. */
function film(answers: (Preparing | Error | null)[]) {
  const told: FilmState[] = []
  const asked: boolean[] = []
  const pauses: number[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const made = createFilm({
    async requestStream(patient) {
      asked.push(patient)
      const answer = answers.shift()
      if (answer === undefined) throw new Error('asked too often')
      if (answer instanceof Error) throw answer
      return answer
    },
    async pause(seconds, signal) {
      pauses.push(seconds)
      // The server has nothing more to report: the viewer leaves.
      if (answers.length === 0) made.stop()
      if (!signal.aborted) return
      end()
      throw signal.reason
    },
    notify: state => told.push(state),
  })
  return { ...made, told, asked, pauses, ended }
}

test('what plays as it is may play at once', async () => {
  const { begin, told, asked } = film([null])
  await begin()
  expect(told).toEqual([{ phase: 'ready', waited: false }])
  expect(asked).toEqual([false])
})

test('what is being converted is asked for as often as the server says, and continues by itself', async () => {
  const { begin, told, asked, pauses } = film([{ job: 7, again: 1 }, { job: 7, again: 5 }, null])
  await begin()
  expect(told).toEqual([
    { phase: 'preparing', job: 7 },
    { phase: 'preparing', job: 7 },
    { phase: 'ready', waited: true },
  ])
  expect(asked).toEqual([false, true, true])
  expect(pauses).toEqual([1, 5])
})

test('a server that is gone for a while ends no waiting', async () => {
  const { begin, told, pauses } = film([{ job: 7, again: 1 }, new TypeError('Failed to fetch'), null])
  await begin()
  expect(pauses).toEqual([1, 5])
  expect(told.at(-1)).toEqual({ phase: 'ready', waited: true })
})

test('what the browser cannot play is a fault, unless it is being converted', async () => {
  const broken = film([null])
  await broken.failed(4)
  expect(broken.told).toEqual([{ phase: 'fault', code: 4 }])
  const converted = film([{ job: null, again: 1 }, null])
  await converted.failed(4)
  expect(converted.told).toEqual([
    { phase: 'preparing', job: null },
    { phase: 'ready', waited: true },
  ])
  const unreachable = film([new TypeError('Failed to fetch')])
  await unreachable.failed(2)
  expect(unreachable.told).toEqual([{ phase: 'fault', code: 2 }])
})

test('nothing is asked and nothing is reported once nobody looks', async () => {
  const { begin, told, asked, ended } = film([{ job: 7, again: 5 }])
  await begin()
  await ended
  expect(told).toEqual([{ phase: 'preparing', job: 7 }])
  expect(asked).toEqual([false])
})

test('a pause ends as soon as nobody waits for it', async () => {
  const gone = new AbortController()
  const waiting = pause(3600, gone.signal)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(pause(3600, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  await pause(0, new AbortController().signal)
})

test('progress is reported in whole percent, once there is any', () => {
  expect(percentOf(undefined)).toBeNull()
  expect(percentOf({ done: 5, total: null })).toBeNull()
  expect(percentOf({ done: 0, total: 10 })).toBeNull()
  expect(percentOf({ done: 1, total: 3 })).toBe(33)
  expect(percentOf({ done: 31, total: 30 })).toBe(99)
})
