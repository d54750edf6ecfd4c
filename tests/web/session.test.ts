import { afterAll, beforeEach, expect, test } from 'bun:test'
import { api } from '../../web/api.ts'
import { accountDialog, closeAccountDialog, closeDialog, dialog, openProfile } from '../../web/app/dialogs.ts'
import { createResource } from '../../web/app/loading/resource.ts'
import { isAwaitingLogin, loadSession, login, logout, refreshSession, signedIn } from '../../web/app/session.ts'
import { layers } from '../../web/kit/layers/layers.ts'

const real = globalThis.fetch
/** Whether the server has ended the session. */
let hasEnded = false
/** Whether the server is down, so that a proxy responds in its place. */
let isDown = false
let lastToken = 0

/** A token that expires in a day. */
function tokenNow(): string {
  const seconds = Math.floor(Date.now() / 1000)
  const claims = { iat: seconds, exp: seconds + 86_400, number: ++lastToken }
  return `x.${btoa(JSON.stringify(claims))}.x`
}

/** A server with two accounts; it refuses calls after the session has ended. */
async function respond(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  if (isDown) return new Response('<html>', { status: 503 })
  if (String(input) === '/v1/users/login') {
    hasEnded = false
    const { username }: { username: string } = JSON.parse(String(init?.body))
    const user = { id: username === 'ines' ? 1 : 2, username, name: username, email: 'a@b', globaladmin: false }
    return Response.json({ token: tokenNow(), csrf: 'x', user })
  }
  const refused = hasEnded || !new Headers(init?.headers).has('Authorization')
  if (refused) return Response.json({ error: 'Sign in first.', code: 'unauthenticated' }, { status: 401 })
  return Response.json([])
}

globalThis.fetch = Object.assign(respond, { preconnect: () => {} })
afterAll(async () => {
  await logout()
  globalThis.fetch = real
  layers.value = []
})
loadSession()

/** Signs in, opens a dialog, and makes a call after the session has ended. */
async function loseSession() {
  expect(await login('ines', 'secret')).toBeNull()
  openProfile()
  layers.value = [{ id: 1, steps: 1, keeps: true, close: () => {} }]
  hasEnded = true
  await api.people.list({ query: {} }).catch(() => {})
  expect(accountDialog.value).toEqual({ kind: 'login', guard: false, username: 'ines' })
  expect(isAwaitingLogin.value).toBe(true)
}

const outcome = () =>
  api.people.list({ query: {} }).then(
    () => 'done',
    () => 'refused',
  )

beforeEach(() => {
  closeAccountDialog()
  closeDialog()
})

test('data that was loaded for a user is dropped when they log out', async () => {
  const people = createResource('failed', () => api.people.list({ query: {} }))
  expect(await login('ines', 'secret')).toBeNull()
  await people.load()
  expect(people.value.value).toEqual([])
  const late = people.load()
  await logout()
  await late
  expect(people.value.value).toBeNull()
  expect(people.failed.value).toBe(false)
})

test('closing the login rejects the waiting calls', async () => {
  await loseSession()
  const waits = outcome()
  closeAccountDialog()
  expect(await waits).toBe('refused')
  expect(await outcome()).toBe('refused')
  expect(signedIn.value).toBe(false)
  expect(dialog.value).toBeNull()
})

test('closing the dialog below the login keeps calls waiting until the user has signed in', async () => {
  await loseSession()
  const waits = outcome()
  closeDialog()
  expect(isAwaitingLogin.value).toBe(true)
  expect(await login('ines', 'secret')).toBeNull()
  expect(await waits).toBe('done')
  expect(isAwaitingLogin.value).toBe(false)
})

test('calls of one user are not repeated for another user', async () => {
  await loseSession()
  const waits = outcome()
  expect(await login('tom', 'secret')).toBeNull()
  expect(await waits).toBe('refused')
  expect(dialog.value).toBeNull()
  expect(await outcome()).toBe('done')
})

test('a proxy whose server is down does not end the session', async () => {
  expect(await login('ines', 'secret')).toBeNull()
  isDown = true
  expect(await refreshSession()).toBe(true)
  isDown = false
  expect(signedIn.value).toBe(true)
})
