/** Icons of the main menu, and which entry is the current one. */
import { BookImage, CalendarDays, Images, Map as MapIcon, MonitorPlay, Settings } from 'lucide-react'
import { address } from '../app/address.ts'
import { filter } from '../app/current-filter.ts'
import { routeOf } from '../routes.ts'

export const icons = {
  home: Images,
  albums: BookImage,
  admin: Settings,
  day: CalendarDays,
  saver: MonitorPlay,
  map: MapIcon,
} as const

export function here(path: string): boolean {
  const route = routeOf(address.value.path)
  const isHome = route.name === 'Home' || route.name === 'item'
  // The items of an album are shown in the gallery.
  const isAlbum = isHome && filter.value.album !== 0
  if (path === '/') return isHome && !isAlbum
  return path === '/albums' && isAlbum ? true : route.path.startsWith(path)
}
