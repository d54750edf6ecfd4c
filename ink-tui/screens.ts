/** The screens by name: keys, descriptions in the palette, and modules, which are loaded when first shown. */
import type { ComponentType } from 'react'
import type { ScreenProps } from './screen-props.ts'

const loadScreens = {
  dashboard: async () => (await import('./screens/dashboard.tsx')).Dashboard,
  collections: async () => (await import('./screens/collections.tsx')).Collections,
  items: async () => (await import('./screens/items.tsx')).Items,
  bin: async () => (await import('./screens/gone.tsx')).RecycleBin,
  missing: async () => (await import('./screens/gone.tsx')).Missing,
  users: async () => (await import('./screens/users.tsx')).Users,
  plugins: async () => (await import('./screens/plugins.tsx')).Plugins,
  tokens: async () => (await import('./screens/tokens.tsx')).Tokens,
  albums: async () => (await import('./screens/albums.tsx')).Albums,
  people: async () => (await import('./screens/people.tsx')).People,
  collection: async () => (await import('./screens/collection.tsx')).CollectionScreen,
  'not-found': async () => (await import('./screens/not-found.tsx')).NotFound,
  plan: async () => (await import('./screens/plan.tsx')).Plan,
  jobs: async () => (await import('./screens/jobs.tsx')).Jobs,
  problems: async () => (await import('./screens/problems.tsx')).Problems,
  log: async () => (await import('./screens/log.tsx')).Log,
} satisfies Record<string, () => Promise<ComponentType<ScreenProps>>>

/** `key`: 1-9, '' for none; 'inner': only reachable from another screen. */
function screen(key: string, name: keyof typeof loadScreens, title: string, about: string) {
  return { key: key === 'inner' ? '' : key, inner: key === 'inner', name, title, about, load: loadScreens[name] }
}

export type Screen = ReturnType<typeof screen>

export const screens: readonly Screen[] = [
  screen('1', 'dashboard', 'Dashboard', 'everything at a glance'),
  screen('2', 'collections', 'Collections', 'scan, sort, import, export, transfer'),
  screen('3', 'items', 'Items', 'find, view, tag, rate, rotate, recycle'),
  screen('4', 'bin', 'Recycle bin', 'restore items, or delete them for good'),
  screen('5', 'missing', 'Missing items', 'items whose files are gone'),
  screen('8', 'users', 'Users and access', 'accounts, groups, who may see what'),
  screen('9', 'plugins', 'Plugins', 'switch them on and off, set their options'),
  screen('', 'tokens', 'Tokens', 'of scripts: issue; of scripts and devices: revoke'),
  screen('', 'people', 'People', 'their names and number of items'),
  screen('', 'albums', 'Albums', 'by hand and by search: open, create, rename, delete'),
  screen('inner', 'collection', 'Collection', 'any of them'),
  screen('inner', 'not-found', 'Files that were not found', 'when a scan stopped for safety'),
  screen('inner', 'plan', 'Plan', 'what a sort, an import or a transfer would do'),
  screen('6', 'jobs', 'Jobs', 'running and finished jobs'),
  screen('7', 'problems', 'Problems', 'files that could not be read, shown, moved or written'),
  screen('', 'log', 'Log', 'program log and audit log'),
]
