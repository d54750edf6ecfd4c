import { describe, expect, test } from 'bun:test'
import { Failure } from '../../../schema/errors.ts'
import { openAccounts } from '../../support/accounts.ts'

/** Each login checks a real password hash. A check takes about 20 ms on an idle machine. */
const timeoutMs = 60_000

async function setup() {
  const accounts = openAccounts()
  const { sessions, db, notes } = accounts
  const ines = await accounts.account('Ines')
  return {
    ...accounts,
    ines,
    /** Returns 'in', or the code of the failure. */
    async tryLogin(username: string, address: string, password = 'wrong'): Promise<string> {
      try {
        await sessions.login(username, password, { address, agent: 'test' })
        return 'in'
      } catch (error) {
        if (error instanceof Failure) return error.code
        throw error
      }
    },
    places: () => db.all<{ address: string }>('SELECT address FROM sign_in_places ORDER BY rowid').map(p => p.address),
    async log() {
      await notes.write()
      return db.all<{ action: string; user_id: number | null; address: string; detail: string; count: number }>(
        'SELECT action, user_id, address, detail, count FROM audit_log ORDER BY id',
      )
    },
  }
}

const home = '198.51.100.7'
const correctPassword = 'good picture'
const countOf = (results: string[], code: string) => results.filter(result => result === code).length

describe('failed logins', () => {
  test(
    'from other addresses are limited after a hundred, and do not block users where they have signed in before',
    async () => {
      const { tryLogin, clock } = await setup()
      expect(await tryLogin('Ines', home, correctPassword)).toBe('in')
      const attack = await Promise.all(Array.from({ length: 1000 }, () => tryLogin('Ines', '192.0.2.1')))
      expect(countOf(attack, 'unauthenticated')).toBe(5)
      expect(countOf(attack, 'tooMany')).toBe(995)
      // Limits on the name and on all unknown addresses do not block her at home either.
      const known = await Promise.all(Array.from({ length: 20 }, (_, n) => tryLogin('Ines', `192.0.2.${n + 2}`)))
      const spray = await Promise.all(Array.from({ length: 150 }, (_, n) => tryLogin(`name ${n}`, `203.0.113.${n}`)))
      const all = [...attack, ...known, ...spray]
      expect(countOf(all, 'unauthenticated')).toBe(100)
      expect(countOf(all, 'tooMany')).toBe(all.length - 100)
      expect(await tryLogin('Ines', '192.0.2.200', correctPassword)).toBe('tooMany')
      expect(await tryLogin('Ines', home, correctPassword)).toBe('in')
      clock.advance(61)
      expect(await tryLogin('Ines', '192.0.2.200', correctPassword)).toBe('in')
    },
    timeoutMs,
  )

  test(
    'with other names do not block users at an address where they have signed in before',
    async () => {
      const { tryLogin } = await setup()
      await tryLogin('Ines', home, correctPassword)
      for (let n = 0; n < 12; n++) await tryLogin(`name ${n}`, home)
      expect(await tryLogin('somebody', home)).toBe('tooMany')
      expect(await tryLogin('Ines', home, correctPassword)).toBe('in')
    },
    timeoutMs,
  )

  test(
    'limit the pair of name and address from the sixth attempt, even with the right password',
    async () => {
      const { tryLogin, clock, sessions } = await setup()
      await tryLogin('Ines', home, correctPassword)
      for (let n = 0; n < 5; n++) expect(await tryLogin('iNES', home)).toBe('unauthenticated')
      const refused = await sessions
        .login('Ines', correctPassword, { address: home, agent: '' })
        .catch((error: unknown) => error)
      expect(refused).toMatchObject({ code: 'tooMany', retryAfter: 60 })
      clock.advance(61)
      expect(await tryLogin('Ines', home, correctPassword)).toBe('in')
      // The login has reset the count.
      for (let n = 0; n < 5; n++) expect(await tryLogin('Ines', home)).toBe('unauthenticated')
    },
    timeoutMs,
  )

  test(
    'limit an address after ten names, and a name after ten addresses where the user has not signed in',
    async () => {
      const { tryLogin, account } = await setup()
      await account('Jan')
      for (let n = 0; n < 10; n++) expect(await tryLogin(`name ${n}`, '192.0.2.1')).toBe('unauthenticated')
      expect(await tryLogin('Jan', '192.0.2.1', correctPassword)).toBe('tooMany')
      for (let n = 0; n < 10; n++) expect(await tryLogin('Jan', `203.0.113.${n}`)).toBe('unauthenticated')
      expect(await tryLogin('Jan', '203.0.113.99', correctPassword)).toBe('tooMany')
      expect(await tryLogin('Ines', '203.0.113.99', correctPassword)).toBe('in')
    },
    timeoutMs,
  )

  test(
    'from one IPv6 network count as one address',
    async () => {
      const { tryLogin } = await setup()
      for (let n = 0; n < 10; n++) await tryLogin(`name ${n}`, `2001:db8:1:2::${n + 1}`)
      expect(await tryLogin('Ines', '2001:db8:1:2:ffff::1', correctPassword)).toBe('tooMany')
      expect(await tryLogin('Ines', '2001:db8:1:3::1', correctPassword)).toBe('in')
      expect(await tryLogin('Ines', '2001:db8:1:3::2', correctPassword)).toBe('in')
    },
    timeoutMs,
  )

  test(
    'are refused in the same order for existing and unknown names',
    async () => {
      const sequence = async (name: string) => {
        const { tryLogin } = await setup()
        const results: string[] = []
        for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
          for (let n = 0; n < 7; n++) results.push(await tryLogin(name, address))
        }
        return results
      }
      expect(await sequence('Nobody')).toEqual(await sequence('Ines'))
    },
    timeoutMs,
  )
})

describe('sign-in places', () => {
  test(
    'are the last twenty addresses of logins and renewals, kept for 400 days',
    async () => {
      const { tryLogin, places, clock, sessions } = await setup()
      const { token } = await sessions.login('Ines', correctPassword, { address: home, agent: '' })
      const open = await sessions.of(token)
      if (open === null) throw new Error('the session is not open')
      await sessions.renew({ ...open.viewer, address: '2001:db8::1' }, '')
      expect(places()).toEqual([home, '2001:0db8:0000:0000::/64'])
      for (let n = 0; n < 19; n++) {
        clock.advance(60)
        await tryLogin('Ines', `192.0.2.${n}`, correctPassword)
      }
      expect(places()).toHaveLength(20)
      expect(places()).not.toContain(home)
      clock.advance(400 * 86_400)
      await tryLogin('Ines', home, correctPassword)
      expect(places()).toEqual([home])
    },
    timeoutMs,
  )

  test(
    'do not include addresses of failed logins',
    async () => {
      const { tryLogin, places } = await setup()
      await tryLogin('Ines', home)
      expect(places()).toEqual([])
    },
    timeoutMs,
  )
})

describe('the audit log', () => {
  test(
    'has logins, failures and refusals, but no unknown names',
    async () => {
      const { tryLogin, log, ines, sessions } = await setup()
      for (let n = 0; n < 7; n++) await tryLogin('Ines', home)
      await tryLogin('my secret password', home)
      const { token } = await sessions.login('Ines', correctPassword, { address: '192.0.2.1', agent: '' })
      const open = await sessions.of(token)
      if (open === null) throw new Error('the session is not open')
      await sessions.logout({ ...open.viewer, address: '192.0.2.1' })
      const entries = await log()
      expect(entries).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ action: 'user.create', user_id: null }),
          { action: 'login.failed', user_id: ines.id, address: home, detail: '{}', count: 5 },
          { action: 'login.limited', user_id: ines.id, address: home, detail: '{"limit":"pair"}', count: 2 },
          { action: 'login.failed', user_id: null, address: home, detail: '{}', count: 1 },
          { action: 'login', user_id: ines.id, address: '192.0.2.1', detail: '{}', count: 1 },
          { action: 'logout', user_id: ines.id, address: '192.0.2.1', detail: '{}', count: 1 },
        ]),
      )
      expect(entries).toHaveLength(6)
      expect(JSON.stringify(entries)).not.toContain('secret')
    },
    timeoutMs,
  )
})
