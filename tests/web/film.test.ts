import { expect, test } from 'bun:test'
import type { Preparing } from '../../web/api.ts'
import { createFilm, type FilmState, jobPercent, pause } from '../../web/app/film.ts'

/** A film whose server sends these responses one after another; an Error means that it sends none. */
function film(responses: (Preparing | Error | null)[]) {
  const states: FilmState[] = []
  const requests: boolean[] = []
  const pauses: number[] = []
  const { promise: stopped, resolve: setStopped } = Promise.withResolvers<void>()
  const created = createFilm({
    async requestStream(patient) {
      requests.push(patient)
      const response = responses.shift()
      if (response === undefined) throw new Error('more requests than responses')
      if (response instanceof Error) throw response
      return response
    },
    async pause(seconds, signal) {
      pauses.push(seconds)
      // When no response is left, the viewer is closed.
      if (responses.length === 0) created.stop()
      if (!signal.aborted) return
      setStopped()
      throw signal.reason
    },
    notify: state => states.push(state),
  })
  return { ...created, states, requests, pauses, stopped }
}

test('a film that needs no conversion is ready at once', async () => {
  const { begin, states, requests } = film([null])
  await begin()
  expect(states).toEqual([{ phase: 'ready', waited: false }])
  expect(requests).toEqual([false])
})

test('polls a conversion at the interval of the server until the film is ready', async () => {
  const { begin, states, requests, pauses } = film([{ job: 7, again: 1 }, { job: 7, again: 5 }, null])
  await begin()
  expect(states).toEqual([
    { phase: 'preparing', job: 7 },
    { phase: 'preparing', job: 7 },
    { phase: 'ready', waited: true },
  ])
  expect(requests).toEqual([false, true, true])
  expect(pauses).toEqual([1, 5])
})

test('keeps waiting while the server is unreachable', async () => {
  const { begin, states, pauses } = film([{ job: 7, again: 1 }, new TypeError('Failed to fetch'), null])
  await begin()
  expect(pauses).toEqual([1, 2])
  expect(states.at(-1)).toEqual({ phase: 'ready', waited: true })
})

test('reports a fault when the browser cannot play a film, unless it is being converted', async () => {
  const broken = film([null])
  await broken.failed(4)
  expect(broken.states).toEqual([{ phase: 'fault', code: 4 }])
  const converted = film([{ job: null, again: 1 }, null])
  await converted.failed(4)
  expect(converted.states).toEqual([
    { phase: 'preparing', job: null },
    { phase: 'ready', waited: true },
  ])
  const unreachable = film([new TypeError('Failed to fetch')])
  await unreachable.failed(2)
  expect(unreachable.states).toEqual([{ phase: 'fault', code: 2 }])
})

test('a stopped film requests and reports nothing', async () => {
  const { begin, states, requests, stopped } = film([{ job: 7, again: 5 }])
  await begin()
  await stopped
  expect(states).toEqual([{ phase: 'preparing', job: 7 }])
  expect(requests).toEqual([false])
})

test('a pause ends as soon as it is aborted', async () => {
  const controller = new AbortController()
  const waiting = pause(3600, controller.signal)
  controller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(pause(3600, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  await pause(0, new AbortController().signal)
})

test('shows progress in whole percent once there is any', () => {
  expect(jobPercent(undefined)).toBeNull()
  expect(jobPercent({ done: 5, total: null })).toBeNull()
  expect(jobPercent({ done: 0, total: 10 })).toBeNull()
  expect(jobPercent({ done: 1, total: 3 })).toBe(33)
  expect(jobPercent({ done: 31, total: 30 })).toBe(99)
})
