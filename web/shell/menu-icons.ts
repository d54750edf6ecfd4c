/** Icons of the main menu, and which entry is the current one. */
import { CalendarDays, Images, Map as MapIcon, MonitorPlay, Settings } from 'lucide-react'
import { address } from '../app/address.ts'
import { routeOf } from '../routes.ts'

export const icons = { home: Images, admin: Settings, day: CalendarDays, saver: MonitorPlay, map: MapIcon } as const

export function here(path: string): boolean {
  const now = address.value.path
  return path === '/'
    ? routeOf(now).name === 'Home' || routeOf(now).name === 'item'
    : routeOf(now).path.startsWith(path)
}
