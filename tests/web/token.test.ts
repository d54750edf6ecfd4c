import { expect, test } from 'bun:test'
import { claimsOf, renewalOf } from '../../web/app/token.ts'

const now = Date.UTC(2026, 10, 18)
const seconds = now / 1000
const day = 86_400

function jwt(body: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  return `e30.${text}.sig`
}

test('reads the claims of a token, including non-ASCII letters', () => {
  expect(claimsOf(jwt({ sub: 'Inés ✓', exp: 5, iat: 1 }))).toEqual({ exp: 5, iat: 1 })
  for (const nonsense of ['', 'a.b.c', 'no token', jwt({ iat: 1 }), jwt('text')]) expect(claimsOf(nonsense)).toBeNull()
})

test('a token is renewed ten minutes before it expires', () => {
  expect(renewalOf({ exp: seconds + 30 * day, iat: seconds }, now, true)).toBe(30 * day * 1000 - 600_000)
})

test('a renewal is at least a second away', () => {
  expect(renewalOf({ exp: seconds + 300, iat: seconds }, now, false)).toBe(1000)
})

test('a token that is older than a day when the page loads is renewed at once', () => {
  const token = { exp: seconds + 20 * day, iat: seconds - 2 * day }
  expect(renewalOf(token, now, true)).toBe('now')
  expect(renewalOf(token, now, false)).toBeNumber()
})

test('an expired token ends the session', () => {
  expect(renewalOf({ exp: seconds, iat: seconds - day }, now, true)).toBe('expired')
})
