/** The component of each address in `routes.ts`, except those that show Home; loaded when it is first shown. */
import type { ComponentType } from 'react'
import { loadAlbumsStyle } from './albums/part.ts'
import { later } from './kit/later.tsx'
import { loadPeople } from './people/part.ts'

const collections = later(async () => (await import('./admin/collections/collections.tsx')).CollectionsAdmin)

const albums = later(async () => {
  const [{ AlbumsScreen }] = await Promise.all([import('./albums/albums-screen.tsx'), loadAlbumsStyle()])
  return AlbumsScreen
})

const people = later(async () => (await loadPeople()).PeopleScreen)

const places = later(async () => (await import('./places/lazy.ts')).loadPlaces())

const myLinks = later(async () => (await import('./sharing/my-links.tsx')).MyLinks)

const worldMap = later(async () => (await import('./map/world-map.tsx')).WorldMap)

const onThisDay = later(async () => (await import('./on-this-day/on-this-day.tsx')).OnThisDay)

const screenSaver = later(async () => (await import('./saver/screen-saver.tsx')).ScreenSaver)
const token = later(async () => (await import('./saver/token.tsx')).Token)

const metadata = later(async () => (await import('./admin/metadata/metadata.tsx')).ItemMetadata)

const management = later(async () => (await import('./admin/management/management.tsx')).Management)

const files = later(async () => (await import('./admin/files/files.tsx')).Files)
const users = later(async () => (await import('./admin/users/users.tsx')).Users)

const plugin = later(async () => (await import('./plugins/plugin-screen.tsx')).PluginScreen)

const jobs = later(async () => (await import('./admin/jobs/jobs-screen.tsx')).JobsScreen)
const duplicates = later(async () => (await import('./admin/duplicates/duplicates-screen.tsx')).DuplicatesScreen)

const faces = later(async () => (await import('./admin/faces/faces-screen.tsx')).FacesScreen)

const transfer = later(async () => (await import('./admin/transfer/transfer.tsx')).TransferItems)

const tagging = later(async () => (await import('./admin/tagging/tagging.tsx')).ManageTags)

export const screens: Record<string, ComponentType> = {
  '/screen-saver/token/:token': token,
  '/t/:token': token,
  '/screen-saver': screenSaver,
  '/albums': albums,
  '/albums/:id': albums,
  '/people': people,
  '/people/:id': people,
  '/places': places,
  '/places/:country': places,
  '/places/:country/:region': places,
  '/links': myLinks,
  '/on-this-day': onThisDay,
  '/world-map/:itemid': worldMap,
  '/world-map': worldMap,
  '/plugin/:id': plugin,
  '/plugin/:id/*': plugin,
  '/admin/jobs': jobs,
  '/admin/duplicates': duplicates,
  '/admin/faces': faces,
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
