import { afterAll, beforeEach, expect, test } from 'bun:test'
import { api } from '../../web/api.ts'
import { closeDialog, closeEntrance, dialog, entrance, openProfile } from '../../web/app/dialogs.ts'
import { awaiting, loadSession, login, signedIn } from '../../web/app/session.ts'
import { layers } from '../../web/kit/layers/layers.ts'

const real = globalThis.fetch
let ended = false
let lastToken = 0

/** A token that says by itself that it is good for a day. */
function tokenNow(): string {
  const seconds = Math.floor(Date.now() / 1000)
  const claims = { iat: seconds, exp: seconds + 86_400, number: ++lastToken }
  return `x.${btoa(JSON.stringify(claims))}.x`
}

/** A server that knows two accounts, and sessions until they have ended. */
async function answer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  if (String(input) === '/v1/users/login') {
    ended = false
    const { username }: { username: string } = JSON.parse(String(init?.body))
    const user = { id: username === 'ines' ? 1 : 2, username, name: username, email: 'a@b', globaladmin: false }
    return Response.json({ token: tokenNow(), csrf: 'x', user })
  }
  const refused = ended || !new Headers(init?.headers).has('Authorization')
  if (refused) return Response.json({ error: 'Sign in first.', code: 'unauthenticated' }, { status: 401 })
  return Response.json([])
}

globalThis.fetch = Object.assign(answer, { preconnect: () => {} })
afterAll(() => {
  globalThis.fetch = real
  layers.value = []
})
loadSession()

/** Somebody who has a dialog open loses the session with the next call. */
async function lost() {
  expect(await login('ines', 'secret')).toBeNull()
  openProfile()
  layers.value = [{ id: 1, steps: 1, keeps: true, close: () => {} }]
  ended = true
  await api.people.list({ query: {} }).catch(() => {})
  expect(entrance.value).toEqual({ kind: 'login', guard: false, username: 'ines' })
  expect(awaiting.value).toBe(true)
}

const outcome = () =>
  api.people.list({ query: {} }).then(
    () => 'done',
    () => 'refused',
  )

beforeEach(() => {
  closeEntrance()
  closeDialog()
})

test('whatever closes the login gives up waiting for the user: waiting calls are rejected', async () => {
  await lost()
  const waits = outcome()
  closeEntrance()
  expect(await waits).toBe('refused')
  expect(await outcome()).toBe('refused')
  expect(signedIn.value).toBe(false)
  expect(dialog.value).toBeNull()
})

test('actions in the dialog below do not count: calls wait until the user has signed in', async () => {
  await lost()
  const waits = outcome()
  closeDialog()
  expect(awaiting.value).toBe(true)
  expect(await login('ines', 'secret')).toBeNull()
  expect(await waits).toBe('done')
  expect(awaiting.value).toBe(false)
})

test('what was asked in the name of the one is not asked in that of another', async () => {
  await lost()
  const waits = outcome()
  expect(await login('tom', 'secret')).toBeNull()
  expect(await waits).toBe('refused')
  expect(dialog.value).toBeNull()
  expect(await outcome()).toBe('done')
})
