import { expect, test } from 'bun:test'
import { createPasswords } from '../../../core/accounts/passwords.ts'

test('simultaneous checks wait in a queue of limited length, and checks beyond the limit are refused at once', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('secret')
  await passwords.matches('secret', null)
  const checks = Array.from({ length: 300 }, () => passwords.matches('secret', hash))
  const results = await Promise.allSettled(checks)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(104)
  const [refused] = results.filter(result => result.status === 'rejected')
  expect(refused?.reason).toMatchObject({ code: 'unavailable', retryAfter: 2 })
  expect(await passwords.matches('secret', hash)).toBe(true)
}, 60_000)

test('no password matches an unknown account', async () => {
  const passwords = createPasswords()
  expect(await passwords.matches('secret', null)).toBe(false)
  expect(await passwords.matches('secret', await passwords.hash('secret'))).toBe(true)
})
