import { expect, test } from 'bun:test'
import { createMapGround } from '../../../core/items/map/map-ground.ts'
import { openTestLibrary } from '../../support/library.ts'

const none = { mapbox_token: '', 'map.tiles': '', 'map.attribution': '' }

async function setup(settings: Partial<typeof none> = {}) {
  const { db, make, viewer } = openTestLibrary()
  const admin = viewer(await make.user('admin', { globalAdmin: true }))
  const user = viewer(await make.user('user'))
  return { ground: createMapGround({ db, settings: { ...none, ...settings } }), admin, user, visitor: viewer(null) }
}

test('without any setting the built-in map is shown, and needs no other server', async () => {
  const { ground } = await setup()
  expect(ground.now()).toMatchObject({ source: 'builtin', tiles: '', open: true })
  expect(ground.origin()).toBeNull()
})

test('a global admin chooses for everybody, and back', async () => {
  const { ground, admin, user, visitor } = await setup()
  expect(ground.choose(admin, 'openstreetmap').attribution).toContain('OpenStreetMap')
  expect(ground.origin()).toBe('https://tile.openstreetmap.org')
  expect(() => ground.choose(user, 'builtin')).toThrow('Permission Denied')
  expect(() => ground.choose(visitor, 'builtin')).toThrow('Sign in')
  expect(ground.choose(admin, 'builtin').source).toBe('builtin')
})

test('the settings win, and say so', async () => {
  const { ground, admin } = await setup({
    'map.tiles': 'https://{s}.tiles.example/{z}/{x}/{y}{r}.png',
    'map.attribution': 'Us',
  })
  expect(ground.now()).toMatchObject({ source: 'tiles', attribution: 'Us', open: false })
  expect(ground.origin()).toBe('https://*.tiles.example')
  expect(() => ground.choose(admin, 'openstreetmap')).toThrow('map.tiles')
})

test('a token of a maps service is used for its tiles, whatever else is set', async () => {
  const { ground } = await setup({ mapbox_token: 'pk.1 2', 'map.tiles': 'https://tiles.example/{z}/{x}/{y}.png' })
  expect(ground.now().tiles).toEndWith('access_token=pk.1%202')
  expect(ground.origin()).toBe('https://api.mapbox.com')
})

test('an address that is no web address opens the page to nobody', async () => {
  const { ground } = await setup({ 'map.tiles': "javascript:alert('{z}')" })
  expect(ground.origin()).toBeNull()
})
