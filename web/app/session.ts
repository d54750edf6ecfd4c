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
import { closeDialog, closeEntrance, entrance, openLogin } from './dialogs.ts'
import { clearNotices } from './jobs/notices.ts'
import { clearOffers, isOutage, report } from './messages.ts'
import { firstStart, loadRuntime } from './runtime.ts'
import { claimsOf, renewalOf } from './token.ts'
import { dropUserData } from './user-data.ts'

const session = signal<Session | null>(null)

/** The user whose session ended with unfinished work; the page stays theirs until the login has closed. */
const awaited = signal<User | null>(null)
export const awaiting = computed(() => awaited.value !== null)
/** Changes when unfinished work is dropped: components with this key start again, so the next user sees none of it. */
export const workDrops = signal(0)

export const user = computed(() => session.value?.user ?? awaited.value)
export const signedIn = computed(() => user.value !== null)
/** The CSRF value for requests without headers. */
export const csrf = computed(() => session.value?.csrf ?? '')
export const globalAdmin = computed(() => user.value?.globaladmin === true)

/** Timers run at most 2³¹ − 1 milliseconds (24 days), but a token lives 30 days, so `renewIn` may need two timers. */
const maxTimer = 2 ** 31 - 1
const retryMs = 60_000
let timer: ReturnType<typeof setTimeout> | undefined

function renewIn(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => (ms > maxTimer ? renewIn(ms - maxTimer) : void renew()), Math.min(ms, maxTimer))
}

/** Removes messages, which belong to one user. */
function forgetMessages(): void {
  clearNotices()
  clearOffers()
}

/** Drops unfinished work, so that it is neither shown to the next user nor saved in their name. */
function drop(): void {
  batch(() => {
    workDrops.value++
    awaited.value = null
    if (user.peek() === null) dropUserData()
    forgetMessages()
    closeDialog()
    if (entrance.peek()?.kind === 'register') closeEntrance()
  })
}

function take(next: Session | null, atLoad = false): void {
  clearTimeout(timer)
  batch(() => {
    const before = awaited.peek() ?? session.peek()?.user ?? null
    if (next !== null && before !== null && before.id !== next.user.id) drop()
    const isSame = before === null || awaited.peek() !== null || before.id === next?.user.id
    if (!isSame) forgetMessages()
    if (next !== null) noteOwner(next.token, next.user.id)
    token.value = next?.token ?? ''
    session.value = next
    if (next !== null) awaited.value = null
    if (before !== null && before.id !== user.peek()?.id) dropUserData()
  })
  if (next === null) return
  releaseCalls()
  const claims = claimsOf(next.token)
  const due = claims === null ? 'expired' : renewalOf(claims, Date.now(), atLoad)
  if (due === 'expired') {
    end()
    openLogin()
  } else if (due === 'now') void renew()
  else renewIn(due)
}

function keep(next: Session): void {
  writeStored('keepsake.session', next)
  take(next)
}

function end(): void {
  writeStored('keepsake.session', null)
  take(null)
}

/** The session has expired; open work is kept under the login. */
function lose(): void {
  const who = session.peek()?.user ?? null
  const waits = who !== null && keepsWork.peek()
  batch(() => {
    if (waits) {
      awaited.value = who
      holdCalls()
    } else closeDialog()
    end()
    openLogin(waits ? { username: who.username } : {})
  })
}

/** The login was cancelled; unfinished work is dropped, and waiting calls are made without a token. */
function abandon(): void {
  drop()
  releaseCalls()
}

/** This user became a global administrator, or no longer is one. */
export function roleChanged(globaladmin: boolean): void {
  const { value } = session
  if (value !== null && value.user.globaladmin !== globaladmin) {
    keep({ ...value, user: { ...value.user, globaladmin } })
  }
}

/** The user logged out in another tab, so nothing of theirs stays open here. */
function leaveToo(): void {
  drop()
  take(null)
  releaseCalls()
}

export function loadSession(): void {
  onUnauthenticated(() => {
    if (!leaving) lose()
  })
  onStoredElsewhere('keepsake.left', leaveToo)
  onStoredElsewhere('keepsake.session', () => {
    const next = readStored('keepsake.session', sessionShape)
    // The session has expired there and will expire here, too, so open work is kept in the same way.
    if (next === null && session.peek() !== null && keepsWork.peek()) return lose()
    take(next)
    // The user signed in again in another window, so close the login here.
    if (next !== null) closeEntrance()
  })
  // Always settle waiting calls; calls that are never answered would freeze the page.
  effect(() => {
    if (entrance.value === null && awaiting.value) untracked(abandon)
  })
  take(readStored('keepsake.session', sessionShape), true)
}

/** The token of the session; renewing the session changes it. */
export const userToken = computed(() => session.value?.token ?? '')

let renewing: Promise<void> | null = null

/** Renews once, however many callers request it. */
function renew(): Promise<void> {
  renewing ??= renewNow().finally(() => {
    renewing = null
  })
  return renewing
}

/** Whether the session is still valid: requests a new token; without a response the session counts as valid. */
export async function refreshSession(): Promise<boolean> {
  // During a logout, the server closes the connection before its response arrives.
  if (leaving) return false
  if (session.value !== null) await renew()
  return session.value !== null
}

let leaving = false

async function renewNow(): Promise<void> {
  const sent = token.value
  try {
    const next = await api.users.renew()
    // Drop the new token if another user has signed in meanwhile, or nobody is signed in any more.
    if (token.value === sent) keep(next)
  } catch (error) {
    // An unreachable server is not a refusal: the token may still be valid when the server is back.
    if (isOutage(error)) return renewIn(retryMs)
    // A 401 has already ended the session and opened the login; end it for other errors.
    if (session.peek() !== null) {
      if (keepsWork.peek()) lose()
      else end()
    }
    if (!leaving) report(error, baseTexts.failedToRenewSession, { about: 'session' })
  }
}

/** Ends a session on the server, because nobody waits for it any more. */
async function endUnwanted(unwanted: Session): Promise<void> {
  await deviceClient(unwanted.token)
    .users.logout()
    .catch(() => {})
  // The unwanted session's cookie may have replaced that of a user who has signed in meanwhile.
  if (session.peek() !== null) await renew()
}

/** Signs in. Returns null or the error; '' if `left` was aborted, in which case the login has no effect. */
export async function login(username: string, password: string, left?: AbortSignal): Promise<string | null> {
  try {
    const next = await api.users.login({ body: { username, password } })
    if (left?.aborted === true) {
      await endUnwanted(next)
      return ''
    }
    keep(next)
    return null
  } catch (error) {
    if (left?.aborted === true) return ''
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
    if (session.value !== null) keep({ ...session.value, user: next })
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

/** Once the first account exists, the first start is over. */
export async function endFirstStart(): Promise<void> {
  if (firstStart.value) await loadRuntime()
}

export async function logout(): Promise<void> {
  leaving = true
  // Tell other tabs before the server closes their connections.
  writeStored('keepsake.left', Date.now())
  try {
    await api.users.logout()
  } catch (error) {
    if (!(error instanceof Refused && error.status === 401)) report(error, baseTexts.logout)
  }
  end()
  leaving = false
}
