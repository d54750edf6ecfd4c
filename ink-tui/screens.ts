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

type Load = Screen['load']

const screen = (key: string, name: string, title: string, about: string, load: Load): Screen => ({
  ...{ name, title, about, load },
  ...(key === '' ? {} : { key }),
})

/** One that is only reached from another one. */
const inner = (name: string, title: string, about: string, load: Load): Screen => ({
  ...screen('', name, title, about, load),
  inner: true,
})

export const screens: readonly Screen[] = [
  screen(
    '1',
    'dashboard',
    'Dashboard',
    'everything at a glance',
    async () => (await import('./screens/dashboard.tsx')).Dashboard,
  ),
  screen(
    '2',
    'collections',
    'Collections',
    'scan, sort, import, export, transfer',
    async () => (await import('./screens/collections.tsx')).Collections,
  ),
  screen(
    '3',
    'items',
    'Items',
    'find, look at, tag, rate, turn, recycle',
    async () => (await import('./screens/items.tsx')).Items,
  ),
  screen(
    '4',
    'bin',
    'Recycle bin',
    'bring items back, or delete them for good',
    async () => (await import('./screens/gone.tsx')).RecycleBin,
  ),
  screen(
    '5',
    'missing',
    'Missing items',
    'items whose files are gone',
    async () => (await import('./screens/gone.tsx')).Missing,
  ),
  screen(
    '8',
    'users',
    'Users and access',
    'accounts, groups, who may see what',
    async () => (await import('./screens/users.tsx')).Users,
  ),
  screen(
    '9',
    'plugins',
    'Plugins',
    'switch them on and off, set their options',
    async () => (await import('./screens/plugins.tsx')).Plugins,
  ),
  screen(
    '',
    'tokens',
    'Tokens',
    'of scripts and devices: issue, revoke',
    async () => (await import('./screens/tokens.tsx')).Tokens,
  ),
  screen(
    '',
    'people',
    'People',
    'their names, and on how many items they are',
    async () => (await import('./screens/people.tsx')).People,
  ),
  inner(
    'collection',
    'Collection',
    'one of them',
    async () => (await import('./screens/collection.tsx')).CollectionScreen,
  ),
  inner(
    'not-found',
    'Files that were not found',
    'by a scan that stopped for safety',
    async () => (await import('./screens/not-found.tsx')).NotFound,
  ),
  inner(
    'plan',
    'Plan',
    'what a sort, an import or a transfer would do',
    async () => (await import('./screens/plan.tsx')).Plan,
  ),
  screen(
    '6',
    'jobs',
    'Jobs',
    'what is being done, and what was done',
    async () => (await import('./screens/jobs.tsx')).Jobs,
  ),
  screen(
    '7',
    'problems',
    'Problems',
    'files that could not be read, shown, moved or written',
    async () => (await import('./screens/problems.tsx')).Problems,
  ),
  screen(
    '',
    'log',
    'Log',
    'what the programs wrote down, and the audit log',
    async () => (await import('./screens/log.tsx')).Log,
  ),
]
