import { afterEach, expect, test } from 'bun:test'
import {
  closeDialog,
  closeEntrance,
  dialog,
  endDialog,
  entrance,
  type Layer,
  leaveRegister,
  openLogin,
  openPin,
  openProfile,
  openRegister,
  refusePin,
  withLayer,
} from '../../web/state/dialogs.ts'

afterEach(() => {
  closeDialog()
  closeEntrance()
})

const layer = (id: number, overAll = false): Layer => ({
  id,
  modal: true,
  steps: 1,
  keeps: true,
  overAll,
  close: () => {},
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

test('an answer that comes late closes or opens nothing in the place of its dialog', () => {
  openProfile()
  refusePin()
  endDialog('pin')
  expect(dialog.value).toEqual({ kind: 'profile' })
  closeDialog()
  refusePin()
  expect(dialog.value).toBeNull()
})

test('a registration that is left leads to the login that it was begun from', () => {
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

test('what opens while it is asked who is there lies under that', () => {
  const order = (all: readonly Layer[]) => all.map(({ id }) => id)
  const asked = withLayer([layer(1)], layer(2, true))
  expect(order(asked)).toEqual([1, 2])
  expect(order(withLayer(asked, layer(3)))).toEqual([1, 3, 2])
  expect(order(withLayer(asked, layer(4, true)))).toEqual([1, 2, 4])
  expect(order(withLayer([layer(1)], layer(5)))).toEqual([1, 5])
})
