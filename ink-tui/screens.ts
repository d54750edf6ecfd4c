/** The screens by name: their keys, what the palette says of them, and where they are loaded from when they are first shown. */
import type { ComponentType } from 'react'
import type { ScreenProps } from './screen-props.ts'

export interface Screen {
  name: string
  title: string
  /** 1-9, where it has one. */
  key?: string
  about: string
  /** Only reached from another one. */
  inner?: boolean
  load(): Promise<ComponentType<ScreenProps>>
}

export const screens: readonly Screen[] = [
  {
    name: 'dashboard',
    title: 'Dashboard',
    key: '1',
    about: 'everything at a glance',
    load: async () => (await import('./screens/dashboard.tsx')).Dashboard,
  },
  {
    name: 'collections',
    title: 'Collections',
    key: '2',
    about: 'scan, sort, import, export, transfer',
    load: async () => (await import('./screens/collections.tsx')).Collections,
  },
  {
    name: 'items',
    title: 'Items',
    key: '3',
    about: 'find, look at, tag, rate, turn, recycle',
    load: async () => (await import('./screens/items.tsx')).Items,
  },
  {
    name: 'bin',
    title: 'Recycle bin',
    key: '4',
    about: 'bring items back, or delete them for good',
    load: async () => (await import('./screens/gone.tsx')).RecycleBin,
  },
  {
    name: 'missing',
    title: 'Missing items',
    key: '5',
    about: 'items whose files are gone',
    load: async () => (await import('./screens/gone.tsx')).Missing,
  },
  {
    name: 'users',
    title: 'Users and access',
    key: '8',
    about: 'accounts, groups, who may see what',
    load: async () => (await import('./screens/users.tsx')).Users,
  },
  {
    name: 'plugins',
    title: 'Plugins',
    key: '9',
    about: 'switch them on and off, set their options',
    load: async () => (await import('./screens/plugins.tsx')).Plugins,
  },
  {
    name: 'tokens',
    title: 'Tokens',
    about: 'of scripts and devices: issue, revoke',
    load: async () => (await import('./screens/tokens.tsx')).Tokens,
  },
  {
    name: 'people',
    title: 'People',
    about: 'their names, and on how many items they are',
    load: async () => (await import('./screens/people.tsx')).People,
  },
  {
    name: 'collection',
    title: 'Collection',
    about: 'one of them',
    inner: true,
    load: async () => (await import('./screens/collection.tsx')).CollectionScreen,
  },
  {
    name: 'not-found',
    title: 'Files that were not found',
    about: 'by a scan that stopped for safety',
    inner: true,
    load: async () => (await import('./screens/not-found.tsx')).NotFound,
  },
  {
    name: 'plan',
    title: 'Plan',
    about: 'what a sort, an import or a transfer would do',
    inner: true,
    load: async () => (await import('./screens/plan.tsx')).Plan,
  },
  {
    name: 'jobs',
    title: 'Jobs',
    key: '6',
    about: 'what is being done, and what was done',
    load: async () => (await import('./screens/jobs.tsx')).Jobs,
  },
  {
    name: 'problems',
    title: 'Problems',
    key: '7',
    about: 'files that could not be read, shown, moved or written',
    load: async () => (await import('./screens/problems.tsx')).Problems,
  },
  {
    name: 'log',
    title: 'Log',
    about: 'what the programs wrote down, and the audit log',
    load: async () => (await import('./screens/log.tsx')).Log,
  },
]
