import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { byteRoutes } from '../schema/api/bytes.ts'
import { calls } from '../schema/api/calls.ts'
import type { AccessRule, Endpoint } from '../schema/api/contract.ts'
import { exampleOf } from '../schema/api/examples.ts'
import {
  type CallerKind,
  type CollectionKind,
  callerKinds,
  collectionKinds,
  type House,
  type ItemState,
  isNobody,
  isUnlocked,
  itemStates,
  openHouse,
  rightsOfCaller,
} from './support/rights-house.ts'

let opened: House | null = null
beforeAll(async () => {
  opened = await openHouse()
}, 60_000)
afterAll(async () => {
  await opened?.close()
})
function house(): House {
  if (opened === null) throw new Error('the house is not open')
  return opened
}

const has = (kind: CallerKind, right: string) => rightsOfCaller[kind].includes(right)

/** What a rule refuses whoever asks, before anything is looked up; null lets him through. */
function refusedFirst({ who }: AccessRule, kind: CallerKind): number | null {
  if (who === 'all') return null
  if (isNobody(kind)) return 401
  if (who === 'globalAdmin' && kind !== 'admin') return 403
  if (who === 'anyUpdate' && !has(kind, 'update')) return 403
  if (who === 'anyAdmin' && !has(kind, 'admin')) return 403
  return null
}

function seesCollection(kind: CallerKind, of: CollectionKind): boolean {
  return of === 'public' || has(kind, 'view')
}

/** Does the caller see an item in this state, in a collection of this kind? */
function seesItem(kind: CallerKind, of: CollectionKind, state: ItemState): boolean {
  if (state === 'absent' || !seesCollection(kind, of)) return false
  if (state === 'recycled' || state === 'missing') return has(kind, 'update')
  return state === 'live' || isUnlocked(kind)
}

/** 'through': anything but a refusal for who he is. */
type Expected = number | 'through'

function onItem(rule: AccessRule, kind: CallerKind, of: CollectionKind, state: ItemState): Expected {
  const first = refusedFirst(rule, kind)
  if (first !== null) return first
  if (!seesItem(kind, of, state)) return 404
  const right = rule.on?.right ?? 'view'
  return right === 'view' || has(kind, right) ? 'through' : 403
}

function onCollection(rule: AccessRule, kind: CallerKind, of: CollectionKind, absent: boolean): Expected {
  const first = refusedFirst(rule, kind)
  if (first !== null) return first
  if (absent) return 404
  if (!seesCollection(kind, of)) return 404
  const right = rule.on?.right ?? 'view'
  return right === 'view' || has(kind, right) ? 'through' : 403
}

/** A refusal for who somebody is, or for what he cannot see; all else is what the call says to somebody who may. */
function isRefusal(status: number): boolean {
  return status === 401 || status === 403 || status === 404
}

interface Asked {
  name: string
  method: string
  path: string
  rule: AccessRule
  body: unknown
  query: string
}

/** Bodies and parameters that a call takes; what it refuses them for later does not matter here. */
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
}

const every: Asked[] = [
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

/** Things that other path parameters point at: they need not exist for who may not even ask. */
const others: Record<string, string> = {
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

function urlOf({ path, query }: Asked, id: number, kind: CallerKind): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => others[name] ?? String(id))
  const value = house().values.get(kind)
  const more = [query, value === undefined ? '' : `includeHidden=${value}`].filter(part => part !== '').join('&')
  return more === '' ? filled : `${filled}?${more}`
}

/** They name a second thing, which is not there: whoever may ask is told that. */
const namesMore = new Set([
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

function told(probes: readonly Probe[]): string[] {
  return probes
    .filter(({ name, expected, status }) => {
      if (expected !== 'through') return status !== expected
      return isRefusal(status) && !(status === 404 && namesMore.has(name))
    })
    .map(({ kind, thing, expected, status }) => `${kind} on ${thing}: ${status} instead of ${expected}`)
}

/** Logging out ends the session that all others ask with; renewal gives it another id. */
const ownTests = new Set(['users.logout', 'users.renew', 'users.endSessions', 'users.disable', 'users.reset'])
const asked = every.filter(({ name }) => !ownTests.has(name))

/** Recycled items are deleted for good by those who administer, and what nobody may write is refused to all. */
const exceptions: Record<string, (kind: CallerKind, of: CollectionKind, state: ItemState) => Expected | null> = {
  'items.remove': (kind, _of, state) =>
    state === 'recycled' && has(kind, 'update') && !has(kind, 'admin') ? 403 : null,
  // A hidden item is not shared, whoever sees it.
  'shares.create': (kind, _of, state) => (state !== 'live' && !isNobody(kind) ? 404 : null),
  // A device reads its saver's pictures and streams, not what a visitor might read.
  'items.get': kind => (kind === 'device' ? 404 : null),
}

/** What writes files is refused where nothing may be written, to those who could otherwise. */
const writesFiles = new Set(['collections.exportMetadata', 'collections.import', 'bytes.upload'])

/** A Bearer that is nobody's is told so: a device asks until somebody has registered it. */
const ownAnswers: Record<string, readonly CallerKind[]> = {
  'screensavers.list': ['expired', 'forged', 'loggedOut', 'share'],
  'screensavers.create': ['device'],
}

describe('an item', () => {
  for (const call of asked.filter(({ rule }) => rule.on?.thing === 'item')) {
    test(`${call.method} ${call.path} (${call.name})`, async () => {
      const probes: Probe[] = []
      const { collection, item, send } = house()
      for (const of of collectionKinds) {
        const collectionId = await collection(of)
        for (const state of itemStates) {
          for (const kind of callerKinds) {
            const id = await item(collectionId, state)
            const { status } = await send(kind, call.method, urlOf(call, id, kind), call.body)
            const expected = exceptions[call.name]?.(kind, of, state) ?? onItem(call.rule, kind, of, state)
            probes.push({ name: call.name, kind, thing: `a ${state} item of a ${of} collection`, expected, status })
          }
        }
      }
      expect(told(probes)).toEqual([])
    }, 120_000)
  }
})

describe('a collection', () => {
  for (const call of asked.filter(({ rule }) => rule.on?.thing === 'collection')) {
    test(`${call.method} ${call.path} (${call.name})`, async () => {
      const probes: Probe[] = []
      const { collection, send } = house()
      for (const of of [...collectionKinds, 'absent' as const]) {
        for (const kind of callerKinds) {
          const id = of === 'absent' ? 987_654_321 : await collection(of)
          const { status } = await send(kind, call.method, urlOf(call, id, kind), call.body)
          const ruled = onCollection(call.rule, kind, of === 'absent' ? 'private' : of, of === 'absent')
          const expected = ruled === 'through' && of === 'readonly' && writesFiles.has(call.name) ? 403 : ruled
          probes.push({ name: call.name, kind, thing: `a ${of} collection`, expected, status })
        }
      }
      expect(told(probes)).toEqual([])
    }, 120_000)
  }
})

describe('a shared link', () => {
  // Who opens it does not matter, nor what he may do besides: only whether its maker still sees the item.
  for (const state of itemStates.filter(one => one !== 'absent')) {
    test(`to a ${state} item is ${state === 'live' ? 'open to everybody' : 'dead for everybody'}`, async () => {
      const { collection, item, share, send } = house()
      const name = await share(await item(await collection('private'), state))
      const wrong: string[] = []
      for (const kind of callerKinds) {
        const { status } = await send(kind, 'GET', `/v1/share/${name}`, undefined)
        if (status !== (state === 'live' ? 200 : 404)) wrong.push(`${kind}: ${status}`)
        for (const what of ['image', 'stream']) {
          const bytes = await send(kind, 'GET', `/v1/share/${name}/${what}`, undefined)
          // The house has rows without files: there is nothing to send, and nothing to refuse.
          if (bytes.status !== 404) wrong.push(`${kind}, ${what}: ${bytes.status}`)
        }
      }
      expect(wrong).toEqual([])
    })
  }
})

describe('who may ask at all', () => {
  const rest = asked.filter(({ rule }) => rule.on?.thing !== 'item' && rule.on?.thing !== 'collection')
  for (const call of rest) {
    test(`${call.method} ${call.path} (${call.name})`, async () => {
      const probes: Probe[] = []
      const { send } = house()
      for (const kind of callerKinds) {
        const { status } = await send(kind, call.method, urlOf(call, 987_654_321, kind), call.body)
        const first = ownAnswers[call.name]?.includes(kind) === true ? 401 : refusedFirst(call.rule, kind)
        // Of a thing that is not there, whoever may ask is told so, or what else is wrong.
        probes.push({
          name: call.name,
          kind,
          thing: 'what is not there',
          expected: first ?? (status === 401 ? 'through' : status),
          status,
        })
      }
      expect(told(probes)).toEqual([])
    }, 60_000)
  }
})
