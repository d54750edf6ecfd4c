/** The routes of the page, in the order of the main menu. Any other path shows Home. */

export interface Route {
  name: string
  path: string
  icon?: 'home' | 'albums' | 'people' | 'places' | 'admin' | 'day' | 'saver' | 'map'
  /** Whether the menu shows the route only to signed-in users, and its screen asks visitors to log in. */
  requiresAuth?: boolean
  requiresGlobalAdmin?: boolean
  hidden?: boolean
  children?: readonly Route[]
}

const routes: readonly Route[] = [
  { name: 'Home', path: '/', icon: 'home' },
  { name: 'Albums', path: '/albums', icon: 'albums' },
  { name: 'Albums', path: '/albums/:id', hidden: true },
  { name: 'People', path: '/people', icon: 'people' },
  { name: 'People', path: '/people/:id', hidden: true },
  { name: 'Places', path: '/places', icon: 'places' },
  { name: 'Places', path: '/places/:country', hidden: true },
  { name: 'Places', path: '/places/:country/:region', hidden: true },
  { name: 'item', path: '/item/:itemid', hidden: true },
  { name: 'shared', path: '/share/:name', hidden: true },
  { name: 'On this day', path: '/on-this-day', icon: 'day' },
  { name: 'World Map', path: '/world-map', icon: 'map' },
  { name: 'World Map', path: '/world-map/:itemid', hidden: true },
  { name: 'Screen Saver', path: '/screen-saver', icon: 'saver' },
  { name: 'My links', path: '/links', requiresAuth: true, hidden: true },
  { name: 'Token', path: '/screen-saver/token/:token', requiresAuth: true, hidden: true },
  // A short alias that is easy to type.
  { name: 'Token', path: '/t/:token', requiresAuth: true, hidden: true },
  { name: 'Plugin', path: '/plugin/:id', hidden: true },
  { name: 'Plugin', path: '/plugin/:id/*', hidden: true },
  {
    name: 'Admin',
    path: '/admin',
    icon: 'admin',
    requiresAuth: true,
    children: [
      { name: 'Collections', path: '/admin/collections', requiresAuth: true },
      { name: 'Transfer Items', path: '/admin/transfer', requiresAuth: true },
      { name: 'Manage Tags', path: '/admin/tagging', requiresAuth: true },
      { name: 'Manage Tags', path: '/admin/tagging/:tab', requiresAuth: true, hidden: true },
      { name: 'Item Metadata', path: '/admin/metadata', requiresAuth: true },
      { name: 'Management', path: '/admin/manage', requiresAuth: true },
      { name: 'Jobs', path: '/admin/jobs', requiresAuth: true },
      { name: 'Duplicates', path: '/admin/duplicates', requiresAuth: true },
      { name: 'Unnamed Faces', path: '/admin/faces', requiresAuth: true },
      { name: 'Users', path: '/admin/users', requiresAuth: true, requiresGlobalAdmin: true },
      { name: 'Files', path: '/admin/files', requiresAuth: true, requiresGlobalAdmin: true },
    ],
  },
]

export function menuFor(who: { signedIn: boolean; globalAdmin: boolean }, all = routes): Route[] {
  return all
    .filter(route => route.hidden !== true)
    .filter(route => route.requiresAuth !== true || who.signedIn)
    .filter(route => route.requiresGlobalAdmin !== true || who.globalAdmin)
    .map(route => (route.children === undefined ? route : { ...route, children: menuFor(who, route.children) }))
}

/** The route of a path; Home for unknown ones. */
export function routeOf(path: string): Route {
  const flat = routes.flatMap(route => [route, ...(route.children ?? [])])
  const matches = (route: Route) =>
    new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+').replace('*', '.*')}/?$`).test(path)
  return flat.find(matches) ?? { name: 'Home', path: '/' }
}

/** The device token in a screen's path, decoded unless its escapes are invalid. */
export function tokenIn(path: string): string {
  const part = /^\/(?:screen-saver\/token|t)\/([^/]+)/.exec(path)?.[1] ?? ''
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
