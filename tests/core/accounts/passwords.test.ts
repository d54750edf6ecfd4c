import { expect, test } from 'bun:test'
import { createPasswords } from '../../../core/accounts/passwords.ts'

test('a burst of passwords waits its turn up to a bound, and what exceeds it is refused at once', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('secret')
  await passwords.matches('secret', null)
  const asked = Array.from({ length: 300 }, () => passwords.matches('secret', hash))
  const answers = await Promise.allSettled(asked)
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(104)
  const [refused] = answers.filter(answer => answer.status === 'rejected')
  expect(refused?.reason).toMatchObject({ code: 'unavailable', retryAfter: 2 })
  expect(await passwords.matches('secret', hash)).toBe(true)
}, 60_000)

test('an account that is not there has no password', async () => {
  const passwords = createPasswords()
  expect(await passwords.matches('secret', null)).toBe(false)
  expect(await passwords.matches('secret', await passwords.hash('secret'))).toBe(true)
})
