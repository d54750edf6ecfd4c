/** Tells the file manager that files of the server may have changed. */
import { effect } from '@preact/signals-react'
import { channels } from '../../../schema/realtime.ts'
import { keepFresh } from '../../app/loading/resource.ts'
import { versionOf } from '../../app/loading/stale.ts'

/** Calls back on changes while the page is visible. Returns the function that stops this. */
export function subscribeToFileChanges(changed: () => void): () => void {
  const stopFollowing = keepFresh(channels.files, changed, 0)
  let isFirst = true
  // The items have changed after a scan, sort, import or upload, and when hidden items are shown or hidden.
  const stopItems = effect(() => {
    versionOf('items')
    if (!isFirst && document.visibilityState === 'visible') queueMicrotask(changed)
    isFirst = false
  })
  return () => {
    stopFollowing()
    stopItems()
  }
}
