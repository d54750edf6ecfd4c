import { expect, test } from 'bun:test'
import { menuFor, routeOf, tokenIn } from '../../web/routes.ts'

const names = (routes: ReturnType<typeof menuFor>) => routes.map(({ name }) => name)

test('finds the route of a path, and Home for an unknown path', () => {
  expect(routeOf('/').name).toBe('Home')
  expect(routeOf('/item/12').name).toBe('item')
  expect(routeOf('/admin/collections').name).toBe('Collections')
  expect(routeOf('/admin/collections/').name).toBe('Collections')
  expect(routeOf('/world-map/12').name).toBe('World Map')
  expect(routeOf('/screen-saver/token/abc')).toMatchObject({ name: 'Token', requiresAuth: true })
  expect(routeOf('/nowhere/at/all').name).toBe('Home')
})

test('reads a token from its address, even when the address is invalid', () => {
  expect(tokenIn('/screen-saver/token/abc')).toBe('abc')
  expect(tokenIn('/t/a%20b/')).toBe('a b')
  for (const part of ['%ZZ', '%', 'a%f', '%ff', '%c0%ae']) {
    expect(tokenIn(`/screen-saver/token/${part}`)).toBe(part)
    expect(routeOf(`/screen-saver/token/${part}`).name).toBe('Token')
  }
  expect(tokenIn('/screen-saver')).toBe('')
})

/** Path, name, and whether one must be signed in. */
const screens: [string, string, boolean][] = [
  ['/', 'Home', false],
  ['/item/12', 'item', false],
  ['/share/8fK2', 'shared', false],
  ['/on-this-day', 'On this day', false],
  ['/screen-saver', 'Screen Saver', false],
  ['/screen-saver/token/abc', 'Token', true],
  ['/world-map', 'World Map', false],
  ['/world-map/0', 'World Map', false],
  ['/admin', 'Admin', true],
  ['/admin/collections', 'Collections', true],
  ['/admin/transfer', 'Transfer Items', true],
  ['/admin/tagging', 'Manage Tags', true],
  ['/admin/metadata', 'Item Metadata', true],
  ['/admin/manage', 'Management', true],
]
for (const [path, name, requiresAuth] of screens) {
  test(`${path} is ${name}`, () => {
    const route = routeOf(path)
    expect([route.name, route.requiresAuth === true, route.requiresGlobalAdmin === true]).toEqual([
      name,
      requiresAuth,
      false,
    ])
  })
}

test('the menu lists what a user may see, and no hidden routes', () => {
  expect(names(menuFor({ signedIn: false, globalAdmin: false }))).toEqual([
    'Home',
    'Albums',
    'People',
    'Places',
    'On this day',
    'World Map',
    'Screen Saver',
  ])
  expect(names(menuFor({ signedIn: true, globalAdmin: false }))).toEqual([
    'Home',
    'Albums',
    'People',
    'Places',
    'On this day',
    'World Map',
    'Screen Saver',
    'Admin',
  ])
})

test('a route for global admins is shown to them only', () => {
  const all = [{ name: 'Users', path: '/admin/users', requiresAuth: true, requiresGlobalAdmin: true }]
  expect(menuFor({ signedIn: true, globalAdmin: false }, all)).toEqual([])
  expect(names(menuFor({ signedIn: true, globalAdmin: true }, all))).toEqual(['Users'])
})
