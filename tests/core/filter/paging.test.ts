import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { decodeCursor, encodeCursor, linksOf } from '../../../core/filter/paging.ts'
import { createItems } from '../../../core/items/items.ts'
import { calls } from '../../../schema/api/calls.ts'
import { moment, openTestLibrary } from '../../support/library.ts'

const base = '/v1/item/list/0?limit=10'
const facts = {
  base,
  sort: '-taken' as const,
  limit: 10,
  page: 2,
  total: 35,
  cursor: null,
  first: { value: 900, id: 9 },
  last: { value: 100, id: 1 },
  hasNext: true,
  hasPrevious: true,
}

describe('a cursor', () => {
  test('says where a page continues, and travels in an address as it is', () => {
    const cursor = { sort: 'name' as const, side: 'before' as const, place: { value: 'Grüße & more.jpg', id: 7 } }
    const text = encodeCursor(cursor)
    expect(text).toMatch(/^[\w-]+$/)
    expect(decodeCursor(text, 'name')).toEqual(cursor)
  })

  test.each([
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('nothing').toString('base64url')],
    ['too short', Buffer.from('["-taken",1,5]').toString('base64url')],
    ['another order', encodeCursor({ sort: 'added', side: 'after', place: { value: 1, id: 1 } })],
    ['a name where a date belongs', Buffer.from('["-taken",1,"x",1]').toString('base64url')],
    ['half an id', Buffer.from('["-taken",1,5,1.5]').toString('base64url')],
    ['a number beyond counting', Buffer.from('["-taken",1,1e300,1]').toString('base64url')],
    ['an object', Buffer.from('{"sort":"-taken"}').toString('base64url')],
  ])('that is %s is refused', (_, text) => {
    expect(() => decodeCursor(text, '-taken')).toThrow(expect.objectContaining({ code: 'invalid', field: 'cursor' }))
  })
})

describe('the links of a page', () => {
  test('go to itself, the ends, and with a cursor to both sides', () => {
    const links = linksOf(facts)
    expect(links).toMatchObject({ self: `${base}&page=2`, first: `${base}&page=1`, last: `${base}&page=4` })
    expect(links.next).toBe(
      `${base}&page=3&cursor=${encodeCursor({ sort: '-taken', side: 'after', place: { value: 100, id: 1 } })}`,
    )
    expect(links.prev).toBe(
      `${base}&page=1&cursor=${encodeCursor({ sort: '-taken', side: 'before', place: { value: 900, id: 9 } })}`,
    )
  })

  test('are null where there is nothing', () => {
    expect(linksOf({ ...facts, page: 1, hasPrevious: false, hasNext: false })).toMatchObject({ prev: null, next: null })
  })

  test('of an empty list lead to its first page', () => {
    const links = linksOf({ ...facts, page: 1, total: 0, first: null, last: null, hasNext: false, hasPrevious: false })
    expect(links).toMatchObject({ first: `${base}&page=1`, last: `${base}&page=1` })
  })
})

/** A library with this many items, one a day from 2020 on; ids in the order of the days. */
async function days(count: number) {
  const library = openTestLibrary()
  const items = createItems({ db: library.db })
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.push(await library.make.item({ taken: moment('2020-01-01') + n * 86_400 }))
  const list = (query: Parameters<typeof items.list>[2]) => items.list(terminalViewer, { collectionId: 0 }, query)
  /** Follows a link as a browser would: through the codecs of the call. */
  const follow = (link: string | null) => {
    if (link === null) throw new Error('there is no such link')
    const url = new URL(link, 'http://localhost')
    const collectionId = Number(url.pathname.split('/').at(-1))
    return items.list(
      terminalViewer,
      { collectionId },
      calls.items.list.query.parse(Object.fromEntries(url.searchParams)),
    )
  }
  return { ...library, items, ids, list, follow }
}

const idsOf = (page: { items: { id: number }[] }) => page.items.map(({ id }) => id)

describe('a list by pages', () => {
  test('has ten items a page, newest first, unless more are asked for', async () => {
    const { list, ids } = await days(25)
    const page = list({})
    expect(page._meta).toEqual({ total_records: 25, limit: 10, page: 1, count: 10 })
    expect(idsOf(page)).toEqual(ids.toReversed().slice(0, 10))
    expect(list({ page: 3 })._meta).toEqual({ total_records: 25, limit: 10, page: 3, count: 5 })
    expect(list({ page: 4 })._meta).toEqual({ total_records: 25, limit: 10, page: 4, count: 0 })
    expect(list({ page: 4 })._links.next).toBeNull()
  })

  test('keeps everything that was asked in all its links', async () => {
    const { list, follow, ids } = await days(25)
    const page = list({
      q: 'date:2020-01',
      startMonth: 1,
      sort: 'taken',
      limit: 7,
      searchInTags: ['Keywords', 'Author'],
    })
    for (const link of [page._links.self, page._links.first, page._links.last, page._links.next]) {
      const asked = Object.fromEntries(new URL(link ?? '', 'http://localhost').searchParams)
      expect(asked).toMatchObject({
        q: 'date:2020-01',
        startMonth: '1',
        sort: 'taken',
        limit: '7',
        searchInTags: 'Keywords,Author',
      })
    }
    expect(idsOf(follow(page._links.next))).toEqual(ids.slice(7, 14))
    expect(idsOf(follow(page._links.last))).toEqual(ids.slice(21, 25))
  })

  test('continues where it was while items come and go', async () => {
    const { list, follow, ids, make, db } = await days(30)
    const first = list({})
    await make.item({ taken: '2021-01-01' })
    await db.transact({ userId: null }, tx => tx.run('UPDATE items SET deleted = 1 WHERE id = ?', ids.at(-3) ?? 0))
    const second = follow(first._links.next)
    expect(idsOf(second)).toEqual(ids.toReversed().slice(10, 20))
    expect(second._meta).toMatchObject({ total_records: 30, page: 2 })
    // Back again: the ten before it, of which one is gone and one was there before.
    expect(idsOf(follow(second._links.prev))).toHaveLength(10)
    const third = follow(second._links.next)
    expect(idsOf(third)).toEqual(ids.toReversed().slice(20, 30))
    expect(third._links.next).toBeNull()
    expect(idsOf(follow(third._links.prev))).toEqual(idsOf(second))
  })

  test('finds a page in the depth of a list and of a filtered one', async () => {
    const { list, ids, make } = await days(0)
    for (let n = 0; n < 1300; n++) {
      ids.push(
        await make.item({ taken: moment('2015-01-01') + n * 86_400 * 2, keywords: n % 2 === 0 ? ['Even'] : ['Odd'] }),
      )
    }
    expect(idsOf(list({ page: 61, limit: 20 }))).toEqual(ids.toReversed().slice(1200, 1220))
    expect(idsOf(list({ page: 61, limit: 20, sort: 'taken' }))).toEqual(ids.slice(1200, 1220))
    const even = ids.filter((_, n) => n % 2 === 0)
    expect(idsOf(list({ page: 31, limit: 20, q: 'keyword:=even' }))).toEqual(even.toReversed().slice(600, 620))
    expect(idsOf(list({ page: 31, limit: 20, q: '-keyword:=odd' }))).toEqual(even.toReversed().slice(600, 620))
    const between = { timestampStart: moment('2015-01-20'), timestampEnd: moment('2021-12-05') }
    const inside = ids.filter((_, n) => n * 2 >= 19 && moment('2015-01-01') + n * 86_400 * 2 < between.timestampEnd)
    expect(idsOf(list({ page: 54, limit: 20, ...between }))).toEqual(inside.toReversed().slice(1060, 1080))
  })

  test('refuses a cursor of another order', async () => {
    const { list } = await days(15)
    const link = list({})._links.next ?? ''
    const cursor = new URL(link, 'http://localhost').searchParams.get('cursor') ?? ''
    expect(() => list({ cursor, sort: 'name' })).toThrow(expect.objectContaining({ code: 'invalid', field: 'cursor' }))
  })
})
