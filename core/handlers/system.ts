/** Calls that a page makes before anything else. */
import { realtimePath } from '../../schema/realtime.ts'
import { built, version } from '../kernel/build-info.ts'
import { newestEvent } from '../kernel/events.ts'
import type { Core, GroupHandlers } from './caller.ts'

export function systemHandlers({ db, settings, users, mapGround }: Core): GroupHandlers<'system'> {
  const { base_url: base } = settings
  const websocket = base === '' ? '' : new URL(base).href.replace(/\/*$/, realtimePath).replace(/^http/, 'ws')
  return {
    runtime: () => ({
      api: '',
      websocket,
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
