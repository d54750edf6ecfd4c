import { describe, expect, test } from 'bun:test'
import { anonymousWith, terminalViewer } from '../../core/accounts/access.ts'
import { createFairQueue, type QueueCaller, queueCallerOf } from '../../server/bytes/fair-queue.ts'

const ana: QueueCaller = { key: 'user 1', signedIn: true }
const ben: QueueCaller = { key: 'user 2', signedIn: true }
const visitor: QueueCaller = { key: '192.0.2.1', signedIn: false }
const other: QueueCaller = { key: '192.0.2.2', signedIn: false }

const ample = { atOnce: 1, perKey: 100, total: 100 }

/** A queue whose work ends when the test calls `end`. */
function queueOf(limits: { signedIn?: Partial<typeof ample>; others?: Partial<typeof ample> } = {}, waitMs = 60_000) {
  const queue = createFairQueue<string>(
    { signedIn: { ...ample, ...limits.signedIn }, others: { ...ample, ...limits.others } },
    { waitMs },
  )
  const started: string[] = []
  const ended: string[] = []
  const running = new Map<string, PromiseWithResolvers<string>>()
  return {
    queue,
    started,
    ended,
    request(name: string, requester: QueueCaller) {
      const work = () => {
        const ending = Promise.withResolvers<string>()
        running.set(name, ending)
        started.push(name)
        return ending.promise
      }
      return queue.take(name, requester, work, () => ended.push(name))
    },
    async end(name: string) {
      running.get(name)?.resolve(`made ${name}`)
      // The consequences happen within a turn of the event loop.
      await new Promise(resolve => setImmediate(resolve))
    },
  }
}

/** The error code and Retry-After of a rejection, or 'done'. */
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code: string; retryAfter?: number }) => [error.code, error.retryAfter],
  )

describe('requested work', () => {
  test('starts in turn for each requester, so many requests of one do not delay the others', async () => {
    const { request, started, end } = queueOf()
    for (const name of ['a1', 'a2', 'a3', 'a4']) void request(name, ana)
    for (const name of ['b1', 'b2']) void request(name, ben)
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name)
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
  })

  test('of visitors starts only while no signed-in user waits, and occupies no place of signed-in users', async () => {
    const { request, started, end } = queueOf()
    for (const name of ['v1', 'v2']) void request(name, visitor)
    expect(started).toEqual(['v1'])
    // The work of a visitor is running: signed-in users do not wait for it.
    for (const name of ['a1', 'a2']) void request(name, ana)
    expect(started).toEqual(['v1', 'a1'])
    await end('v1')
    expect(started).toEqual(['v1', 'a1'])
    await end('a1')
    expect(started).toEqual(['v1', 'a1', 'a2', 'v2'])
  })

  test('is done once for all requesters, but again for signed-in users if a visitor requested it first', async () => {
    const { request, started, ended, end } = queueOf({ signedIn: { atOnce: 2 } })
    const requests = [request('x', visitor), request('x', other), request('x', ana), request('x', ben)]
    expect(started).toEqual(['x', 'x'])
    // Two requesters joined a running task. Their own work never starts, so it has ended at once.
    expect(ended).toEqual(['x', 'x'])
    await end('x')
    expect(await Promise.all(requests.slice(2))).toEqual(['made x', 'made x'])
  })

  test('for several requesters starts with the first turn of any of them', async () => {
    const { request, started, end } = queueOf()
    for (const name of ['a1', 'a2', 'a3', 'shared']) void request(name, ana)
    void request('shared', ben)
    await end('a1')
    await end('a2')
    expect(started).toEqual(['a1', 'a2', 'shared'])
  })

  test('never starts when nobody waits for it any more', async () => {
    const { request, started, ended, end, queue } = queueOf()
    const [gone, stays] = [new AbortController(), new AbortController()]
    void request('a1', ana)
    const left = codeOf(request('a2', { ...ana, signal: gone.signal }))
    const shared = [
      codeOf(request('a3', { ...ana, signal: gone.signal })),
      codeOf(request('a3', { ...ben, signal: stays.signal })),
    ]
    gone.abort()
    expect(await left).toEqual(['interrupted', undefined])
    expect(ended).toEqual(['a3', 'a2'])
    await end('a1')
    expect(started).toEqual(['a1', 'a3'])
    await end('a3')
    expect(await Promise.all(shared)).toEqual([['interrupted', undefined], 'done'])
    expect(queue.waiting()).toBe(0)
    expect(await codeOf(request('late', { ...ana, signal: gone.signal }))).toEqual(['interrupted', undefined])
    expect(started).toEqual(['a1', 'a3'])
  })

  test('that fails frees its place, and fails for everybody who waited', async () => {
    const queue = createFairQueue<string>({ signedIn: ample, others: ample })
    const requests = Promise.allSettled(
      [ana, ben].map(requester => queue.take('x', requester, () => Promise.reject(new Error('no such file')))),
    )
    const next = queue.take('y', ana, () => Promise.resolve('made'))
    expect((await requests).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await next).toBe('made')
  })
})

describe('too many requests', () => {
  test('of one requester are refused at once with Retry-After, and others still have room', async () => {
    const { request } = queueOf({ others: { perKey: 2 } })
    for (const name of ['v1', 'v2', 'v3']) void request(name, visitor)
    expect(await codeOf(request('v4', visitor))).toEqual(['unavailable', 5])
    const theirs = request('o1', other)
    expect(await Promise.race([theirs, Promise.resolve('waits')])).toBe('waits')
  })

  test('of all visitors together are refused, but not of signed-in users', async () => {
    const { request, started } = queueOf({ others: { total: 3 } })
    for (let n = 0; n < 4; n++) void request(`v${n}`, { key: `192.0.2.${n}`, signedIn: false })
    expect(await codeOf(request('v4', other))).toEqual(['unavailable', 5])
    void request('a1', ana)
    expect(started).toEqual(['v0', 'a1'])
  })

  test('that wait too long end with 503, while work that has started continues', async () => {
    const { request, started, ended, end } = queueOf({}, 1)
    const requests = [request('v1', visitor), request('v2', visitor)].map(codeOf)
    expect(await Promise.all(requests)).toEqual([
      ['unavailable', 5],
      ['unavailable', 5],
    ])
    expect(ended).toEqual(['v2'])
    const patient = request('v1', { ...other, unlimited: true })
    await end('v1')
    expect(await patient).toBe('made v1')
    expect([started, ended]).toEqual([['v1'], ['v2', 'v1', 'v1']])
  })
})

test('users count by account, devices by token, visitors by address or IPv6 network', () => {
  const anonymous = anonymousWith(new Map())
  const at = (address: string) => queueCallerOf({ ...anonymous, address })
  expect(queueCallerOf({ ...terminalViewer, kind: 'user', userId: 7 })).toEqual({ key: 'user 7', signedIn: true })
  expect(at('192.0.2.7')).toEqual({ key: '192.0.2.7', signedIn: false })
  expect(at('2001:db8::1').key).toBe(at('2001:db8::2').key)
  const device = { tokenId: 3, ownerId: 1, saverId: null }
  expect(queueCallerOf({ ...anonymous, kind: 'device', device })).toEqual({ key: 'device 3', signedIn: false })
})
