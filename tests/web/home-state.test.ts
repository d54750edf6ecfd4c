import { expect, test } from 'bun:test'
import { type HomeFacts, homeState } from '../../web/gallery/home-state.ts'

const visitor: HomeFacts = {
  signedIn: false,
  globalAdmin: false,
  mayScan: false,
  firstStart: false,
  collections: 1,
  items: 0,
  filtered: false,
  dialogOpen: false,
}
const admin: HomeFacts = { ...visitor, signedIn: true, globalAdmin: true, mayScan: true }

test('an empty machine asks who looks after the library', () => {
  expect(homeState({ ...visitor, firstStart: true })).toBe('first')
})

test('a visitor to whom nothing is open is asked to sign in', () => {
  expect(homeState(visitor)).toBe('sign-in')
})

test('a visitor sees what is open to visitors', () => {
  expect(homeState({ ...visitor, collections: 2, items: 40 })).toBe('gallery')
  expect(homeState({ ...visitor, collections: 2 })).toBe('none')
})

test('without collections an administrator creates one, others ask the administrator, and an open dialog stays', () => {
  expect(homeState(admin)).toBe('create')
  expect(homeState({ ...admin, globalAdmin: false, mayScan: false })).toBe('ask')
  expect(homeState({ ...admin, dialogOpen: true })).toBe('quiet')
})

test('an empty library offers the scan to those who may, and only without a filter', () => {
  expect(homeState({ ...admin, collections: 2 })).toBe('scan')
  expect(homeState({ ...admin, collections: 2, filtered: true })).toBe('none')
  expect(homeState({ ...admin, collections: 2, globalAdmin: false, mayScan: false })).toBe('none')
})

test('with items there is the gallery', () => {
  expect(homeState({ ...admin, collections: 2, items: 1 })).toBe('gallery')
  expect(homeState({ ...admin, collections: 2, items: 1, filtered: true })).toBe('gallery')
})
