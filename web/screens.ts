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

export const screens: Record<string, ComponentType> = {
  '/screen-saver/token/:token': token,
  '/t/:token': token,
  '/screen-saver': screenSaver,
  '/on-this-day': onThisDay,
  '/world-map/:itemid': worldMap,
  '/world-map': worldMap,
  '/admin/metadata': metadata,
  '/admin/collections': collections,
  '/admin': collections,
}
