/** A long list on a screen, of which only some pages are kept. */
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createCoalescer, isAlbumEvent, isCollectionEvent, liveMs } from '../live.ts'
import { useUi } from '../ui.ts'
import { createItemWindow, type ItemWindow, type LoadPage } from './item-window.ts'

/** The window of the list `key`, reloaded after changes. */
export function useWindow<T>(load: LoadPage<T>, key: string, height: number): ItemWindow<T> {
  const { session } = useUi()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the list
  const window = useMemo(() => createItemWindow(load), [key])
  useSyncExternalStore(window.subscribe, window.version)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height only changes which rows are visible
  useEffect(() => {
    window.setVisible(0, height)
    const reloads = createCoalescer(async () => window.reload(), liveMs)
    const stop = session.follow(events => {
      // A list may be the items of an album, or its query may name one.
      if (events.some(event => isCollectionEvent(event) || isAlbumEvent(event))) reloads.request()
    })
    return () => {
      stop()
      reloads.close()
      window.close()
    }
  }, [window, session])
  return window
}
