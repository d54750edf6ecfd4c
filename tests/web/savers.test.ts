import { afterAll, beforeEach, expect, test } from 'bun:test'
import { chosen, play, saverOfHome, savers, secondsFor, setPlay } from '../../web/saver/savers.ts'

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
let kept: Saver[] = []
let asked: string[] = []

async function answer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { pathname, searchParams } = new URL(String(input), 'http://keepsake.test')
  asked.push(`${init?.method ?? 'GET'} ${pathname}`)
  const change = { random: searchParams.get('random') === 'true', seconds: Number(searchParams.get('seconds')) }
  if (pathname === '/v1/screensaver/create') {
    const made = { id: kept.length + 1, name: searchParams.get('name') ?? '', owner: 'ines', filters: {}, ...change }
    kept.push(made)
    return Response.json(made, { status: 201 })
  }
  if (pathname.startsWith('/v1/screensaver/save/')) {
    expect(searchParams.get('setfilters')).toBe('true')
    kept = kept.map(one => (pathname.endsWith(`/${one.id}`) ? { ...one, ...change } : one))
    return Response.json(kept.find(one => pathname.endsWith(`/${one.id}`)))
  }
  return Response.json(kept)
}

beforeEach(() => {
  globalThis.fetch = Object.assign(answer, { preconnect: () => {} })
  kept = []
  asked = []
  savers.value = null
  setPlay({ saver: null, seconds: 15 })
})

test("what is shown on Home is one saver named 'web', however often it is played", async () => {
  expect((await saverOfHome(15))?.id).toBe(1)
  setPlay({ saver: null })
  expect(await saverOfHome(20)).toMatchObject({ id: 1, seconds: 20, random: true })
  expect(kept).toHaveLength(1)
  expect(savers.value?.map(({ seconds }) => seconds)).toEqual([20])
  expect(chosen.value?.id).toBe(1)
  expect(asked.filter(one => one.startsWith('POST'))).toHaveLength(1)
})

test('it is found where the list had not been loaded yet', async () => {
  kept = [{ id: 7, name: 'web', owner: 'ines', random: false, seconds: 5, filters: {} }]
  expect(await saverOfHome(15)).toMatchObject({ id: 7, random: true })
  expect(kept).toHaveLength(1)
})

test('a chosen saver’s seconds are used, until the slider is moved for it', () => {
  const saver = { id: 3, seconds: 2 }
  expect(secondsFor(saver, null)).toBe(2)
  expect(secondsFor(saver, { saver: 3, seconds: 30 })).toBe(30)
  expect(secondsFor(saver, { saver: 4, seconds: 30 })).toBe(2)
  expect(secondsFor(null, { saver: 3, seconds: 30 })).toBe(play.value.seconds)
})
