import { describe, expect, test } from 'bun:test'
import { seesHidden, terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { openAccounts } from '../../support/accounts.ts'

async function library() {
  const { clock, db, notes, sessions, unlock, account } = openAccounts()
  const ines = await account('ines')
  const open = async (user = ines) => (await sessions.open(user, 'test')).token
  const viewerOf = async (token: string): Promise<Viewer> => {
    const session = await sessions.of(token)
    if (session === null) throw new Error('the session is gone')
    return session.viewer
  }
  const failure = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error)
  return { clock, db, notes, sessions, unlock, account, open, viewerOf, failure }
}

describe('unlocking', () => {
  test('the right PIN unlocks only its own session, and only requests with the unlock value', async () => {
    const { unlock, open, viewerOf } = await library()
    const [mine, other] = [await open(), await open()]
    const { includeHidden, seconds } = await unlock.unlock(await viewerOf(mine), '4711')
    expect(seconds).toBe(900)
    expect(includeHidden.length).toBeGreaterThan(20)
    expect(seesHidden(await viewerOf(mine), includeHidden)).toBe(true)
    expect(seesHidden(await viewerOf(mine), undefined)).toBe(false)
    expect(seesHidden(await viewerOf(mine), `${includeHidden}x`)).toBe(false)
    expect(seesHidden(await viewerOf(other), includeHidden)).toBe(false)
    const second = await unlock.unlock(await viewerOf(other), '4711')
    expect(second.includeHidden).not.toBe(includeHidden)
    expect(seesHidden(await viewerOf(other), includeHidden)).toBe(false)
  })

  test('a session stays unlocked while it is used, and for fifteen minutes after that', async () => {
    const { unlock, open, viewerOf, clock } = await library()
    const token = await open()
    const { includeHidden } = await unlock.unlock(await viewerOf(token), '4711')
    for (let n = 0; n < 6; n++) {
      clock.advance(14 * 60)
      expect(seesHidden(await viewerOf(token), includeHidden)).toBe(true)
    }
    clock.advance(15 * 60)
    expect(seesHidden(await viewerOf(token), includeHidden)).toBe(false)
    clock.advance(1)
    expect((await viewerOf(token)).unlockValue).toBeNull()
  })

  test('locking a renewed session also locks the session that it replaced, at once', async () => {
    const { unlock, open, viewerOf, sessions } = await library()
    const token = await open()
    const { includeHidden } = await unlock.unlock(await viewerOf(token), '4711')
    const renewed = (await sessions.renew(await viewerOf(token), 'test')).token
    expect(seesHidden(await viewerOf(renewed), includeHidden)).toBe(true)
    await unlock.lock(await viewerOf(renewed))
    expect(seesHidden(await viewerOf(renewed), includeHidden)).toBe(false)
    expect(seesHidden(await viewerOf(token), includeHidden)).toBe(false)
  })

  test('five wrong PINs block unlocking for fifteen minutes in all sessions of the user, even with the right PIN', async () => {
    const { unlock, open, viewerOf, failure, clock, account } = await library()
    const [token, other] = [await open(), await open()]
    const enter = async (pin: string, of = token) => failure(unlock.unlock(await viewerOf(of), pin))
    for (let n = 0; n < 5; n++) expect(await enter('0000')).toMatchObject({ code: 'denied', message: 'Wrong PIN' })
    expect(await enter('4711')).toMatchObject({ code: 'tooMany', status: 429, retryAfter: 900 })
    expect(await enter('4711', other)).toMatchObject({ code: 'tooMany' })
    expect(await enter('4711', await open(await account('jan')))).toBeNull()
    clock.advance(899)
    expect(await enter('4711')).toMatchObject({ code: 'tooMany', retryAfter: 1 })
    clock.advance(1)
    expect(await enter('0000')).toMatchObject({ code: 'denied' })
    expect(await enter('4711')).toBeNull()
  })

  test('the right PIN resets the count of wrong PINs', async () => {
    const { unlock, open, viewerOf, failure } = await library()
    const token = await open()
    const enter = async (pin: string) => failure(unlock.unlock(await viewerOf(token), pin))
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) expect(await enter('0000')).toMatchObject({ code: 'denied' })
      expect(await enter('4711')).toBeNull()
    }
  })

  test('at most five of many simultaneous PINs are checked', async () => {
    const { unlock, open, viewerOf, failure, notes, db } = await library()
    const viewer = await viewerOf(await open())
    const guesses = Array.from({ length: 30 }, (_, n) => failure(unlock.unlock(viewer, String(1000 + n))))
    const results = await Promise.all(guesses)
    expect(results.filter(result => Object(result).code === 'denied')).toHaveLength(5)
    expect(results.filter(result => Object(result).code === 'tooMany')).toHaveLength(25)
    await notes.write()
    expect(db.all("SELECT user_id, count FROM audit_log WHERE action = 'unlock.failed'")).toEqual([
      { user_id: viewer.userId, count: 5 },
    ])
  })

  test('visitors, API tokens and the terminal cannot unlock', async () => {
    const { unlock, sessions, open, viewerOf, failure } = await library()
    expect(await failure(unlock.unlock(sessions.anonymous(), '4711'))).toMatchObject({ code: 'unauthenticated' })
    expect(await failure(unlock.unlock(terminalViewer, '4711'))).toMatchObject({ code: 'denied' })
    const token: Viewer = { ...(await viewerOf(await open())), sessionId: null }
    expect(await failure(unlock.unlock(token, '4711'))).toMatchObject({ code: 'denied' })
    expect(await failure(unlock.lock(sessions.anonymous()))).toMatchObject({ code: 'unauthenticated' })
  })

  test('a long PIN and an empty PIN are refused as wrong, even if the user has no PIN', async () => {
    const { unlock, open, viewerOf, failure, db } = await library()
    const token = await open()
    expect(await failure(unlock.unlock(await viewerOf(token), ''))).toMatchObject({ code: 'denied' })
    expect(await failure(unlock.unlock(await viewerOf(token), 'x'.repeat(200)))).toMatchObject({ code: 'denied' })
    await db.transact({ userId: null }, tx => void tx.run("UPDATE users SET pin_hash = ''"))
    expect(await failure(unlock.unlock(await viewerOf(token), ''))).toMatchObject({ code: 'denied' })
  })
})
