/** Accounts, for global admins: disabling, roles, forgotten passwords, sessions. */
import type { Account } from '../../schema/api/users.ts'
import { Refused } from '../../schema/client.ts'
import { plural } from '../../schema/figures.ts'
import { channels } from '../../schema/realtime.ts'
import { api } from '../api.ts'
import { createResource, keepFresh } from '../app/loading/resource.ts'
import { report, say, succeeds } from '../app/messages.ts'

export const {
  value: accounts,
  failed: accountsFailed,
  load: loadAccounts,
} = createResource<readonly Account[]>('Unable to load users', () => api.users.list())

/** Keeps the list up to date while it is on the screen. Returns the function that ends it. */
export function followAccounts(): () => void {
  const reload = () => void loadAccounts({ quiet: accounts.peek() !== null })
  reload()
  return keepFresh(channels.users, reload, 1_000)
}

/** Changes an account; false when that failed, which is reported. The list is loaded again in both cases. */
async function change(act: () => Promise<void>, failure: string): Promise<boolean> {
  const done = await succeeds(failure, act)
  await loadAccounts({ quiet: true })
  return done
}

export function setDisabled({ id, username }: Account, disabled: boolean): Promise<boolean> {
  return change(async () => {
    await api.users.disable({ params: { id }, body: { disabled } })
    say(disabled ? `${username} is disabled` : `${username} is enabled`)
  }, 'Failed to change the user')
}

export function setGlobalAdmin({ id, username }: Account, globaladmin: boolean): Promise<boolean> {
  return change(async () => {
    await api.users.put({ body: { user: { id, globaladmin } } })
    say(globaladmin ? `${username} is a global admin` : `${username} is no longer a global admin`)
  }, 'Failed to change the user')
}

export function endSessions({ id, username }: Account): Promise<boolean> {
  return change(async () => {
    const { ended, tokens } = await api.users.endSessions({ params: { id } })
    const more = tokens === 0 ? '' : `, ${plural(tokens, 'device or script', 'devices and scripts')} signed out`
    say(`${plural(ended, 'session')} of ${username} ended${more}`)
  }, 'Failed to end the sessions')
}

/** A new password, a new PIN, or both; '' leaves one as it is. Null: done; else the error with its field. */
export async function resetAccount(
  { id, username }: Account,
  { password, unlockPin }: { password: string; unlockPin: string },
): Promise<{ text: string; field: string } | null> {
  try {
    await api.users.reset({
      params: { id },
      body: { ...(password === '' ? {} : { password }), ...(unlockPin === '' ? {} : { unlockPin }) },
    })
    say(
      `${username} has ${password === '' ? 'a new PIN' : unlockPin === '' ? 'a new password' : 'a new password and PIN'}`,
    )
    void loadAccounts({ quiet: true })
    return null
  } catch (error) {
    if (error instanceof Refused && error.status === 400) return { text: error.message, field: error.field ?? '' }
    report(error, 'Failed to change the user')
    return { text: 'Failed to change the user', field: '' }
  }
}
