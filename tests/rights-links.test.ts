/** Who may do what with links: every call as every caller, on links of their own and of others. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Link } from '../schema/api/shares.ts'
import {
  administersElsewhere,
  type CallerKind,
  callerKinds,
  isUnauthenticated,
  itemStates,
  openRightsServer,
  type RightsServer,
  rightsOfCaller,
} from './support/rights-server.ts'

let opened: RightsServer | null = null
beforeAll(async () => {
  opened = await openRightsServer()
}, 60_000)
afterAll(async () => {
  await opened?.close()
})
function testServer(): RightsServer {
  if (opened === null) throw new Error('the server is not open')
  return opened
}

/**
 * `administered`: another user's link to an item of a collection on which the callers have their rights. `elsewhere`: the
 * same for the collection `elsewhere`.
 */
const linkKinds = ['own', 'administered', 'elsewhere', 'ended', 'absent'] as const
type LinkKind = (typeof linkKinds)[number]

const userOf = (kind: CallerKind) => testServer().idOf(kind === 'apiUpdater' ? 'updater' : kind)

async function linkOf(kind: CallerKind, linkKind: LinkKind): Promise<{ id: number; name: string }> {
  const { collection, elsewhere, item, link, idOf, library } = testServer()
  if (linkKind === 'absent') return { id: 987_654_321, name: 'A'.repeat(22) }
  const shown = await item(linkKind === 'elsewhere' ? elsewhere : await collection('private'), 'live')
  const made = await link(linkKind === 'own' ? userOf(kind) : idOf('owner'), [shown])
  if (linkKind === 'ended')
    await library.db.transact({ userId: null }, tx => tx.run('UPDATE links SET ended_at = 1 WHERE id = ?', made.id))
  return made
}

function administers(kind: CallerKind, linkKind: LinkKind): boolean {
  return linkKind === 'elsewhere'
    ? administersElsewhere(kind)
    : linkKind !== 'absent' && rightsOfCaller[kind].includes('admin')
}

/** What a caller may do with a link. */
function rightOf(kind: CallerKind, linkKind: LinkKind): 'change' | 'end' | null {
  if (linkKind === 'absent') return null
  if (kind === 'admin' || linkKind === 'own') return 'change'
  return administers(kind, linkKind) ? 'end' : null
}

/** Callers and links of every kind; those without an account have no link of their own. */
const pairs = callerKinds.flatMap(kind =>
  linkKinds.filter(linkKind => linkKind !== 'own' || !isUnauthenticated(kind)).map(linkKind => ({ kind, linkKind })),
)

describe('a link', () => {
  test('is listed, changed and ended only by those who may', async () => {
    const wrong: string[] = []
    const { send, library } = testServer()
    const rowsOf = (id: number) => library.db.all('SELECT * FROM links WHERE id = ?', id)
    for (const { kind, linkKind } of pairs) {
      const right = rightOf(kind, linkKind)
      const { id, name } = await linkOf(kind, linkKind)
      const check = (what: string, real: unknown, expected: unknown) => {
        if (real !== expected) wrong.push(`${kind}, ${linkKind}: ${what} is ${real} instead of ${expected}`)
      }
      const list = await send(kind, 'GET', '/v1/links', undefined)
      check('the list', list.status, isUnauthenticated(kind) ? 401 : 200)
      if (!isUnauthenticated(kind)) {
        const { links }: { links: Link[] } = JSON.parse(await list.text())
        const found = links.find(one => one.id === id)
        check('its name', found?.name, right === null ? undefined : right === 'change' ? name : '')
      }
      const before = rowsOf(id)
      const update = await send(kind, 'PUT', `/v1/links/${id}`, { title: 'New', details: true })
      check('a change', update.status, isUnauthenticated(kind) ? 401 : right === 'change' ? 200 : 404)
      if (right !== 'change') expect(rowsOf(id)).toEqual(before)
      const unchanged = rowsOf(id)
      const end = await send(kind, 'DELETE', `/v1/links/${id}`, undefined)
      check('its end', end.status, isUnauthenticated(kind) ? 401 : right === null ? 404 : 204)
      if (right === null) expect(rowsOf(id)).toEqual(unchanged)
    }
    expect(wrong).toEqual([])
  }, 120_000)

  for (const state of itemStates.filter(one => one !== 'absent')) {
    test(`to a ${state} item shows ${state === 'live' ? 'it' : 'nothing'} to everybody`, async () => {
      const { collection, item, link, idOf, send } = testServer()
      const shown = await item(await collection('private'), state)
      const wrong: string[] = []
      // The sharer of the second link does not see the item.
      for (const sharer of ['owner', 'outsider']) {
        const { name } = await link(idOf(sharer), [shown])
        for (const kind of callerKinds) {
          const open = await send(kind, 'GET', `/v1/link/${name}`, undefined)
          const items = await send(kind, 'GET', `/v1/link/${name}/items`, undefined)
          const { total }: { total: number } = JSON.parse(await items.text())
          const expected = state === 'live' && sharer === 'owner' ? 1 : 0
          if (open.status !== 200 || total !== expected) wrong.push(`${kind}: ${open.status}, ${total}`)
          for (const what of [`image/${shown}`, `stream/${shown}`]) {
            // The items of the server have no files: there is nothing to send.
            const bytes = await send(kind, 'GET', `/v1/link/${name}/${what}`, undefined)
            if (bytes.status !== 404) wrong.push(`${kind}, ${what}: ${bytes.status}`)
          }
        }
      }
      expect(wrong).toEqual([])
    }, 60_000)
  }

  test('that has ended, does not exist, or has a password is not found by anybody', async () => {
    const { collection, item, link, idOf, send } = testServer()
    const locked = await link(idOf('owner'), [await item(await collection('public'), 'live')], 'boat')
    const wrong: string[] = []
    for (const kind of callerKinds) {
      const names = [(await linkOf(kind, 'ended')).name, (await linkOf(kind, 'absent')).name, locked.name]
      for (const name of names)
        for (const path of ['', '/items', '/image/1', '/stream/1', '/download']) {
          const { status } = await send(kind, 'GET', `/v1/link/${name}${path}`, undefined)
          const expected = path === '' && name === locked.name ? 200 : 404
          if (status !== expected) wrong.push(`${kind}, ${path}: ${status}`)
        }
      const unlock = await send(kind, 'POST', `/v1/link/${names[0]}/unlock`, { password: 'boat' })
      // A request with an invalid token is not trusted: it has neither a session nor the origin of a page.
      const isTrusted = !isUnauthenticated(kind) || kind === 'anonymous' || kind === 'device'
      if (unlock.status !== (isTrusted ? 404 : 403)) wrong.push(`${kind}, unlock: ${unlock.status}`)
    }
    expect(wrong).toEqual([])
  }, 60_000)

  test('is created only by users who see all its items, its album or its person', async () => {
    const { collection, item, album, send } = testServer()
    const inside = await collection('private')
    const [live, hidden, recycled] = [
      await item(inside, 'live'),
      await item(inside, 'hidden'),
      await item(inside, 'recycled'),
    ]
    const deleted = await album('deleted')
    const wrong: string[] = []
    for (const kind of callerKinds) {
      const sees = rightsOfCaller[kind].includes('view')
      for (const [body, expected] of [
        [{ items: [live] }, sees ? 201 : 404],
        [{ items: [live, hidden] }, 404],
        [{ items: [recycled] }, 404],
        [{ items: [987_654_321] }, 404],
        [{ album: deleted }, 404],
        [{ album: 987_654_321 }, 404],
        [{ person: 987_654_321 }, 404],
      ] as const) {
        const { status } = await send(kind, 'POST', '/v1/links', { ...body, expires: null })
        const wanted = isUnauthenticated(kind) ? 401 : expected
        if (status !== wanted) wrong.push(`${kind}, ${JSON.stringify(body)}: ${status} instead of ${wanted}`)
      }
    }
    expect(wrong).toEqual([])
  }, 60_000)
})
