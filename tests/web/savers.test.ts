import { afterAll, beforeEach, expect, test } from 'bun:test'
import {
  changePlaySettings,
  chosenSaver,
  playSettings,
  saveHomeSaver,
  savers,
  secondsFor,
} from '../../web/saver/savers.ts'

interface Saver {
  id: number
  name: string
  owner: string
  random: boolean
  seconds: number
  filters: object
}

const real = globalThis.fetch
afterAll(() => {
  globalThis.fetch = real
})

/** The server's savers, and the requests to it. */
let stored: Saver[] = []
let requests: string[] = []

async function respond(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { pathname, searchParams } = new URL(String(input), 'http://keepsake.test')
  requests.push(`${init?.method ?? 'GET'} ${pathname}`)
  const change = { random: searchParams.get('random') === 'true', seconds: Number(searchParams.get('seconds')) }
  if (pathname === '/v1/screensaver/create') {
    const created = {
      id: stored.length + 1,
      name: searchParams.get('name') ?? '',
      owner: 'ines',
      filters: {},
      ...change,
    }
    stored.push(created)
    return Response.json(created, { status: 201 })
  }
  if (pathname.startsWith('/v1/screensaver/save/')) {
    expect(searchParams.get('setfilters')).toBe('true')
    stored = stored.map(one => (pathname.endsWith(`/${one.id}`) ? { ...one, ...change } : one))
    return Response.json(stored.find(one => pathname.endsWith(`/${one.id}`)))
  }
  return Response.json(stored)
}

beforeEach(() => {
  globalThis.fetch = Object.assign(respond, { preconnect: () => {} })
  stored = []
  requests = []
  savers.value = null
  changePlaySettings({ saver: null, seconds: 15 })
})

test("playing Home always uses one saver named 'web'", async () => {
  expect((await saveHomeSaver(15))?.id).toBe(1)
  changePlaySettings({ saver: null })
  expect(await saveHomeSaver(20)).toMatchObject({ id: 1, seconds: 20, random: true })
  expect(stored).toHaveLength(1)
  expect(savers.value?.map(({ seconds }) => seconds)).toEqual([20])
  expect(chosenSaver.value?.id).toBe(1)
  expect(requests.filter(one => one.startsWith('POST'))).toHaveLength(1)
})

test("finds the saver named 'web' when the list is not loaded yet", async () => {
  stored = [{ id: 7, name: 'web', owner: 'ines', random: false, seconds: 5, filters: {} }]
  expect(await saveHomeSaver(15)).toMatchObject({ id: 7, random: true })
  expect(stored).toHaveLength(1)
})

test('uses the seconds of the selected saver until its slider is moved', () => {
  const saver = { id: 3, seconds: 2 }
  expect(secondsFor(saver, null)).toBe(2)
  expect(secondsFor(saver, { saver: 3, seconds: 30 })).toBe(30)
  expect(secondsFor(saver, { saver: 4, seconds: 30 })).toBe(2)
  expect(secondsFor(null, { saver: 3, seconds: 30 })).toBe(playSettings.value.seconds)
})
