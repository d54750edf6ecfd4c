import { describe, expect, test } from 'bun:test'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { decodeCursor, encodeCursor, linksOf } from '../../../core/filter/paging.ts'
import { createItems } from '../../../core/items/items.ts'
import { calls } from '../../../schema/api/calls.ts'
import { openTestLibrary, secondsOf } from '../../support/library.ts'

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
  test('has the position where a page continues, and is safe in a URL', () => {
    const cursor = { sort: 'name' as const, side: 'before' as const, position: { value: 'Grüße & more.jpg', id: 7 } }
    const text = encodeCursor(cursor)
    expect(text).toMatch(/^[\w-]+$/)
    expect(decodeCursor(text, 'name')).toEqual(cursor)
  })

  test.each([
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('nothing').toString('base64url')],
    ['missing values', Buffer.from('["-taken",1,5]').toString('base64url')],
    ['another order', encodeCursor({ sort: 'added', side: 'after', position: { value: 1, id: 1 } })],
    ['a name instead of a date', Buffer.from('["-taken",1,"x",1]').toString('base64url')],
    ['a fractional id', Buffer.from('["-taken",1,5,1.5]').toString('base64url')],
    ['a number that is too large', Buffer.from('["-taken",1,1e300,1]').toString('base64url')],
    ['an object instead of an array', Buffer.from('{"sort":"-taken"}').toString('base64url')],
  ])('with %s is refused', (_, text) => {
    expect(() => decodeCursor(text, '-taken')).toThrow(expect.objectContaining({ code: 'invalid', field: 'cursor' }))
  })
})

describe('the links of a page', () => {
  test('lead to the page itself, to the first and last page, and with cursors to the adjacent pages', () => {
    const links = linksOf(facts)
    expect(links).toMatchObject({ self: `${base}&page=2`, first: `${base}&page=1`, last: `${base}&page=4` })
    expect(links.next).toBe(
      `${base}&page=3&cursor=${encodeCursor({ sort: '-taken', side: 'after', position: { value: 100, id: 1 } })}`,
    )
    expect(links.prev).toBe(
      `${base}&page=1&cursor=${encodeCursor({ sort: '-taken', side: 'before', position: { value: 900, id: 9 } })}`,
    )
  })

  test('are null where there is no page', () => {
    expect(linksOf({ ...facts, page: 1, hasPrevious: false, hasNext: false })).toMatchObject({ prev: null, next: null })
  })

  test('of an empty list lead to its first page', () => {
    const links = linksOf({ ...facts, page: 1, total: 0, first: null, last: null, hasNext: false, hasPrevious: false })
    expect(links).toMatchObject({ first: `${base}&page=1`, last: `${base}&page=1` })
  })
})

/** A library with an item for each of `count` days from 2020-01-01 on. `ids` is in the order of the days. */
async function days(count: number) {
  const library = openTestLibrary()
  const items = createItems({ db: library.db })
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.push(await library.make.item({ taken: secondsOf('2020-01-01') + n * 86_400 }))
  const list = (query: Parameters<typeof items.list>[2]) => items.list(terminalViewer, { collectionId: 0 }, query)
  /** Follows a link like a browser, with parameters parsed by the codecs of the call. */
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

describe('a paged list', () => {
  test('has ten items per page by default, newest first', async () => {
    const { list, ids } = await days(25)
    const page = list({})
    expect(page._meta).toEqual({ total_records: 25, limit: 10, page: 1, count: 10 })
    expect(idsOf(page)).toEqual(ids.toReversed().slice(0, 10))
    expect(list({ page: 3 })._meta).toEqual({ total_records: 25, limit: 10, page: 3, count: 5 })
    expect(list({ page: 4 })._meta).toEqual({ total_records: 25, limit: 10, page: 4, count: 0 })
    expect(list({ page: 4 })._links.next).toBeNull()
  })

  test('keeps all parameters in its links', async () => {
    const { list, follow, ids } = await days(25)
    const page = list({
      q: 'date:2020-01',
      startMonth: 1,
      sort: 'taken',
      limit: 7,
      searchInTags: ['Keywords', 'Author'],
    })
    for (const link of [page._links.self, page._links.first, page._links.last, page._links.next]) {
      const parameters = Object.fromEntries(new URL(link ?? '', 'http://localhost').searchParams)
      expect(parameters).toMatchObject({
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

  test('continues at its position while items are added and removed', async () => {
    const { list, follow, ids, make, db } = await days(30)
    const first = list({})
    await make.item({ taken: '2021-01-01' })
    await db.transact({ userId: null }, tx => tx.run('UPDATE items SET deleted = 1 WHERE id = ?', ids.at(-3) ?? 0))
    const second = follow(first._links.next)
    expect(idsOf(second)).toEqual(ids.toReversed().slice(10, 20))
    expect(second._meta).toMatchObject({ total_records: 30, page: 2 })
    // The previous page still has ten items: one was removed, and one added.
    expect(idsOf(follow(second._links.prev))).toHaveLength(10)
    const third = follow(second._links.next)
    expect(idsOf(third)).toEqual(ids.toReversed().slice(20, 30))
    expect(third._links.next).toBeNull()
    expect(idsOf(follow(third._links.prev))).toEqual(idsOf(second))
  })

  test('finds deep pages of a whole and of a filtered list', async () => {
    const { list, ids, make } = await days(0)
    for (let n = 0; n < 1300; n++) {
      ids.push(
        await make.item({
          taken: secondsOf('2015-01-01') + n * 86_400 * 2,
          keywords: n % 2 === 0 ? ['Even'] : ['Odd'],
        }),
      )
    }
    expect(idsOf(list({ page: 61, limit: 20 }))).toEqual(ids.toReversed().slice(1200, 1220))
    expect(idsOf(list({ page: 61, limit: 20, sort: 'taken' }))).toEqual(ids.slice(1200, 1220))
    const even = ids.filter((_, n) => n % 2 === 0)
    expect(idsOf(list({ page: 31, limit: 20, q: 'keyword:=even' }))).toEqual(even.toReversed().slice(600, 620))
    expect(idsOf(list({ page: 31, limit: 20, q: '-keyword:=odd' }))).toEqual(even.toReversed().slice(600, 620))
    const between = { timestampStart: secondsOf('2015-01-20'), timestampEnd: secondsOf('2021-12-05') }
    const inside = ids.filter((_, n) => n * 2 >= 19 && secondsOf('2015-01-01') + n * 86_400 * 2 < between.timestampEnd)
    expect(idsOf(list({ page: 54, limit: 20, ...between }))).toEqual(inside.toReversed().slice(1060, 1080))
  })

  test('refuses a cursor of another order', async () => {
    const { list } = await days(15)
    const link = list({})._links.next ?? ''
    const cursor = new URL(link, 'http://localhost').searchParams.get('cursor') ?? ''
    expect(() => list({ cursor, sort: 'name' })).toThrow(expect.objectContaining({ code: 'invalid', field: 'cursor' }))
  })
})
