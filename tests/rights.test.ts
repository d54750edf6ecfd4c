import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Album, type AlbumRole, albumRoles } from '../schema/api/albums.ts'
import { byteRoutes } from '../schema/api/bytes.ts'
import { calls } from '../schema/api/calls.ts'
import type { AccessRule, Endpoint } from '../schema/api/contract.ts'
import { exampleOf } from '../schema/api/reference/examples.ts'
import {
  type AlbumKind,
  administersElsewhere,
  albumKinds,
  albumRoleOfCaller,
  type CallerKind,
  type CollectionKind,
  callerKinds,
  collectionKinds,
  type GroupKind,
  groupKinds,
  type ItemState,
  isUnauthenticated,
  isUnlocked,
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

const has = (kind: CallerKind, right: string) => rightsOfCaller[kind].includes(right)

const administersSomething = (kind: CallerKind) => has(kind, 'admin') || administersElsewhere(kind)

/** The status with which a call refuses the caller before it looks anything up, or null. */
function refusedFirst({ who }: AccessRule, kind: CallerKind): number | null {
  if (who === 'all') return null
  if (isUnauthenticated(kind)) return 401
  if (who === 'globalAdmin' && kind !== 'admin') return 403
  if (who === 'anyUpdate' && !has(kind, 'update') && !administersElsewhere(kind)) return 403
  if (who === 'anyAdmin' && !administersSomething(kind)) return 403
  return null
}

function seesCollection(kind: CallerKind, thingKind: CollectionKind): boolean {
  return thingKind === 'public' || has(kind, 'view')
}

/** Does the caller see an item in this state, in a collection of this kind? */
function seesItem(kind: CallerKind, thingKind: CollectionKind, state: ItemState): boolean {
  if (state === 'absent' || !seesCollection(kind, thingKind)) return false
  if (state === 'recycled' || state === 'missing') return has(kind, 'update')
  return state === 'live' || isUnlocked(kind)
}

/** 'through': any status that is not a refusal because of who the caller is. */
type Expected = number | 'through'

function expectedForItem(rule: AccessRule, kind: CallerKind, thingKind: CollectionKind, state: ItemState): Expected {
  const first = refusedFirst(rule, kind)
  if (first !== null) return first
  if (!seesItem(kind, thingKind, state)) return 404
  const right = rule.on?.right ?? 'view'
  return right === 'view' || has(kind, right) ? 'through' : 403
}

function expectedForCollection(
  rule: AccessRule,
  kind: CallerKind,
  thingKind: CollectionKind,
  absent: boolean,
): Expected {
  const first = refusedFirst(rule, kind)
  if (first !== null) return first
  if (absent) return 404
  if (!seesCollection(kind, thingKind)) return 404
  const right = rule.on?.right ?? 'view'
  return right === 'view' || has(kind, right) ? 'through' : 403
}

/** A refusal because of who the caller is or what they cannot see; everything else is the call's own response. */
function isRefusal(status: number): boolean {
  return status === 401 || status === 403 || status === 404
}

interface Call {
  name: string
  method: string
  path: string
  rule: AccessRule
  body: unknown
  query: string
}

/** Bodies and parameters that pass validation; later refusals do not matter here. */
const parameters: Record<string, string> = {
  'items.rotate': 'direction=left',
  'bytes.upload': 'name=a.jpg',
  'screensavers.create': 'name=New&random=true',
}
const bodies: Record<string, unknown> = {
  'tags.create': { data: 'words' },
  'tags.update': { data: 'words' },
  'tags.createPerson': { data: { person: 0, x: 10, y: 10, width: 50, height: 50 } },
  'tags.updatePerson': { data: { person: 0, x: 10, y: 10, width: 50, height: 50 } },
  'shares.create': { expires: 24 },
  // No item has this id: whether an existing item may be moved would depend on the tests before.
  'collections.transfer': { items: [987_654_321] },
  'albums.update': { name: 'New' },
  'albums.setItems': {},
  'albums.order': { items: [987_654_321], before: null },
  'albums.setMember': { username: 'gone', role: 'view' },
}

const allCalls: Call[] = [
  ...Object.entries(calls).flatMap(([group, table]) =>
    Object.entries<Endpoint>(table).map(([name, call]) => ({
      name: `${group}.${name}`,
      method: call.method,
      path: call.path,
      rule: call.rule,
      body: call.method === 'GET' ? undefined : (bodies[`${group}.${name}`] ?? exampleOf(call.body)),
      query: parameters[`${group}.${name}`] ?? '',
    })),
  ),
  ...Object.entries(byteRoutes).map(([name, route]) => ({
    name: `bytes.${name}`,
    method: route.method,
    path: route.path,
    rule: route.rule,
    body: undefined,
    query: parameters[`bytes.${name}`] ?? '',
  })),
]

/** Values of path parameters besides the id. They need not exist: callers without rights are refused before. */
const otherParameters: Record<string, string> = {
  tagName: 'Description',
  tagId: '99999',
  regionId: '99999',
  name: 'A'.repeat(22),
  accessId: '99999',
  username: 'viewer',
  otherId: '99999',
  nameId: '99999',
  faceId: '99999',
  propId: '99999',
  fileid: 'none',
  element: 'none',
  file: 'none',
  step: 'none',
  tag: 'Keywords',
}

function urlOf({ path, query }: Call, id: number, kind: CallerKind): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => otherParameters[name] ?? String(id))
  const value = testServer().values.get(kind)
  const more = [query, value === undefined ? '' : `includeHidden=${value}`].filter(part => part !== '').join('&')
  return more === '' ? filled : `${filled}?${more}`
}

/** Calls that name a second thing, which does not exist: callers with the right get 404 for it. */
const namesSecondThing = new Set([
  'tags.remove',
  'tags.removePerson',
  'tags.removeObject',
  'tags.updatePerson',
  'tags.updateObject',
  'access.attach',
  'access.detach',
  'collections.import',
  'collections.transfer',
  'collections.safetyFiles',
  'bytes.stream',
  'bytes.image',
])

interface Probe {
  name: string
  kind: CallerKind
  thing: string
  expected: Expected
  status: number
}

function faultsOf(probes: readonly Probe[]): string[] {
  return probes
    .filter(({ name, expected, status }) => {
      if (expected !== 'through') return status !== expected
      return isRefusal(status) && !(status === 404 && namesSecondThing.has(name))
    })
    .map(({ kind, thing, expected, status }) => `${kind} on ${thing}: ${status} instead of ${expected}`)
}

/** Calls after which the tokens of some callers would be invalid. Other tests cover them. */
const testedElsewhere = new Set(['users.logout', 'users.renew', 'users.endSessions', 'users.disable', 'users.reset'])
const tested = allCalls.filter(({ name }) => !testedElsewhere.has(name))

/** Expected results that differ from the call's rule; null where the rule holds. */
const exceptions: Record<string, (kind: CallerKind, thingKind: CollectionKind, state: ItemState) => Expected | null> = {
  // Only administrators delete recycled items for good.
  'items.remove': (kind, _of, state) =>
    state === 'recycled' && has(kind, 'update') && !has(kind, 'admin') ? 403 : null,
  // Only live items can be shared. Hidden items cannot, not even by users who see them.
  'shares.create': (kind, _of, state) => (state !== 'live' && !isUnauthenticated(kind) ? 404 : null),
  // A device may read the pictures and streams of its saver only, not even items that visitors see.
  'items.get': kind => (kind === 'device' ? 404 : null),
}

/** Calls that write files: in a read-only collection they are refused even to callers with the right. */
const writesFiles = new Set(['collections.exportMetadata', 'collections.import', 'bytes.upload'])

/** The rules of these calls admit everybody, but the calls refuse the tokens of these callers with 401. */
const unauthorised: Record<string, readonly CallerKind[]> = {
  'screensavers.list': [
    'expired',
    'forged',
    'loggedOut',
    'share',
    'resetDevice',
    'resetScript',
    'endedDevice',
    'endedScript',
  ],
  'screensavers.create': ['device'],
}

/** Creates the subject of the next calls; creates another one after a call that may have changed it. */
function createSubject(call: Call, create: () => Promise<number>) {
  let id: number | null = null
  return {
    async get(): Promise<number> {
      id ??= await create()
      return id
    },
    afterCall(expected: Expected): void {
      if (expected === 'through' && call.method !== 'GET') id = null
    },
  }
}

describe('an item', () => {
  for (const call of tested.filter(({ rule }) => rule.on?.thing === 'item')) {
    test(`${call.method} ${call.path} (${call.name})`, async () => {
      const probes: Probe[] = []
      const { collection, item, send } = testServer()
      for (const thingKind of collectionKinds) {
        const collectionId = await collection(thingKind)
        for (const state of itemStates) {
          const subject = createSubject(call, () => item(collectionId, state))
          for (const kind of callerKinds) {
            const id = await subject.get()
            const { status } = await send(kind, call.method, urlOf(call, id, kind), call.body)
            const expected =
              exceptions[call.name]?.(kind, thingKind, state) ?? expectedForItem(call.rule, kind, thingKind, state)
            probes.push({
              name: call.name,
              kind,
              thing: `a ${state} item of a ${thingKind} collection`,
              expected,
              status,
            })
            subject.afterCall(expected)
          }
        }
      }
      expect(faultsOf(probes)).toEqual([])
    }, 120_000)
  }
})

describe('a collection', () => {
  for (const call of tested.filter(({ rule }) => rule.on?.thing === 'collection')) {
    test(`${call.method} ${call.path} (${call.name})`, async () => {
      const probes: Probe[] = []
      const { collection, send } = testServer()
      for (const thingKind of [...collectionKinds, 'absent' as const]) {
        const subject = createSubject(call, async () => (thingKind === 'absent' ? 987_654_321 : collection(thingKind)))
        for (const kind of callerKinds) {
          const id = await subject.get()
          const { status } = await send(kind, call.method, urlOf(call, id, kind), call.body)
          const ruled = expectedForCollection(
            call.rule,
            kind,
            thingKind === 'absent' ? 'private' : thingKind,
            thingKind === 'absent',
          )
          const expected = ruled === 'through' && thingKind === 'readonly' && writesFiles.has(call.name) ? 403 : ruled
          probes.push({ name: call.name, kind, thing: `a ${thingKind} collection`, expected, status })
          subject.afterCall(expected)
        }
      }
      expect(faultsOf(probes)).toEqual([])
    }, 120_000)
  }
})

/** May the caller read and change this group? A loose group's owner may, while they still administer a collection. */
function hasGroup(kind: CallerKind, thingKind: GroupKind): boolean {
  if (thingKind === 'absent') return false
  return kind === 'admin' || (thingKind === 'own' && administersSomething(kind))
}

/** The expected result of a call on a group. A collection in its path is one that the caller administers, if any. */
function expectedForGroup(call: Call, kind: CallerKind, thingKind: GroupKind): Expected {
  const first = refusedFirst(call.rule, kind)
  if (first !== null) return first
  if (call.rule.on?.thing === 'collection' && !administersSomething(kind)) return has(kind, 'view') ? 403 : 404
  // None of these groups is attached to the collection.
  if (call.name === 'access.detach') return 404
  return hasGroup(kind, thingKind) ? 'through' : 404
}

describe('an access group that is not attached to the collection', () => {
  const calls = allCalls.filter(({ rule, path }) => rule.on?.thing === 'group' || path.includes(':accessId'))
  test('is the subject of these calls only', () => {
    expect(calls.map(({ name }) => name).sort()).toEqual([
      'access.addMember',
      'access.attach',
      'access.detach',
      'access.members',
      'access.removeMember',
      'access.update',
    ])
  })
  for (const call of calls) {
    test(`${call.method} ${call.path} (${call.name})`, async () => {
      const probes: Probe[] = []
      const { collection, elsewhere, group, library, send } = testServer()
      const membersOf = (id: number) => library.db.all('SELECT * FROM access_members WHERE group_id = ?', id)
      for (const thingKind of groupKinds) {
        const subject = createSubject(call, () => collection('private'))
        for (const kind of callerKinds) {
          const id = await group(thingKind, kind)
          const collectionId = administersElsewhere(kind) ? elsewhere : await subject.get()
          const path = call.path
            .replace(':collectionId', String(collectionId))
            .replace(/:(id|accessId)/, String(id))
            // The user `gone` has no session any more, so no caller gets a right by this call.
            .replace(':username', 'gone')
          const before = membersOf(id)
          const { status } = await send(kind, call.method, path, call.body)
          const expected = expectedForGroup(call, kind, thingKind)
          // The name differs from the call's, so that `namesSecondThing` does not excuse a 404 here.
          probes.push({ name: `${call.name} of a group`, kind, thing: `a group (${thingKind})`, expected, status })
          if (expected !== 'through') expect(membersOf(id)).toEqual(before)
          subject.afterCall(expected)
        }
      }
      expect(faultsOf(probes)).toEqual([])
    }, 120_000)
  }

  test('is listed only for its owner and for global admins', async () => {
    const { group, send } = testServer()
    const wrong: string[] = []
    for (const kind of callerKinds) {
      const ids = new Map<GroupKind, number>()
      for (const thingKind of groupKinds) ids.set(thingKind, await group(thingKind, kind))
      const response = await send(kind, 'GET', '/v1/access/loose', undefined)
      if (!administersSomething(kind)) {
        if (response.status !== (isUnauthenticated(kind) ? 401 : 403)) wrong.push(`${kind}: ${response.status}`)
        continue
      }
      const listed: { id: number }[] = JSON.parse(await response.text())
      for (const [thingKind, id] of ids) {
        const isThere = listed.some(one => one.id === id)
        if (isThere !== (hasGroup(kind, thingKind) && thingKind !== 'usedElsewhere'))
          wrong.push(`${kind}, ${thingKind}: ${isThere}`)
      }
    }
    expect(wrong).toEqual([])
  }, 60_000)
})

describe('a shared link', () => {
  // All that matters is whether the user who shared the item still sees it, not who opens the link.
  for (const state of itemStates.filter(one => one !== 'absent')) {
    test(`to a ${state} item is ${state === 'live' ? 'open to everybody' : 'not found for everybody'}`, async () => {
      const { collection, item, share, send } = testServer()
      const name = await share(await item(await collection('private'), state))
      const wrong: string[] = []
      for (const kind of callerKinds) {
        const { status } = await send(kind, 'GET', `/v1/share/${name}`, undefined)
        if (status !== (state === 'live' ? 200 : 404)) wrong.push(`${kind}: ${status}`)
        for (const what of ['image', 'stream']) {
          const bytes = await send(kind, 'GET', `/v1/share/${name}/${what}`, undefined)
          // The items of the server have no files: there is nothing to send.
          if (bytes.status !== 404) wrong.push(`${kind}, ${what}: ${bytes.status}`)
        }
      }
      expect(wrong).toEqual([])
    })
  }
})

/** What the caller may do with an album; null if they do not see it. */
function roleInAlbum(kind: CallerKind, thingKind: AlbumKind): AlbumRole | null {
  if (thingKind === 'absent' || thingKind === 'deleted') return null
  const role = albumRoleOfCaller[kind] ?? null
  // Whoever sees an album sees its folder.
  if (thingKind === 'folder') return role === null ? null : 'view'
  if (thingKind === 'orphan') return kind === 'admin' ? 'manage' : role === 'manage' ? null : role
  // A device sees only what its screen saver plays, so the album is empty for it.
  return role ?? (thingKind === 'public' && kind !== 'device' ? 'view' : null)
}

function expectedForAlbum(call: Call, kind: CallerKind, thingKind: AlbumKind): Expected {
  const first = refusedFirst(call.rule, kind)
  if (first !== null) return first
  const role = roleInAlbum(kind, thingKind)
  if (role === null) return 404
  // Members who only see an album may end their own membership, but not change others.
  const right = call.name === 'albums.setMember' ? 'admin' : (call.rule.on?.right ?? 'view')
  const needed = right === 'view' ? 'view' : right === 'create' ? 'add' : 'manage'
  // Only global admins manage an album of somebody else as if it were their own.
  if (right === 'owner' && thingKind !== 'orphan') return 403
  return albumRoles.indexOf(role) >= albumRoles.indexOf(needed) ? 'through' : 403
}

describe('an album of somebody else', () => {
  for (const call of tested.filter(({ rule }) => rule.on?.thing === 'album')) {
    test(`${call.method} ${call.path} (${call.name})`, async () => {
      const probes: Probe[] = []
      const { album, send, library } = testServer()
      const stateOf = () =>
        library.db.all(
          'SELECT a.*, m.user_id, m.role FROM albums AS a LEFT JOIN album_members AS m ON m.album_id = a.id',
        )
      for (const thingKind of albumKinds) {
        const subject = createSubject(call, () => album(thingKind))
        for (const kind of callerKinds) {
          const id = await subject.get()
          const before = stateOf()
          const { status } = await send(kind, call.method, urlOf(call, id, kind), call.body)
          const expected = expectedForAlbum(call, kind, thingKind)
          probes.push({ name: call.name, kind, thing: `an album (${thingKind})`, expected, status })
          if (expected !== 'through') expect(stateOf()).toEqual(before)
          subject.afterCall(expected)
        }
      }
      expect(faultsOf(probes)).toEqual([])
    }, 120_000)
  }

  test('is listed for those who see it', async () => {
    const { album, send } = testServer()
    const wrong: string[] = []
    for (const thingKind of albumKinds) {
      const id = await album(thingKind)
      for (const kind of callerKinds) {
        const response = await send(kind, 'GET', '/v1/albums', undefined)
        const { albums }: { albums: Album[] } = JSON.parse(await response.text())
        const role = albums.find(one => one.id === id)?.role ?? null
        if (role !== roleInAlbum(kind, thingKind)) wrong.push(`${kind}, ${thingKind}: ${role}`)
      }
    }
    expect(wrong).toEqual([])
  }, 60_000)
})

describe('a call without an item, collection or album', () => {
  const things: readonly unknown[] = ['item', 'collection', 'album']
  const rest = tested.filter(({ rule }) => !things.includes(rule.on?.thing))
  for (const call of rest) {
    test(`${call.method} ${call.path} (${call.name})`, async () => {
      const probes: Probe[] = []
      const { send } = testServer()
      for (const kind of callerKinds) {
        const { status } = await send(kind, call.method, urlOf(call, 987_654_321, kind), call.body)
        const first = unauthorised[call.name]?.includes(kind) === true ? 401 : refusedFirst(call.rule, kind)
        // Callers who may make the call may get any status, such as 404 for the missing thing, but never 401.
        probes.push({
          name: call.name,
          kind,
          thing: 'a missing thing',
          expected: first ?? (status === 401 ? 'through' : status),
          status,
        })
      }
      expect(faultsOf(probes)).toEqual([])
    }, 60_000)
  }
})

test('dates of many items are shifted only by those who may change each of them', async () => {
  const { collection, item, elsewhere, make, send, library } = testServer()
  const own = await collection('private')
  const live = await item(own, 'live')
  const last = await item(own, 'live')
  const isAdmin = (kind: CallerKind) => kind === 'admin'
  const others: Record<string, [id: number, expected: (kind: CallerKind) => Expected]> = {
    seen: [
      await item(await make.collection({ public: true }), 'live'),
      kind => (isAdmin(kind) ? 'through' : has(kind, 'view') ? 403 : 404),
    ],
    unseen: [await item(elsewhere, 'live'), kind => (isAdmin(kind) ? 'through' : 404)],
    hidden: [await item(own, 'hidden'), kind => expectedForItem(calls.tags.bulk.rule, kind, 'private', 'hidden')],
    absent: [987_654_321, () => 404],
  }
  const wrong: string[] = []
  for (const kind of callerKinds) {
    const before = library.db.all('SELECT * FROM jobs')
    const bodies = new Set<string>()
    for (const [what, [id, expectedOf]] of Object.entries(others)) {
      const expected = isUnauthenticated(kind) ? 401 : expectedOf(kind)
      if (expected === 'through') continue
      const changes = [{ tagName: 'DateTimeOriginal', mode: 'shift', data: 3600 }]
      const response = await send(kind, 'PUT', '/v1/item/tags', { items: [live, id, last], changes })
      if (response.status !== expected) wrong.push(`${kind}, ${what}: ${response.status} instead of ${expected}`)
      if (expected === 404) bodies.add(await response.text())
    }
    // Whoever may not see an item cannot tell it from one that does not exist.
    if (bodies.size > 1) wrong.push(`${kind}: ${[...bodies].join(', ')}`)
    expect(library.db.all('SELECT * FROM jobs')).toEqual(before)
  }
  expect(wrong).toEqual([])
  expect(library.db.all('SELECT 1 FROM history WHERE item_id IN (?, ?)', live, last)).toEqual([])
}, 60_000)
