import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { terminalViewer } from '../core/access.ts'
import { byteRoutes } from '../schema/api/bytes.ts'
import { calls } from '../schema/api/calls.ts'
import type { Endpoint } from '../schema/api/contract.ts'
import { fieldsOf } from '../schema/api/openapi.ts'
import { channels } from '../schema/realtime.ts'
import { type CallerKind, type House, openHouse } from './support/rights-house.ts'

/**
 * Items that some callers must never hear of, each with words in its name, path, keyword, caption, person, object and place
 * that stand nowhere else. Every call is made as every lower caller, in every way that might find them, and no answer may
 * have one of the words, nor a count that includes them.
 */
const canaries = {
  private: 'quetzalcoatlus',
  hidden: 'archaeopteryx',
  recycled: 'microraptor',
} as const
type Canary = keyof typeof canaries

let opened: House | null = null
const ids = new Map<Canary, number>()
let shown = 0
let open = 0
let closed = 0

beforeAll(async () => {
  opened = await openHouse()
  const { make, collection, library } = opened
  open = await collection('public')
  closed = await make.collection({ name: 'zanzibar-closed' })
  shown = await make.item({ collection: open, name: 'shown.jpg', keywords: ['Beach'] })
  await make.keystring('Locked', { hidesItems: true })
  const plant = async (canary: Canary, inCollection: number, also: string[]) => {
    const word = canaries[canary]
    const id = await make.item({
      collection: inCollection,
      folder: `folder-${word}`,
      name: `${word}.jpg`,
      keywords: [`keyword ${word}`, ...also],
      category: [`category ${word}`],
      author: [`author ${word}`],
      people: [`person ${word}`],
      objects: [`object ${word}`],
      description: `description ${word}`,
      place: { latitude: 10 + ids.size, longitude: 20, placeName: `place ${word}` },
      taken: `190${ids.size}-01-01`,
      rating: 5,
    })
    ids.set(canary, id)
  }
  await plant('private', closed, [])
  await plant('hidden', open, ['Locked'])
  await plant('recycled', open, [])
  await library.db.transact(terminalViewer, tx => {
    tx.run('UPDATE items SET deleted = unixepoch() WHERE id = ?', ids.get('recycled') ?? 0)
    tx.event(channels.collection(closed), { action: 'update', item: { id: ids.get('private'), collection_id: closed } })
  })
}, 60_000)
afterAll(async () => {
  await opened?.close()
})
function house(): House {
  if (opened === null) throw new Error('the house is not open')
  return opened
}

/** Who may not know of which. All have no right on the closed collection. */
const lower: { kind: CallerKind; blind: Canary[] }[] = [
  { kind: 'anonymous', blind: ['private', 'hidden', 'recycled'] },
  { kind: 'outsider', blind: ['private', 'hidden', 'recycled'] },
  { kind: 'viewer', blind: ['private', 'hidden', 'recycled'] },
  { kind: 'creator', blind: ['private', 'hidden', 'recycled'] },
  { kind: 'foreignValue', blind: ['private', 'hidden', 'recycled'] },
  { kind: 'updater', blind: ['private', 'hidden'] },
  { kind: 'unlocked', blind: ['private', 'recycled'] },
  { kind: 'device', blind: ['private', 'hidden', 'recycled'] },
  { kind: 'forged', blind: ['private', 'hidden', 'recycled'] },
]

/** What a query field may be filled with so as to find them. */
function temptations(name: string): string[] {
  const words = Object.values(canaries)
  if (name === 'q') {
    return words.flatMap(word => [
      word,
      `keyword:${word}`,
      `person:${word}`,
      `place:${word}`,
      `file:${word}`,
      `NOT ${word}`,
    ])
  }
  if (name === 'filtergroups') {
    return words.map(text => JSON.stringify([[{ type: 'Keyword', mode: 0, id: 0, text }]]))
  }
  if (name === 'includeHidden') return ['true', '1', house().values.get('unlocked') ?? '']
  if (name === 'bbox') return ['-180,-90,180,90']
  if (name === 'items') return [[...ids.values()].join(',')]
  if (name === 'kind') return ['exact', 'near']
  if (name === 'state') return ['all']
  if (name === 'onthisday') return ['UTC']
  if (name === 'item') return [...ids.values()].map(String)
  return []
}

/** Whoever may update somewhere names people and things, and so knows all names (authorisation.md); not what they are on. */
const wholeVocabulary = new Set(['people.list', 'people.names', 'objects.list', 'keystrings.listAll'])

interface Address {
  name: string
  url: string
}

const readable = [
  ...Object.entries(calls).flatMap(([group, table]) =>
    Object.entries<Endpoint>(table).map(([name, call]) => ({ name: `${group}.${name}`, ...call })),
  ),
  ...Object.entries(byteRoutes).map(([name, route]) => ({ name: `bytes.${name}`, ...route })),
].filter(({ method, name }) => method === 'GET' && name !== 'users.logout' && name !== 'users.renew')

/** Every address that reads, with every id and every temptation. */
function* addresses(): Generator<Address> {
  for (const { name, path, query } of readable) {
    const subjects = path.includes(':') ? [0, open, closed, ...ids.values(), 1, 2, 3, 4, 5] : [0]
    for (const id of subjects) {
      const filled = path.replace(/:(\w+)/g, (_, part: string) => (part === 'tag' ? 'Keywords' : String(id)))
      yield { name, url: filled }
      for (const field of fieldsOf(query)) {
        for (const value of temptations(field.name))
          yield { name, url: `${filled}?${field.name}=${encodeURIComponent(value)}` }
      }
    }
  }
}

/** The words that stand in an answer; what was asked for may come back in links, and says nothing. */
function found(text: string, url: string, blind: readonly Canary[]): string[] {
  const asked = decodeURIComponent(url)
  return blind
    .filter(canary => {
      const word = canaries[canary]
      const said = text.toLowerCase().split(word).length - 1
      if (said === 0) return false
      // Links repeat the question, encoded or not; everything beyond that is told.
      const withoutLinks = text.replace(/"(self|first|prev|next|last)":"[^"]*"/g, '').toLowerCase()
      const inError = /^\{"error"/.test(text) && asked.includes(word)
      return withoutLinks.includes(word) && !inError
    })
    .map(canary => `${canary} (${canaries[canary]})`)
}

describe('what somebody may not see', () => {
  for (const { kind, blind } of lower) {
    test(`is in no answer to ${kind}`, async () => {
      const leaks: string[] = []
      let asked = 0
      for (const { name, url } of addresses()) {
        if (kind === 'updater' && wholeVocabulary.has(name)) continue
        const response = await house().send(kind, 'GET', url, undefined)
        asked++
        const type = response.headers.get('content-type') ?? ''
        const headers = [...response.headers].map(([key, value]) => `${key}: ${value}`).join('\n')
        const text = /json|text|csv/.test(type)
          ? await response.text()
          : Buffer.from(await response.arrayBuffer()).toString('latin1')
        for (const word of found(text, url, blind)) leaks.push(`${name} ${url} tells of ${word}`)
        for (const word of found(headers, url, blind)) leaks.push(`${name} ${url} tells of ${word} in its headers`)
      }
      expect(leaks).toEqual([])
      expect(asked).toBeGreaterThan(500)
    }, 240_000)
  }
})

describe('counts', () => {
  for (const { kind, blind } of lower) {
    test(`of ${kind} leave out what he may not see`, async () => {
      if (kind === 'device' || kind === 'forged') return
      const get = async (path: string) => {
        const value = house().values.get(kind)
        const more = value === undefined ? '' : `${path.includes('?') ? '&' : '?'}includeHidden=${value}`
        return JSON.parse(await (await house().send(kind, 'GET', `${path}${more}`, undefined)).text())
      }
      // The recycled one is in no list of the gallery, whoever asks.
      const seen = 1 + (blind.includes('hidden') ? 0 : 1)
      expect((await get(`/v1/item/list/${open}`))._meta.total_records).toBe(seen)
      expect((await get('/v1/item/list/0'))._meta.total_records).toBe(seen)
      expect((await get('/v1/item/timeline/0')).total_records).toBe(seen)
      const collections: { id: number; itemcount: number }[] = await get('/v1/collection')
      expect(collections.find(({ id }) => id === open)?.itemcount).toBe(seen)
      expect(collections.find(({ id }) => id === 0)?.itemcount).toBe(seen)
      expect(collections.some(({ id }) => id === closed)).toBe(false)
      const people: { itemcount: number }[] = await get('/v1/person')
      if (!kind.startsWith('updat')) expect(people.reduce((sum, { itemcount }) => sum + itemcount, 0)).toBe(seen - 1)
      expect((await get('/v1/geojson/features/0'))._meta.total_records).toBe(seen - 1)
    })
  }
})

test('the one that everybody may see is found, so that the crawl is not blind', async () => {
  const response = await house().send('anonymous', 'GET', '/v1/item/list/0?q=beach', undefined)
  expect(await response.text()).toContain(`"id":${shown}`)
  const admin = await house().send('admin', 'GET', `/v1/item/list/0?q=${canaries.private}`, undefined)
  expect(await admin.text()).toContain(canaries.private)
})
