/** Accounts: their names, and for global admins disabling, roles, forgotten passwords, sessions. */
import type { Account } from '../../schema/api/users.ts'
import { Refused } from '../../schema/client.ts'
import { channels } from '../../schema/realtime.ts'
import { api } from '../api.ts'
import { createResource, keepFresh } from '../app/loading/resource.ts'
import { attempt, report, say } from '../app/messages.ts'
import { adminTexts } from '../texts/admin.ts'

export const {
  value: accounts,
  failed: accountsFailed,
  load: loadAccounts,
} = createResource<readonly Account[]>(adminTexts.unableToLoadUsers, () => api.users.list())

/** Keeps the list up to date while it is shown. Returns the function that stops this. */
export function subscribeToAccounts(): () => void {
  const reload = () => void loadAccounts({ quiet: accounts.peek() !== null })
  reload()
  return keepFresh(channels.users, reload, 1_000)
}

/** Changes an account; returns false on failure, which is reported. The list is reloaded in both cases. */
async function changeAccount(act: () => Promise<void>, failure: string): Promise<boolean> {
  const done = await attempt(failure, act)
  await loadAccounts({ quiet: true })
  return done
}

export function setDisabled({ id, username }: Account, disabled: boolean): Promise<boolean> {
  return changeAccount(async () => {
    await api.users.disable({ params: { id }, body: { disabled } })
    say(disabled ? adminTexts.isDisabled({ username }) : adminTexts.isEnabled({ username }))
  }, adminTexts.failedToChangeTheUser)
}

export function setGlobalAdmin({ id, username }: Account, globaladmin: boolean): Promise<boolean> {
  return changeAccount(async () => {
    await api.users.put({ body: { user: { id, globaladmin } } })
    say(globaladmin ? adminTexts.isAGlobalAdmin({ username }) : adminTexts.isNoLongerAGlobalAdmin({ username }))
  }, adminTexts.failedToChangeTheUser)
}

export function endSessions({ id, username }: Account): Promise<boolean> {
  return changeAccount(async () => {
    const { ended, tokens } = await api.users.endSessions({ params: { id } })
    const sessions = adminTexts.sessionsEnded({ count: ended, username })
    say(tokens === 0 ? sessions : adminTexts.devicesSignedOut({ sessions, count: tokens }))
  }, adminTexts.failedToEndTheSessions)
}

/** Sets a new password, PIN, or both; an empty one is left unchanged. Returns null, or the error with its field. */
export async function resetAccount(
  { id, username }: Account,
  { password, unlockPin }: { password: string; unlockPin: string },
): Promise<{ text: string; field: string } | null> {
  try {
    await api.users.reset({
      params: { id },
      body: { ...(password === '' ? {} : { password }), ...(unlockPin === '' ? {} : { unlockPin }) },
    })
    if (password === '') say(adminTexts.hasNewPin({ username }))
    else say(unlockPin === '' ? adminTexts.hasNewPassword({ username }) : adminTexts.hasNewPasswordAndPin({ username }))
    void loadAccounts({ quiet: true })
    return null
  } catch (error) {
    if (error instanceof Refused && error.status === 400) return { text: error.message, field: error.field ?? '' }
    report(error, adminTexts.failedToChangeTheUser)
    return { text: adminTexts.failedToChangeTheUser, field: '' }
  }
}
