import { describe, expect, test } from 'bun:test'
import { SignJWT } from 'jose'
import { openAccounts } from '../../support/accounts.ts'

const tokenKey = 'ab'.repeat(32)
const actor = { userId: null }

async function library() {
  const accounts = openAccounts(tokenKey)
  return { ...accounts, ines: await accounts.account('Ines', { globalAdmin: true }) }
}

const here = { address: '192.0.2.1', agent: 'test' }

describe('sessions', () => {
  test('a login ignores the case of the username and returns the token of a session', async () => {
    const { sessions } = await library()
    const { token, user } = await sessions.login('iNES', 'good picture', here)
    expect(user.username).toBe('Ines')
    const found = await sessions.of(token)
    expect(found?.viewer).toMatchObject({ kind: 'user', username: 'Ines', globalAdmin: true })
  })

  test('an unknown name and a wrong password fail with the same error', async () => {
    const { sessions } = await library()
    const wrong = await sessions.login('Ines', 'bad picture', here).catch((error: unknown) => error)
    const unknown = await sessions.login('Nobody', 'bad picture', here).catch((error: unknown) => error)
    expect(wrong).toMatchObject({ code: 'unauthenticated', message: 'Login Failed' })
    expect(unknown).toMatchObject({ code: 'unauthenticated', message: 'Login Failed' })
  })

  test('logging out, changing the password and disabling the user each end a session at once', async () => {
    const { sessions, users, db } = await library()
    const first = await sessions.login('Ines', 'good picture', here)
    const open = await sessions.of(first.token)
    if (open === null) throw new Error('the session is not open')
    await sessions.logout(open.viewer)
    expect(await sessions.of(first.token)).toBeNull()

    const second = await sessions.login('Ines', 'good picture', here)
    await users.setPassword(actor, 'ines', 'better picture')
    expect(await sessions.of(second.token)).toBeNull()

    const third = await sessions.login('Ines', 'better picture', here)
    await db.transact(actor, tx => tx.run('UPDATE users SET disabled = 1').changes)
    expect(await sessions.of(third.token)).toBeNull()
  })

  test('renewal returns a new session, and the old one stays valid for 60 seconds', async () => {
    const { sessions, clock } = await library()
    const old = await sessions.login('Ines', 'good picture', here)
    const open = await sessions.of(old.token)
    if (open === null) throw new Error('the session is not open')
    clock.advance(5)
    const renewed = await sessions.renew(open.viewer, 'test')
    expect(renewed.token).not.toBe(old.token)
    expect(renewed.csrf).toBe(old.csrf)
    clock.advance(59)
    expect(await sessions.of(old.token)).not.toBeNull()
    clock.advance(2)
    expect(await sessions.of(old.token)).toBeNull()
    expect(await sessions.of(renewed.token)).not.toBeNull()
  })

  test('a token is valid for 30 days', async () => {
    const { sessions, clock } = await library()
    const { token } = await sessions.login('Ines', 'good picture', here)
    clock.advance(30 * 86_400 - 1)
    expect(await sessions.of(token)).not.toBeNull()
    clock.advance(2)
    expect(await sessions.of(token)).toBeNull()
  })

  test('tokens with another key, another algorithm, or missing or changed claims are rejected', async () => {
    const { sessions, clock, ines } = await library()
    const { token } = await sessions.login('Ines', 'good picture', here)
    const [header = '', payload = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const unsignedHeader = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    const signed = (change: (jwt: SignJWT) => SignJWT, key: string, content: object) =>
      change(new SignJWT({ ...content }).setProtectedHeader({ alg: 'HS256' })).sign(Buffer.from(key, 'hex'))
    const now = Math.floor(clock.now() / 1000)
    const { exp: _, ...withoutEnd } = claims
    const forged = [
      '',
      'x',
      `${unsignedHeader}.${payload}.`,
      `${header}.${payload}.${signature.slice(0, -2)}AA`,
      await signed(jwt => jwt, 'cd'.repeat(32), claims),
      await signed(jwt => jwt, tokenKey, withoutEnd),
      await signed(jwt => jwt, tokenKey, { ...claims, typ: 'device' }),
      await signed(jwt => jwt, tokenKey, { ...claims, sub: String(ines.id + 1) }),
      await signed(jwt => jwt, tokenKey, { ...claims, sid: 'f'.repeat(32), exp: now + 100 }),
    ]
    for (const one of forged) expect(await sessions.of(one)).toBeNull()
  })
})

describe('users', () => {
  test('a username that differs from another one only by case is refused', async () => {
    const { users } = await library()
    const again = users.create(actor, {
      username: 'INES',
      name: 'x',
      email: 'a@b',
      password: 'abc',
      unlockPin: '1',
      globalAdmin: false,
    })
    expect(again).rejects.toThrow('That username is not available.')
    await again.catch(() => {})
  })

  test('passwords are stored as argon2id hashes, and PINs are sealed', async () => {
    const { ines } = await library()
    expect(ines.passwordHash).toStartWith('$argon2id$')
    expect(ines.pinHash).toStartWith('s1.')
  })
})
