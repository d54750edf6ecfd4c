import { describe, expect, test } from 'bun:test'
import { Failure } from '../../../schema/errors.ts'
import { openAccounts } from '../../support/accounts.ts'

/** Passwords are checked for real: 20 ms each on a quiet machine. */
const patienceMs = 60_000

async function setup() {
  const accounts = openAccounts()
  const { sessions, db, notes } = accounts
  const ines = await accounts.account('Ines')
  return {
    ...accounts,
    ines,
    /** 'in', or the code of the failure. */
    async tried(username: string, address: string, password = 'wrong'): Promise<string> {
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
const right = 'good picture'
const counted = (answers: string[], code: string) => answers.filter(answer => answer === code).length

describe('failed logins', () => {
  test(
    'of another user, a thousand at another address, do not keep a person out where they were signed in',
    async () => {
      const { tried, clock } = await setup()
      expect(await tried('Ines', home, right)).toBe('in')
      const attack = await Promise.all(Array.from({ length: 1000 }, () => tried('Ines', '192.0.2.1')))
      expect(counted(attack, 'unauthenticated')).toBe(5)
      expect(counted(attack, 'tooMany')).toBe(995)
      // Also when the name is limited everywhere, and everything from unknown addresses is.
      await Promise.all(Array.from({ length: 20 }, (_, n) => tried('Ines', `192.0.2.${n + 2}`)))
      await Promise.all(Array.from({ length: 100 }, (_, n) => tried(`name ${n}`, `203.0.113.${n}`)))
      expect(await tried('Ines', '192.0.2.200', right)).toBe('tooMany')
      expect(await tried('Ines', home, right)).toBe('in')
      clock.advance(61)
      expect(await tried('Ines', '192.0.2.200', right)).toBe('in')
    },
    patienceMs,
  )

  test(
    'of others at the same address do not keep a person out there either',
    async () => {
      const { tried } = await setup()
      await tried('Ines', home, right)
      for (let n = 0; n < 12; n++) await tried(`name ${n}`, home)
      expect(await tried('somebody', home)).toBe('tooMany')
      expect(await tried('Ines', home, right)).toBe('in')
    },
    patienceMs,
  )

  test(
    'slow the pair of name and address from the sixth on, also with the right password',
    async () => {
      const { tried, clock, sessions } = await setup()
      await tried('Ines', home, right)
      for (let n = 0; n < 5; n++) expect(await tried('iNES', home)).toBe('unauthenticated')
      const refused = await sessions.login('Ines', right, { address: home, agent: '' }).catch((error: unknown) => error)
      expect(refused).toMatchObject({ code: 'tooMany', retryAfter: 60 })
      clock.advance(61)
      expect(await tried('Ines', home, right)).toBe('in')
      // Those before are forgotten.
      for (let n = 0; n < 5; n++) expect(await tried('Ines', home)).toBe('unauthenticated')
    },
    patienceMs,
  )

  test(
    'slow an address after ten names, and a name after ten addresses it has not signed in from',
    async () => {
      const { tried, account } = await setup()
      await account('Jan')
      for (let n = 0; n < 10; n++) expect(await tried(`name ${n}`, '192.0.2.1')).toBe('unauthenticated')
      expect(await tried('Jan', '192.0.2.1', right)).toBe('tooMany')
      for (let n = 0; n < 10; n++) expect(await tried('Jan', `203.0.113.${n}`)).toBe('unauthenticated')
      expect(await tried('Jan', '203.0.113.99', right)).toBe('tooMany')
      expect(await tried('Ines', '203.0.113.99', right)).toBe('in')
    },
    patienceMs,
  )

  test(
    'of 150 names from 150 addresses are stopped at a hundred',
    async () => {
      const { tried } = await setup()
      const spray = await Promise.all(Array.from({ length: 150 }, (_, n) => tried(`name ${n}`, `192.0.2.${n}`)))
      expect(counted(spray, 'unauthenticated')).toBe(100)
      expect(counted(spray, 'tooMany')).toBe(50)
    },
    patienceMs,
  )

  test(
    'of an IPv6 network count as those of one address',
    async () => {
      const { tried } = await setup()
      for (let n = 0; n < 10; n++) await tried(`name ${n}`, `2001:db8:1:2::${n + 1}`)
      expect(await tried('Ines', '2001:db8:1:2:ffff::1', right)).toBe('tooMany')
      expect(await tried('Ines', '2001:db8:1:3::1', right)).toBe('in')
      expect(await tried('Ines', '2001:db8:1:3::2', right)).toBe('in')
    },
    patienceMs,
  )

  test(
    'are refused in the same order for a name that exists and for one that does not',
    async () => {
      const sequence = async (name: string) => {
        const { tried } = await setup()
        const answers: string[] = []
        for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
          for (let n = 0; n < 7; n++) answers.push(await tried(name, address))
        }
        return answers
      }
      expect(await sequence('Nobody')).toEqual(await sequence('Ines'))
    },
    patienceMs,
  )
})

describe('places', () => {
  test(
    'are remembered where a user signs in or renews the session: twenty, for 400 days',
    async () => {
      const { tried, places, clock, sessions } = await setup()
      const { token } = await sessions.login('Ines', right, { address: home, agent: '' })
      const open = await sessions.of(token)
      if (open === null) throw new Error('the session is not open')
      await sessions.renew({ ...open.viewer, address: '2001:db8::1' }, '')
      expect(places()).toEqual([home, '2001:0db8:0000:0000::/64'])
      for (let n = 0; n < 19; n++) {
        clock.advance(60)
        await tried('Ines', `192.0.2.${n}`, right)
      }
      expect(places()).toHaveLength(20)
      expect(places()).not.toContain(home)
      clock.advance(400 * 86_400)
      await tried('Ines', home, right)
      expect(places()).toEqual([home])
    },
    patienceMs,
  )

  test(
    'of failed logins are not remembered',
    async () => {
      const { tried, places } = await setup()
      await tried('Ines', home)
      expect(places()).toEqual([])
    },
    patienceMs,
  )
})

describe('the audit log', () => {
  test(
    'has logins, failures and refusals, and never a name that nobody has',
    async () => {
      const { tried, log, ines, sessions } = await setup()
      for (let n = 0; n < 7; n++) await tried('Ines', home)
      await tried('my secret password', home)
      const { token } = await sessions.login('Ines', right, { address: '192.0.2.1', agent: '' })
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
    patienceMs,
  )
})
