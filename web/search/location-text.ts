/** Radius and place as text. Pure. */
import { ownLocale } from '../../schema/locale.ts'
import type { Near } from '../app/filter.ts'
import { coordinatesText } from '../items/item-text.ts'

/** '800 m', '5 km', '12.5 km'. */
export function distanceText(metres: number): string {
  const [value, unit] = metres >= 1000 ? [metres / 1000, 'km'] : [metres, 'm']
  return `${value.toLocaleString(ownLocale, { maximumFractionDigits: 1 })} ${unit}`
}

/** 'Antequera', or the coordinates if the place has no name. */
export function placeText({ name, latitude, longitude }: Near): string {
  return name ?? coordinatesText(latitude, longitude)
}
