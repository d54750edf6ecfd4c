/** Which screen is shown at which address of `routes.ts`; its code comes when it is first looked at. */
import { type ComponentType, lazy } from 'react'

function later<Module, Name extends keyof Module>(
  load: () => Promise<Module & Record<Name, ComponentType>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await load())[name] }))
}

const collections = later(() => import('./screens/admin/collections.tsx'), 'CollectionsAdmin')

const worldMap = later(() => import('./screens/world-map.tsx'), 'WorldMap')

const onThisDay = later(() => import('./screens/on-this-day.tsx'), 'OnThisDay')

const screenSaver = later(() => import('./screens/screen-saver/screen-saver.tsx'), 'ScreenSaver')
const token = later(() => import('./screens/token.tsx'), 'Token')

const metadata = later(() => import('./screens/admin/metadata.tsx'), 'ItemMetadata')

const management = later(() => import('./screens/admin/manage/management.tsx'), 'Management')

const files = later(() => import('./screens/admin/files.tsx'), 'Files')
const users = later(() => import('./screens/admin/users.tsx'), 'Users')

const plugin = later(() => import('./screens/plugin.tsx'), 'PluginScreen')

const jobs = later(() => import('./screens/admin/jobs/jobs-screen.tsx'), 'JobsScreen')
const duplicates = later(() => import('./screens/admin/duplicates/duplicates-screen.tsx'), 'DuplicatesScreen')

const transfer = later(() => import('./screens/admin/transfer.tsx'), 'TransferItems')

const tagging = later(() => import('./screens/admin/tagging/tagging.tsx'), 'ManageTags')

export const screens: Record<string, ComponentType> = {
  '/screen-saver/token/:token': token,
  '/t/:token': token,
  '/screen-saver': screenSaver,
  '/on-this-day': onThisDay,
  '/world-map/:itemid': worldMap,
  '/world-map': worldMap,
  '/plugin/:id': plugin,
  '/plugin/:id/*': plugin,
  '/admin/jobs': jobs,
  '/admin/duplicates': duplicates,
  '/admin/metadata': metadata,
  '/admin/transfer': transfer,
  '/admin/tagging': tagging,
  '/admin/tagging/:tab': tagging,
  '/admin/manage': management,
  '/admin/users': users,
  '/admin/files': files,
  '/admin/collections': collections,
  '/admin': collections,
}
