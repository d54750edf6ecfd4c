/** The source of the map's tiles: a maps service, tiles of the settings, an admin's choice, or the built-in map. */
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
  /** The value of the settings; null when they leave it open. */
  function demanded(): Omit<MapGround, 'open'> | null {
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

  function now(): MapGround {
    const fixed = demanded()
    if (fixed !== null) return { ...fixed, open: false }
    const chosen = choiceOf(db, 'map') === openStreetMap.source
    return { ...(chosen ? openStreetMap : { source: 'builtin', tiles: '', attribution: 'Natural Earth' }), open: true }
  }

  return {
    now,

    /** Global admins. Throws 'conflict' when the settings have a value. */
    choose(viewer: Viewer, source: 'builtin' | 'openstreetmap'): MapGround {
      requireGlobalAdmin(viewer)
      if (demanded() !== null) {
        throw new Failure(
          'conflict',
          'The settings mapbox_token or map.tiles decide which map is shown. Change them instead.',
        )
      }
      db.transact(viewer, tx => setChoice(tx, 'map', source))
      return now()
    },

    /** Origin that pages must be allowed to load pictures from; null when none. */
    origin(): string | null {
      const { tiles } = now()
      if (tiles === '') return null
      const address = URL.parse(tiles.replaceAll(/\{[sr]\}/g, ''))
      if (address === null || !/^https?:$/.test(address.protocol)) return null
      // {s} stands for one of several servers of the same name.
      return tiles.includes('{s}') ? `${address.protocol}//*${address.host}` : address.origin
    },
  }
}

export type MapGrounds = ReturnType<typeof createMapGround>
