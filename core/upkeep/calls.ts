/** Calls about the server: what a page needs before anything else, and the choice of the map. */
import { realtimePath } from '../../schema/realtime.ts'
import type { Settings } from '../../schema/settings.ts'
import type { CallHandlers } from '../accounts/caller.ts'
import type { Users } from '../accounts/users.ts'
import type { MapGroundService } from '../items/map/map-ground.ts'
import { built, version } from '../kernel/build-info.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { newestEvent } from '../kernel/events.ts'

interface SystemParts {
  db: LibraryDatabase
  settings: Settings
  users: Users
  mapGround: MapGroundService
}

export function systemCalls({ db, settings, users, mapGround }: SystemParts): CallHandlers<'system'> {
  const { base_url: base } = settings
  const websocket = base === '' ? '' : new URL(base).href.replace(/\/*$/, realtimePath).replace(/^http/, 'ws')
  return {
    runtime: () => ({
      api: '',
      websocket,
      mapbox_token: settings.mapbox_token,
      map: mapGround.current(),
      registration: users.hasAny() ? settings.registration : 'first',
      recycleSeconds: settings.recycle_days,
      maxFileSize: settings['files.maxFileSize'],
      event: newestEvent(db),
      built,
      version,
    }),
    setMap: ({ viewer }, { body }) => mapGround.choose(viewer, body.source),
  }
}
