/** Accounts and sessions over a database of their own, without the rest of a library. */
import { createAuditNotes } from '../../core/accounts/audit/audit-notes.ts'
import { createLoginLimits } from '../../core/accounts/login-limits.ts'
import { createPasswords } from '../../core/accounts/passwords.ts'
import { createPins } from '../../core/accounts/pins.ts'
import { createRights } from '../../core/accounts/rights.ts'
import { createSessions } from '../../core/accounts/sessions.ts'
import { createTokens } from '../../core/accounts/tokens/tokens.ts'
import { createUnlock } from '../../core/accounts/unlock.ts'
import { createUsers } from '../../core/accounts/users.ts'
import { createSeal } from '../../core/kernel/data/sealed.ts'
import { openDatabase, terminalWaiting } from '../../core/kernel/database/database.ts'
import { silentLog } from '../../core/kernel/log.ts'
import { fakeClock } from './fake-clock.ts'

/** `tokenKey` is hex. */
export function openAccounts(tokenKey = 'ab'.repeat(32)) {
  const clock = fakeClock()
  const db = openDatabase(':memory:', { waiting: terminalWaiting, clock })
  const notes = createAuditNotes({ db, clock, log: silentLog })
  const passwords = createPasswords()
  const pins = createPins(createSeal('ef'.repeat(32), 'pins'), passwords)
  const users = createUsers({ db, clock, passwords, pins })
  const loginLimits = createLoginLimits({ db, clock, notes })
  const rights = createRights(db)
  const tokens = createTokens({ db, clock, rights, tokenKey })
  const sessions = createSessions({ db, clock, users, rights, notes, loginLimits, tokenKey, tokens })
  return {
    clock,
    db,
    notes,
    passwords,
    users,
    sessions,
    unlock: createUnlock({ db, clock, passwords, pins, notes }),
    /** Creates an account that signs in with 'good picture' and unlocks with 4711. */
    account: (username: string, more: { globalAdmin?: boolean } = {}) =>
      users.create(
        { userId: null },
        {
          username,
          name: username,
          email: 'a@example.org',
          password: 'good picture',
          unlockPin: '4711',
          globalAdmin: more.globalAdmin === true,
        },
      ),
  }
}
