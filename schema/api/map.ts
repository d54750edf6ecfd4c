/** The map: positions of items, and places by name. */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { atMost, collectionNumber, endpoint, shortText, unlocked } from './contract.ts'
import { filterQuery, item, pageLinks, pageMeta, pageQuery } from './items.ts'

export const feature = z.object({
  type: z.literal('Feature'),
  id: z.int(),
  geometry: z.object({
    type: z.literal('Point'),
    /** Longitude, latitude. */
    coordinates: z.tuple([z.number(), z.number()]),
  }),
  properties: z.object({ id: z.int(), type: z.enum(['image', 'video']), taken: z.int(), reloads: z.string() }),
})

/** West, south, east, north in degrees; west greater than east crosses the date line. */
const boundingBox = z.codec(
  z.string().regex(/^-?\d+(\.\d+)?(,-?\d+(\.\d+)?){3}$/, 'bbox is west,south,east,north'),
  z.tuple([z.number(), z.number(), z.number(), z.number()]),
  {
    decode(text, context): [number, number, number, number] {
      const [west = 0, south = 0, east = 0, north = 0] = text.split(',').map(Number)
      if (Math.abs(south) <= 90 && Math.abs(north) <= 90 && south <= north) return [west, south, east, north]
      context.issues.push({ code: 'custom', message: 'bbox is west,south,east,north', input: text })
      return z.NEVER
    },
    encode: box => box.join(','),
  },
)

export const place = z.object({
  name: z.string(),
  /** ISO 3166 code of its country. */
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  population: z.int(),
})

const countedPlace = z.object({
  name: z.string(),
  /** The end of the names of all items here, for `place:"…"` in a search: 'Kiel, Schleswig-Holstein, Germany'. */
  text: z.string(),
  count: z.int(),
})

/** A country, region or town with items. Towns have no places within them. */
const itemPlace = countedPlace.extend({
  /** Earliest and latest `taken`. */
  from: z.int(),
  to: z.int(),
  /** The best rated item that the caller sees. */
  cover: item.nullable(),
  /** The most frequent places within, and how many there are. */
  top: z.array(countedPlace),
  inside: z.int(),
})
export type ItemPlace = z.output<typeof itemPlace>

const placesOverview = z.object({
  countries: z.int(),
  towns: z.int(),
  /** Countries, or the one country or region that was asked for; most frequent first. '' has places of no country. */
  sections: z.array(itemPlace.omit({ cover: true, top: true }).extend({ places: z.array(itemPlace) })),
  /** Items with a position that has no name, and items without any place. */
  unnamed: z.int(),
  nowhere: z.int(),
})
export type PlacesOverview = z.output<typeof placesOverview>

const namePart = shortText('Place', 500).optional()

export const mapCalls = {
  features: endpoint('GET /v1/geojson/features/:collectionId', {
    summary: `Items with a position as GeoJSON, ${limits.geojsonPageSize} a page; bbox asks for a part of the map.`,
    rule: { who: 'all', refused: [400] },
    params: z.object({ collectionId: collectionNumber }),
    query: filterQuery.extend({ ...pageQuery.shape, bbox: boundingBox.optional() }),
    output: z.object({
      _meta: pageMeta,
      _links: pageLinks,
      type: z.literal('FeatureCollection'),
      features: z.array(feature),
      /** The same list, under the name used in every paged result. */
      items: z.array(feature),
    }),
  }),
  places: endpoint('GET /v1/places', {
    summary: 'Cities whose name begins with a text, largest first.',
    rule: { who: 'signedIn', refused: [400, 401] },
    query: z.object({
      q: z
        .string()
        .trim()
        .min(1, 'q is required')
        .max(...atMost('Place', 100)),
    }),
    output: z.array(place),
  }),
  visited: endpoint('GET /v1/places/overview', {
    summary: `Places of items by country, with ${limits.placesOfCountry} regions or towns of each; country and region list all within.`,
    rule: { who: 'all', refused: [400] },
    query: unlocked.extend({ country: namePart, region: namePart }),
    output: placesOverview,
  }),
}
