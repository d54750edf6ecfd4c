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

test('shows the first start for a library without accounts', () => {
  expect(homeState({ ...visitor, firstStart: true })).toBe('first')
})

test('asks a visitor to sign in when no collection is public', () => {
  expect(homeState(visitor)).toBe('sign-in')
})

test('shows a visitor the public collections', () => {
  expect(homeState({ ...visitor, collections: 2, items: 40 })).toBe('gallery')
  expect(homeState({ ...visitor, collections: 2 })).toBe('none')
})

test('without collections, lets an administrator create one, and tells others to ask the administrator', () => {
  expect(homeState(admin)).toBe('create')
  expect(homeState({ ...admin, globalAdmin: false, mayScan: false })).toBe('ask')
  expect(homeState({ ...admin, dialogOpen: true })).toBe('quiet')
})

test('in an empty library without a filter, offers the scan to those who may start it', () => {
  expect(homeState({ ...admin, collections: 2 })).toBe('scan')
  expect(homeState({ ...admin, collections: 2, filtered: true })).toBe('none')
  expect(homeState({ ...admin, collections: 2, globalAdmin: false, mayScan: false })).toBe('none')
})

test('shows the gallery when there are items', () => {
  expect(homeState({ ...admin, collections: 2, items: 1 })).toBe('gallery')
  expect(homeState({ ...admin, collections: 2, items: 1, filtered: true })).toBe('gallery')
})
