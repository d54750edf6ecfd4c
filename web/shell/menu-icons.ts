/** Icons of the main menu, and which entry is the current one. */
import { BookImage, CalendarDays, Images, Map as MapIcon, MapPin, MonitorPlay, Settings, Users } from 'lucide-react'
import { address } from '../app/address.ts'
import { filter, openPerson } from '../app/current-filter.ts'
import { routeOf } from '../routes.ts'

export const icons = {
  home: Images,
  albums: BookImage,
  people: Users,
  places: MapPin,
  admin: Settings,
  day: CalendarDays,
  saver: MonitorPlay,
  map: MapIcon,
} as const

const isGallery = ({ name }: { name: string }) => name === 'Home' || name === 'item'

/** Whether the gallery is shown, but no album: the screen that the search filters. */
export function inGallery(): boolean {
  return isGallery(routeOf(address.value.path)) && filter.value.album === 0
}

/** Whether the entry of the menu with this path is the current one. */
export function isCurrentEntry(path: string): boolean {
  const route = routeOf(address.value.path)
  const isHome = isGallery(route)
  // The gallery also shows the items of an album or a person, which belong to other entries.
  const entryOfGallery = filter.value.album !== 0 ? '/albums' : openPerson.value !== 0 ? '/people' : '/'
  return isHome ? path === entryOfGallery : path !== '/' && route.path.startsWith(path)
}
