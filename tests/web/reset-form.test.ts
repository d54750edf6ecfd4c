import { expect, test } from 'bun:test'
import { resetForm } from '../../web/admin/users/reset-form.ts'
import { faultsOf } from '../../web/kit/form/form.ts'

test('an administrator sets a new password, a new PIN, or both', () => {
  const faults = (password: string, unlockPin: string) => faultsOf(resetForm, { password, unlockPin })
  expect(faults('', '')).toEqual({ password: 'Give a new password, or a new PIN' })
  expect(faults('secret', '')).toEqual({})
  expect(faults('', '1234')).toEqual({})
  expect(faults('ab', '')).toEqual({ password: 'Password must be more than 2 characters' })
  expect(faults('secret', '12345')).toEqual({ unlockPin: 'Unlock Pin has at most 4 characters' })
})
