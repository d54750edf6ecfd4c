/** The session: loading, login, registration, renewal, logout. */
import { batch, computed, effect, signal, untracked } from '@preact/signals-react'
import { z } from 'zod'
import {
  type Profile,
  type Registration,
  type Session,
  session as sessionShape,
  type User,
} from '../../schema/api/users.ts'
import { Refused } from '../../schema/client.ts'
import { api, deviceClient, holdCalls, noteOwner, onUnauthenticated, releaseCalls, token } from '../api.ts'
import { keepsWork } from '../kit/layers/layers.ts'
import { onStoredElsewhere, readStored, writeStored } from '../kit/stored.ts'
import { baseTexts } from '../texts/base.ts'
import { accountDialog, closeAccountDialog, closeDialog, openLogin } from './dialogs.ts'
import { clearNotices } from './jobs/notices.ts'
import { clearToastsWithAction, isOutage, report } from './messages.ts'
import { firstStart, loadRuntime } from './runtime.ts'
import { claimsOf, renewalOf } from './token.ts'
import { dropUserData } from './user-data.ts'

const session = signal<Session | null>(null)

/** The user whose session has ended while they had unfinished work. The page stays theirs until the login has closed. */
const expiredUser = signal<User | null>(null)
export const isAwaitingLogin = computed(() => expiredUser.value !== null)
/** How often unfinished work was dropped. As the key of a component, it makes the component start again without that work. */
export const droppedWorkCount = signal(0)

export const user = computed(() => session.value?.user ?? expiredUser.value)
export const signedIn = computed(() => user.value !== null)
/** The CSRF value for requests without headers. */
export const csrf = computed(() => session.value?.csrf ?? '')
export const globalAdmin = computed(() => user.value?.globaladmin === true)

/** Timers run at most 2³¹ − 1 milliseconds (24 days), but a token is valid for 30 days, so `renewIn` may need two timers. */
const maxTimerMs = 2 ** 31 - 1
const retryMs = 60_000
let timer: ReturnType<typeof setTimeout> | undefined

function renewIn(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => (ms > maxTimerMs ? renewIn(ms - maxTimerMs) : void renew()), Math.min(ms, maxTimerMs))
}

/** Removes messages that are meant for one user only. */
function forgetMessages(): void {
  clearNotices()
  clearToastsWithAction()
}

/** Drops unfinished work, so that it is neither shown to the next user nor saved in their name. */
function dropWork(): void {
  batch(() => {
    droppedWorkCount.value++
    expiredUser.value = null
    if (user.peek() === null) dropUserData()
    forgetMessages()
    closeDialog()
    if (accountDialog.peek()?.kind === 'register') closeAccountDialog()
  })
}

/** Replaces the session in memory, and plans its renewal. `atLoad`: it was stored when the page was loaded. */
function setSession(next: Session | null, atLoad = false): void {
  clearTimeout(timer)
  batch(() => {
    const before = expiredUser.peek() ?? session.peek()?.user ?? null
    if (next !== null && before !== null && before.id !== next.user.id) dropWork()
    const isSame = before === null || expiredUser.peek() !== null || before.id === next?.user.id
    if (!isSame) forgetMessages()
    if (next !== null) noteOwner(next.token, next.user.id)
    token.value = next?.token ?? ''
    session.value = next
    if (next !== null) expiredUser.value = null
    if (before !== null && before.id !== user.peek()?.id) dropUserData()
  })
  if (next === null) return
  releaseCalls()
  const claims = claimsOf(next.token)
  const due = claims === null ? 'expired' : renewalOf(claims, Date.now(), atLoad)
  if (due === 'expired') {
    endSession()
    openLogin()
  } else if (due === 'now') void renew()
  else renewIn(due)
}

/** Replaces the session, for other tabs, too. */
function storeSession(next: Session): void {
  writeStored('keepsake.session', next)
  setSession(next)
}

function endSession(): void {
  writeStored('keepsake.session', null)
  setSession(null)
}

/** The session has expired: opens the login, and keeps unfinished work below it. */
function expireSession(): void {
  const who = session.peek()?.user ?? null
  const hasWork = who !== null && keepsWork.peek()
  batch(() => {
    if (hasWork) {
      expiredUser.value = who
      holdCalls()
    } else closeDialog()
    endSession()
    openLogin(hasWork ? { username: who.username } : {})
  })
}

/** The login was cancelled: drops unfinished work, and lets waiting calls go on without a token. */
function giveUpLogin(): void {
  dropWork()
  releaseCalls()
}

/** Records that the user became a global administrator, or no longer is one. */
export function setGlobalAdmin(globaladmin: boolean): void {
  const { value } = session
  if (value !== null && value.user.globaladmin !== globaladmin) {
    storeSession({ ...value, user: { ...value.user, globaladmin } })
  }
}

/** The user logged out in another tab: nothing of theirs stays open here. */
function logoutFromOtherTab(): void {
  dropWork()
  setSession(null)
  releaseCalls()
}

export function loadSession(): void {
  onUnauthenticated(() => {
    if (!isLoggingOut) expireSession()
  })
  onStoredElsewhere('keepsake.left', logoutFromOtherTab)
  onStoredElsewhere('keepsake.session', () => {
    const next = readStored('keepsake.session', sessionShape)
    // The session has expired in another tab, so it has expired here, too.
    if (next === null && session.peek() !== null && keepsWork.peek()) return expireSession()
    setSession(next)
    // The user signed in again in another window, so close the login here.
    if (next !== null) closeAccountDialog()
  })
  // Waiting calls must end when the login is closed, or else the page would wait for ever.
  effect(() => {
    if (accountDialog.value === null && isAwaitingLogin.value) untracked(giveUpLogin)
  })
  setSession(readStored('keepsake.session', sessionShape), true)
}

/** The token of the session; renewing the session changes it. */
export const userToken = computed(() => session.value?.token ?? '')

let renewing: Promise<void> | null = null

/** Renews the session; while that takes, further callers wait for the same renewal. */
function renew(): Promise<void> {
  renewing ??= renewNow().finally(() => {
    renewing = null
  })
  return renewing
}

/** Renews the session. Returns whether it is valid; without a response it counts as valid. */
export async function refreshSession(): Promise<boolean> {
  // During a logout, the server closes the connection before its response arrives.
  if (isLoggingOut) return false
  if (session.value !== null) await renew()
  return session.value !== null
}

let isLoggingOut = false

async function renewNow(): Promise<void> {
  const sent = token.value
  try {
    const next = await api.users.renew()
    // Drop the new token if another user has signed in meanwhile, or nobody is signed in any more.
    if (token.value === sent) storeSession(next)
  } catch (error) {
    // An unreachable server has refused nothing: the token may still be valid when the server is back.
    if (isOutage(error)) return renewIn(retryMs)
    // After a 401, the session has ended already, and the login is open.
    if (session.peek() !== null) {
      if (keepsWork.peek()) expireSession()
      else endSession()
    }
    if (!isLoggingOut) report(error, baseTexts.failedToRenewSession, { about: 'session' })
  }
}

/** Ends a session on the server whose login was cancelled before the response arrived. */
async function endUnusedSession(unwanted: Session): Promise<void> {
  await deviceClient(unwanted.token)
    .users.logout()
    .catch(() => {})
  // The unwanted session's cookie may have replaced that of a user who has signed in meanwhile.
  if (session.peek() !== null) await renew()
}

/** Signs in. Returns null; or the error, or '' if `cancelled` was aborted, in which case the login has no effect. */
export async function login(username: string, password: string, cancelled?: AbortSignal): Promise<string | null> {
  try {
    const next = await api.users.login({ body: { username, password } })
    if (cancelled?.aborted === true) {
      await endUnusedSession(next)
      return ''
    }
    storeSession(next)
    return null
  } catch (error) {
    if (cancelled?.aborted === true) return ''
    if (error instanceof Refused)
      return error.status === 429 ? baseTexts.loginFailedBecause({ message: error.message }) : baseTexts.loginFailed
    report(error, baseTexts.loginFailed)
    return baseTexts.loginFailed
  }
}

const setupParameter = z.string().min(1).max(200)

/** The key of the set-up link that opened the page; undefined without one. */
export function setupKey(search: string): string | undefined {
  return setupParameter.safeParse(new URLSearchParams(search).get('setup')).data
}

/** Creates an account. Returns null, or the error with its field. */
export async function register(body: Registration, search: string): Promise<{ text: string; field?: string } | null> {
  const setup = setupKey(search)
  try {
    await api.users.register({ body: setup === undefined ? body : { ...body, setup } })
    return null
  } catch (error) {
    if (!(error instanceof Refused)) {
      report(error, baseTexts.userRegistrationFailed)
      return { text: baseTexts.registrationFailedPleaseTryAgain }
    }
    if (error.status === 409) return { text: baseTexts.thatUsernameIsNotAvailable, field: 'username' }
    const { message } = error
    return {
      text:
        error.status < 500 ? baseTexts.userRegistrationFailedBecause({ message }) : baseTexts.userRegistrationFailed,
      ...(error.field === undefined ? {} : { field: error.field }),
    }
  }
}

/** Changes the user's own profile. Returns null, or the error with its field. */
export async function updateProfile(body: Profile): Promise<{ text: string; field?: string } | null> {
  try {
    const { user: next } = await api.users.update({ body })
    if (session.value !== null) storeSession({ ...session.value, user: next })
    return null
  } catch (error) {
    if (!(error instanceof Refused)) {
      report(error, baseTexts.failedToUpdateYourProfile)
      return { text: baseTexts.updateFailedPleaseTryAgain }
    }
    if (error.status === 403) return { text: baseTexts.incorrectPassword, field: 'password' }
    const { message } = error
    const text =
      error.status < 500 ? baseTexts.failedToUpdateYourProfileBecause({ message }) : baseTexts.failedToUpdateYourProfile
    return error.field === undefined || error.field === 'body' ? { text } : { text: error.message, field: error.field }
  }
}

/** Loads the server's settings again, if they were loaded before the first account existed. */
export async function endFirstStart(): Promise<void> {
  if (firstStart.value) await loadRuntime()
}

export async function logout(): Promise<void> {
  isLoggingOut = true
  // Tell other tabs before the server closes their connections.
  writeStored('keepsake.left', Date.now())
  try {
    await api.users.logout()
  } catch (error) {
    if (!(error instanceof Refused && error.status === 401)) report(error, baseTexts.logout)
  }
  endSession()
  isLoggingOut = false
}
