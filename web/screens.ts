/** Which screen is shown at which address of `routes.ts`; its code comes when it is first looked at. */
import { type ComponentType, lazy } from 'react'

function later<Module, Name extends keyof Module>(
  load: () => Promise<Module & Record<Name, ComponentType>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await load())[name] }))
}

const collections = later(() => import('./screens/admin/collections.tsx'), 'CollectionsAdmin')

export const screens: Record<string, ComponentType> = {
  '/admin/collections': collections,
  '/admin': collections,
}
