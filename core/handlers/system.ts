/** Calls that a page makes before anything else. */
import { built, version } from '../build-info.ts'
import { newestEvent } from '../events.ts'
import type { Core, GroupHandlers } from './caller.ts'

export function systemHandlers({ db, settings, users, mapGround }: Core): GroupHandlers<'system'> {
  return {
    runtime: () => ({
      api: '',
      websocket: '',
      mapbox_token: settings.mapbox_token,
      map: mapGround.now(),
      registration: users.any() ? settings.registration : 'first',
      recycleSeconds: settings.recycle_days,
      maxFileSize: settings['files.maxFileSize'],
      event: newestEvent(db),
      built,
      version,
    }),
    setMap: ({ viewer }, { body }) => mapGround.choose(viewer, body.source),
  }
}
