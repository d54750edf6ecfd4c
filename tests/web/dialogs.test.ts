import { afterEach, expect, test } from 'bun:test'
import {
  accountDialog,
  cancelRegister,
  closeAccountDialog,
  closeDialog,
  closeDialogIf,
  dialog,
  openLogin,
  openPin,
  openProfile,
  openRegister,
  refusePin,
} from '../../web/app/dialogs.ts'

afterEach(() => {
  closeDialog()
  closeAccountDialog()
})

test('a dialog that changes or closes does not affect the login above it', () => {
  openPin()
  openLogin({ username: 'ines' })
  refusePin()
  expect(dialog.value).toEqual({ kind: 'pin', refused: true })
  closeDialogIf('pin')
  expect(dialog.value).toBeNull()
  expect(accountDialog.value).toEqual({ kind: 'login', guard: false, username: 'ines' })
})

test('a late response does not affect the dialog that replaced its own', () => {
  openProfile()
  refusePin()
  closeDialogIf('pin')
  expect(dialog.value).toEqual({ kind: 'profile' })
  closeDialog()
  refusePin()
  expect(dialog.value).toBeNull()
})

test('leaving the registration returns to the login that opened it', () => {
  openLogin({ guard: true, username: 'ines' })
  openRegister()
  cancelRegister()
  expect(accountDialog.value).toEqual({ kind: 'login', guard: true, username: 'ines' })
  cancelRegister()
  expect(accountDialog.value?.kind).toBe('login')
  closeAccountDialog()
  openRegister()
  cancelRegister()
  expect(accountDialog.value).toBeNull()
})
