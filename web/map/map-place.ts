/** The last view of the map, restored when the map is opened again. */
import { z } from 'zod'
import { readStored, writeStored } from '../kit/stored.ts'

const shape = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number(),
  zoom: z.number().min(0).max(22),
})
export type MapPlace = z.output<typeof shape>

/** The first view: most of the world, with Europe and Africa in the middle. */
const world: MapPlace = { latitude: 30, longitude: 5, zoom: 3 }

export function loadMapPlace(): MapPlace {
  return readStored('keepsake.map', shape) ?? world
}

export function saveMapPlace(place: MapPlace): void {
  writeStored('keepsake.map', place)
}
