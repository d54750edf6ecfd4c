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

/** Whether a path is the current entry of the menu. */
export function here(path: string): boolean {
  const route = routeOf(address.value.path)
  const isHome = isGallery(route)
  // The items of an album and of a person are shown in the gallery.
  const shown = filter.value.album !== 0 ? '/albums' : openPerson.value !== 0 ? '/people' : '/'
  return isHome ? path === shown : path !== '/' && route.path.startsWith(path)
}
