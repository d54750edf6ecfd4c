import { describe, expect, test } from 'bun:test'
import { newCollection } from '../../schema/api/collections.ts'
import { login, registration } from '../../schema/api/users.ts'
import { faultsOf } from '../../web/kit/form/form.ts'

describe('forms show the specified messages', () => {
  test('at the login', () => {
    expect(faultsOf(login, { username: '', password: '' })).toEqual({
      username: 'Username is required',
      password: 'Password is required',
    })
    expect(faultsOf(login, { username: 'a'.repeat(21), password: 'ab' })).toEqual({
      username: 'Username must be less than 20 characters',
      password: 'Password must be more than 2 characters',
    })
    expect(faultsOf(login, { username: 'a'.repeat(20), password: 'abc' })).toEqual({})
  })

  test('at the registration', () => {
    const good = { username: 'ines', name: 'Inés', email: 'i@e', password: 'abc', unlockPin: '1234' }
    expect(faultsOf(registration, good)).toEqual({})
    expect(faultsOf(registration, { ...good, name: 'a'.repeat(41), email: '@', unlockPin: '' })).toEqual({
      name: 'Name must be less than 40 characters',
      email: 'E-mail must be valid',
      unlockPin: 'Unlock Pin is required',
    })
  })

  test('for a collection', () => {
    const good = { name: 'Family', path: '/srv/photos', pathVariant: '', readonly: false }
    expect(faultsOf(newCollection, good)).toEqual({})
    expect(faultsOf(newCollection, { ...good, name: 'Ph', path: 'srv', pathVariant: '/a//b' })).toEqual({
      name: 'Name must be more than 2 characters',
      path: 'Path is invalid',
      pathVariant: 'Path is invalid',
    })
    expect(faultsOf(newCollection, { ...good, name: '', path: '' })).toEqual({
      name: 'Name is required',
      path: 'Path is required',
    })
  })
})
