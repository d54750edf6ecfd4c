/** Data that a page needs before anything else. */
import { z } from 'zod'
import { endpoint } from './contract.ts'

/** Source of the map's base layer; `builtin` needs no other server. */
const mapGround = z.object({
  source: z.enum(['mapbox', 'tiles', 'openstreetmap', 'builtin']),
  /** Address of a tile with {z}, {x} and {y}; '' for the built-in map. */
  tiles: z.string(),
  attribution: z.string(),
  /** Whether a global admin may choose the map, because the configuration does not set it. */
  open: z.boolean(),
})
export type MapGround = z.output<typeof mapGround>

export const runtimeConfig = z.object({
  /** Base address of the calls, '' for the page's own origin. */
  api: z.string(),
  /** Address of the websocket if 'base_url' is set; '' for the page's own origin. */
  websocket: z.string(),
  mapbox_token: z.string(),
  map: mapGround,
  /** 'first': nobody has an account yet, and the next registration creates a global admin. */
  registration: z.enum(['first', 'open', 'closed']),
  /** Seconds that the recycle bin keeps items; null means forever. */
  recycleSeconds: z.int().nullable(),
  /** Maximum size in bytes of an uploaded file. */
  maxFileSize: z.int(),
  /** Id of the newest event; the page asks the websocket for later ones. */
  event: z.int(),
  /** 'YYYY-MM-DD' of this build. */
  built: z.string(),
  version: z.string(),
})
export type RuntimeConfig = z.output<typeof runtimeConfig>

export const systemCalls = {
  runtime: endpoint('GET /config/runtime.json', {
    summary: 'Addresses and settings of the web page.',
    rule: { who: 'all', refused: [] },
    output: runtimeConfig,
  }),
  setMap: endpoint('PUT /v1/config/map', {
    summary: 'Chooses the map for all users: the built-in one, or the tiles of OpenStreetMap.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 409] },
    body: z.object({ source: z.enum(['builtin', 'openstreetmap']) }),
    output: mapGround,
  }),
}
