/** The source of the map's tiles: Mapbox or other tiles if the settings say so, else what a global admin chose. */
import type { MapGround } from '../../../schema/api/system.ts'
import { Failure } from '../../../schema/errors.ts'
import type { Settings } from '../../../schema/settings.ts'
import { requireGlobalAdmin, type Viewer } from '../../accounts/access.ts'
import { choiceOf, setChoice } from '../../kernel/choices.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'

const openStreetMap = {
  source: 'openstreetmap',
  tiles: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  attribution: '© OpenStreetMap contributors',
} as const

export function createMapGround({
  db,
  settings,
}: {
  db: LibraryDatabase
  settings: Pick<Settings, 'mapbox_token' | 'map.tiles' | 'map.attribution'>
}) {
  /** The source that the settings require; null if they leave it open. */
  function configured(): Omit<MapGround, 'open'> | null {
    const { mapbox_token: token, 'map.tiles': tiles, 'map.attribution': attribution } = settings
    if (token !== '') {
      return {
        source: 'mapbox',
        tiles: `https://api.mapbox.com/styles/v1/mapbox/streets-v12/tiles/256/{z}/{x}/{y}@2x?access_token=${encodeURIComponent(token)}`,
        attribution: '© Mapbox © OpenStreetMap',
      }
    }
    return tiles === '' ? null : { source: 'tiles', tiles, attribution }
  }

  function current(): MapGround {
    const fixed = configured()
    if (fixed !== null) return { ...fixed, open: false }
    const chosen = choiceOf(db, 'map') === openStreetMap.source
    return { ...(chosen ? openStreetMap : { source: 'builtin', tiles: '', attribution: 'Natural Earth' }), open: true }
  }

  return {
    current,

    /** Chooses the source; for global admins. Throws 'conflict' if the settings require one. */
    async choose(viewer: Viewer, source: 'builtin' | 'openstreetmap'): Promise<MapGround> {
      requireGlobalAdmin(viewer)
      if (configured() !== null) {
        throw new Failure(
          'conflict',
          'The settings mapbox_token or map.tiles decide which map is shown. Change them instead.',
        )
      }
      await db.transact(viewer, tx => setChoice(tx, 'map', source))
      return current()
    },

    /** Origin from which pages must be allowed to load pictures; null if none. */
    origin(): string | null {
      const { tiles } = current()
      if (tiles === '') return null
      const address = URL.parse(tiles.replaceAll(/\{[sr]\}/g, ''))
      if (address === null || !/^https?:$/.test(address.protocol)) return null
      // {s} stands for a subdomain: the wildcard allows all of them.
      return tiles.includes('{s}') ? `${address.protocol}//*${address.host}` : address.origin
    },
  }
}

export type MapGroundService = ReturnType<typeof createMapGround>
