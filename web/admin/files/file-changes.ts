/** Tells the file manager that files of the server may have changed. */
import { effect } from '@preact/signals-react'
import { channels } from '../../../schema/realtime.ts'
import { hiddenChanges } from '../../app/hidden.ts'
import { live, subscribe } from '../../socket.ts'

/** Calls back while the page is visible, or when it is shown again. Returns the function that ends it. */
export function followFiles(changed: () => void): () => void {
  let isMissed = false
  const report = () => {
    if (document.visibilityState === 'visible') changed()
    else isMissed = true
  }
  const stopHearing = [
    subscribe(channels.files, report),
    // Scans, sorts, imports and uploads report their collection. Changes of items' metadata do not matter here.
    subscribe(channels.collection(0), ({ action, item }) => {
      if (item === undefined || action !== 'update') report()
    }),
  ]
  // Changes without a connection were not reported.
  let [wasLive, isLost] = [live.peek(), false]
  const stopLooking = effect(() => {
    const isLive = live.value
    if (isLive && isLost) queueMicrotask(report)
    isLost = !isLive && (isLost || wasLive)
    wasLive = isLive
  })
  // Files of hidden items were shown or hidden.
  let known = hiddenChanges.peek()
  const stopUnlocking = effect(() => {
    if (hiddenChanges.value !== known) queueMicrotask(report)
    known = hiddenChanges.value
  })
  const onShown = () => {
    if (document.visibilityState !== 'visible' || !isMissed) return
    isMissed = false
    changed()
  }
  document.addEventListener('visibilitychange', onShown)
  return () => {
    for (const stop of stopHearing) stop()
    stopLooking()
    stopUnlocking()
    document.removeEventListener('visibilitychange', onShown)
  }
}
