/** That files of the server may have changed, for who looks at its folders. */
import { effect } from '@preact/signals-react'
import { channels } from '../../../schema/realtime.ts'
import { hiddenChanges } from '../../app/hidden.ts'
import { live, subscribe } from '../../socket.ts'

/** Calls back while the page is visible; changes while it was hidden are reported when it is shown again. Returns how to stop. */
export function followFiles(changed: () => void): () => void {
  let isMissed = false
  const report = () => {
    if (document.visibilityState === 'visible') changed()
    else isMissed = true
  }
  const stopHearing = [
    subscribe(channels.files, report),
    // Scans, sorts, imports and uploads of the gallery say it of their collection. What is known of an item is in no list here.
    subscribe(channels.collection(0), ({ action, item }) => {
      if (item === undefined || action !== 'update') report()
    }),
  ]
  // What happened while there was no connection nobody has told.
  let [wasLive, isLost] = [live.peek(), false]
  const stopLooking = effect(() => {
    const isLive = live.value
    if (isLive && isLost) queueMicrotask(report)
    isLost = !isLive && (isLost || wasLive)
    wasLive = isLive
  })
  // Files of hidden items came into sight, or left it.
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
