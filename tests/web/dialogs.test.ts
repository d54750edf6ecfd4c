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

test('what a dialog does with itself leaves the login over it alone', () => {
  openPin()
  openLogin({ username: 'ines' })
  refusePin()
  expect(dialog.value).toEqual({ kind: 'pin', refused: true })
  endDialog('pin')
  expect(dialog.value).toBeNull()
  expect(entrance.value).toEqual({ kind: 'login', guard: false, username: 'ines' })
})

test('a response that comes late closes or opens nothing in the place of its dialog', () => {
  openProfile()
  refusePin()
  endDialog('pin')
  expect(dialog.value).toEqual({ kind: 'profile' })
  closeDialog()
  refusePin()
  expect(dialog.value).toBeNull()
})

test('a registration that is left leads to the login that it was started from', () => {
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
