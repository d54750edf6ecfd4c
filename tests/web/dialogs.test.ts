import { afterEach, expect, test } from 'bun:test'
import {
  closeDialog,
  closeEntrance,
  dialog,
  endDialog,
  entrance,
  leaveRegister,
  openLogin,
  openPin,
  openProfile,
  openRegister,
  refusePin,
} from '../../web/app/dialogs.ts'

afterEach(() => {
  closeDialog()
  closeEntrance()
})

test('a dialog that changes or closes does not affect the login above it', () => {
  openPin()
  openLogin({ username: 'ines' })
  refusePin()
  expect(dialog.value).toEqual({ kind: 'pin', refused: true })
  endDialog('pin')
  expect(dialog.value).toBeNull()
  expect(entrance.value).toEqual({ kind: 'login', guard: false, username: 'ines' })
})

test('a late response does not affect the dialog that replaced its own', () => {
  openProfile()
  refusePin()
  endDialog('pin')
  expect(dialog.value).toEqual({ kind: 'profile' })
  closeDialog()
  refusePin()
  expect(dialog.value).toBeNull()
})

test('leaving the registration returns to the login that opened it', () => {
  openLogin({ guard: true, username: 'ines' })
  openRegister()
  leaveRegister()
  expect(entrance.value).toEqual({ kind: 'login', guard: true, username: 'ines' })
  leaveRegister()
  expect(entrance.value?.kind).toBe('login')
  closeEntrance()
  openRegister()
  leaveRegister()
  expect(entrance.value).toBeNull()
})
