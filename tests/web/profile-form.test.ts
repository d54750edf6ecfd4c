import { expect, test } from 'bun:test'
import { profileForm } from '../../web/account/profile-form.ts'
import { faultsOf } from '../../web/kit/form/form.ts'

const good = { name: 'Inés', email: 'a@b', password: '', newPassword: '', confirm: '', unlockPin: '' }

test('passwords may be empty when they do not change', () => {
  expect(faultsOf(profileForm, good)).toEqual({})
})

test('each field shows the specified message', () => {
  expect(faultsOf(profileForm, { ...good, name: '', email: '' })).toEqual({
    name: 'Name is required',
    email: 'E-mail is required',
  })
  expect(faultsOf(profileForm, { ...good, name: 'x'.repeat(41), email: 'ab' })).toEqual({
    name: 'Name must be less than 40 characters',
    email: 'E-mail must be valid',
  })
  expect(faultsOf(profileForm, { ...good, password: 'a' }).password).toBe('Password must be at least 2 characters')
  expect(faultsOf(profileForm, { ...good, newPassword: 'a', confirm: 'a' }).newPassword).toBe(
    'Password must be at least 2 characters',
  )
  expect(faultsOf(profileForm, { ...good, newPassword: 'secret', confirm: 'secrets' })).toEqual({
    confirm: 'Password does not match',
  })
})
