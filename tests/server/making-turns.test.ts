import { describe, expect, test } from 'bun:test'
import { anonymousWith, terminalViewer } from '../../core/accounts/access.ts'
import { createMakingTurns, type Requester, requesterOf } from '../../server/bytes/making-turns.ts'

const ana: Requester = { key: 'user 1', signedIn: true }
const ben: Requester = { key: 'user 2', signedIn: true }
const visitor: Requester = { key: '192.0.2.1', signedIn: false }
const other: Requester = { key: '192.0.2.2', signedIn: false }

const roomy = { atOnce: 1, ofOne: 100, inAll: 100 }

/** Turns whose work ends when the test says so. */
function opened(limits: { signedIn?: Partial<typeof roomy>; others?: Partial<typeof roomy> } = {}, waitMs = 60_000) {
  const turns = createMakingTurns<string>(
    { signedIn: { ...roomy, ...limits.signedIn }, others: { ...roomy, ...limits.others } },
    { waitMs },
  )
  const begun: string[] = []
  const over: string[] = []
  const running = new Map<string, PromiseWithResolvers<string>>()
  return {
    turns,
    begun,
    over,
    ask(name: string, asking: Requester) {
      const work = () => {
        const ending = Promise.withResolvers<string>()
        running.set(name, ending)
        begun.push(name)
        return ending.promise
      }
      return turns.take(name, asking, work, () => over.push(name))
    },
    async end(name: string) {
      running.get(name)?.resolve(`made ${name}`)
      // What follows from it has happened after a turn of the event loop.
      await new Promise(resolve => setImmediate(resolve))
    },
  }
}

/** A rejection affects nobody else. */
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code: string; retryAfter?: number }) => [error.code, error.retryAfter],
  )

describe('work that is wanted', () => {
  test('starts in the order of askers and not of pieces: one who asks for much waits longer', async () => {
    const { ask, begun, end } = opened()
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name, ana)
    for (const name of ['b1', 'b2']) void ask(name, ben)
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
  })

  test('starts for visitors when nobody waits who is signed in, and with their own places', async () => {
    const { ask, begun, end } = opened()
    for (const name of ['v1', 'v2']) void ask(name, visitor)
    expect(begun).toEqual(['v1'])
    // A stranger's piece is running: signed-in users do not wait for it.
    for (const name of ['a1', 'a2']) void ask(name, ana)
    expect(begun).toEqual(['v1', 'a1'])
    await end('v1')
    expect(begun).toEqual(['v1', 'a1'])
    await end('a1')
    expect(begun).toEqual(['v1', 'a1', 'a2', 'v2'])
  })

  test('is done once for all who ask for it, and again for who is signed in where a visitor asked first', async () => {
    const { ask, begun, over, end } = opened({ signedIn: { atOnce: 2 } })
    const asked = [ask('x', visitor), ask('x', other), ask('x', ana), ask('x', ben)]
    expect(begun).toEqual(['x', 'x'])
    // Those who joined will not need their own work.
    expect(over).toEqual(['x', 'x'])
    await end('x')
    expect(await Promise.all(asked.slice(2))).toEqual(['made x', 'made x'])
  })

  test('that several wait for starts with whoever of them has the first turn', async () => {
    const { ask, begun, end } = opened()
    for (const name of ['a1', 'a2', 'a3', 'shared']) void ask(name, ana)
    void ask('shared', ben)
    await end('a1')
    await end('a2')
    expect(begun).toEqual(['a1', 'a2', 'shared'])
  })

  test('never starts once nobody waits for it', async () => {
    const { ask, begun, over, end, turns } = opened()
    const [gone, stays] = [new AbortController(), new AbortController()]
    void ask('a1', ana)
    const left = codeOf(ask('a2', { ...ana, signal: gone.signal }))
    const shared = [
      codeOf(ask('a3', { ...ana, signal: gone.signal })),
      codeOf(ask('a3', { ...ben, signal: stays.signal })),
    ]
    gone.abort()
    expect(await left).toEqual(['interrupted', undefined])
    expect(over).toEqual(['a3', 'a2'])
    await end('a1')
    expect(begun).toEqual(['a1', 'a3'])
    await end('a3')
    expect(await Promise.all(shared)).toEqual([['interrupted', undefined], 'done'])
    expect(turns.waiting()).toBe(0)
    expect(await codeOf(ask('late', { ...ana, signal: gone.signal }))).toEqual(['interrupted', undefined])
    expect(begun).toEqual(['a1', 'a3'])
  })

  test('that fails gives its place to the next, and its failure to all who waited', async () => {
    const turns = createMakingTurns<string>({ signedIn: roomy, others: roomy })
    const asked = Promise.allSettled(
      [ana, ben].map(asking => turns.take('x', asking, () => Promise.reject(new Error('no such file')))),
    )
    const next = turns.take('y', ana, () => Promise.resolve('made'))
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await next).toBe('made')
  })
})

describe('too much', () => {
  test('of one asker is refused at once with Retry-After, and others still have room', async () => {
    const { ask } = opened({ others: { ofOne: 2 } })
    for (const name of ['v1', 'v2', 'v3']) void ask(name, visitor)
    expect(await codeOf(ask('v4', visitor))).toEqual(['unavailable', 5])
    const theirs = ask('o1', other)
    expect(await Promise.race([theirs, Promise.resolve('waits')])).toBe('waits')
  })

  test('of all askers together is refused, but not to people who are signed in', async () => {
    const { ask, begun } = opened({ others: { inAll: 3 } })
    for (let n = 0; n < 4; n++) void ask(`v${n}`, { key: `192.0.2.${n}`, signedIn: false })
    expect(await codeOf(ask('v4', other))).toEqual(['unavailable', 5])
    void ask('a1', ana)
    expect(begun).toEqual(['v0', 'a1'])
  })

  test('waiting ends with 503, also where the work has started, which then continues', async () => {
    const { ask, begun, over, end } = opened({}, 1)
    const asked = [ask('v1', visitor), ask('v2', visitor)].map(codeOf)
    expect(await Promise.all(asked)).toEqual([
      ['unavailable', 5],
      ['unavailable', 5],
    ])
    expect(over).toEqual(['v2'])
    const patient = ask('v1', { ...other, patient: true })
    await end('v1')
    expect(await patient).toBe('made v1')
    expect([begun, over]).toEqual([['v1'], ['v2', 'v1', 'v1']])
  })
})

test('users count by account, devices by token, visitors by address, of IPv6 by network', () => {
  const anonymous = anonymousWith(new Map())
  const at = (address: string) => requesterOf({ ...anonymous, address })
  expect(requesterOf({ ...terminalViewer, kind: 'user', userId: 7 })).toEqual({ key: 'user 7', signedIn: true })
  expect(at('192.0.2.7')).toEqual({ key: '192.0.2.7', signedIn: false })
  expect(at('2001:db8::1').key).toBe(at('2001:db8::2').key)
  const device = { tokenId: 3, ownerId: 1, saverId: null }
  expect(requesterOf({ ...anonymous, kind: 'device', device })).toEqual({ key: 'device 3', signedIn: false })
})
