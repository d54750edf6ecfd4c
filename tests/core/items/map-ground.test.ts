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

test('the built-in map is the default and needs no other server', async () => {
  const { ground } = await setup()
  expect(ground.current()).toMatchObject({ source: 'builtin', tiles: '', open: true })
  expect(ground.origin()).toBeNull()
})

test('only a global admin can choose the map', async () => {
  const { ground, admin, user, visitor } = await setup()
  expect((await ground.choose(admin, 'openstreetmap')).attribution).toContain('OpenStreetMap')
  expect(ground.origin()).toBe('https://tile.openstreetmap.org')
  await expect(ground.choose(user, 'builtin')).rejects.toThrow('Permission Denied')
  await expect(ground.choose(visitor, 'builtin')).rejects.toThrow('Sign in')
  expect((await ground.choose(admin, 'builtin')).source).toBe('builtin')
})

test('settings take precedence, and choosing another map fails with the names of the settings', async () => {
  const { ground, admin } = await setup({
    'map.tiles': 'https://{s}.tiles.example/{z}/{x}/{y}{r}.png',
    'map.attribution': 'Us',
  })
  expect(ground.current()).toMatchObject({ source: 'tiles', attribution: 'Us', open: false })
  expect(ground.origin()).toBe('https://*.tiles.example')
  await expect(ground.choose(admin, 'openstreetmap')).rejects.toThrow('map.tiles')
})

test('a Mapbox token takes precedence over other tiles', async () => {
  const { ground } = await setup({ mapbox_token: 'pk.1 2', 'map.tiles': 'https://tiles.example/{z}/{x}/{y}.png' })
  expect(ground.current().tiles).toEndWith('access_token=pk.1%202')
  expect(ground.origin()).toBe('https://api.mapbox.com')
})

test('an invalid tile address allows no origin', async () => {
  const { ground } = await setup({ 'map.tiles': "javascript:alert('{z}')" })
  expect(ground.origin()).toBeNull()
})
