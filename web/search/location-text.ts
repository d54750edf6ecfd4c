/** Radius and place as text. Pure. */
import { quantityText } from '../../schema/figures.ts'
import type { Near } from '../app/filter.ts'
import { coordinatesText } from '../items/item-text.ts'

/** '800 m', '5 km', '12.5 km'. */
export function distanceText(metres: number): string {
  return metres >= 1000 ? quantityText(metres / 1000, 'kilometer') : quantityText(metres, 'meter')
}

/** 'Antequera', or the coordinates if the place has no name. */
export function placeText({ name, latitude, longitude }: Near): string {
  return name ?? coordinatesText(latitude, longitude)
}
