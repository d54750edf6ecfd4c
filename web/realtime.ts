/**
 * Keeps the page up to date with the library: maps each message to an effect. Without a connection (a proxy may block
 * websockets) the page polls: every two seconds while a job runs or the server is out of reach, else every twenty.
 */
import { effect } from '@preact/signals-react'
import { Refused } from '../schema/client.ts'
import { limits } from '../schema/limits.ts'
import { channels, type RealtimeMessage, sessionChannel } from '../schema/realtime.ts'
import { loadAlbumsPart } from './albums/part.ts'
import { outage } from './api.ts'
import { isFirstScan, itemCount, loadCollections } from './app/collections.ts'
import { filter } from './app/current-filter.ts'
import { activeJobs, loadJobs, receiveJob } from './app/jobs/jobs.ts'
import { announceRecovery, setRecoveryCheck } from './app/loading/recovery.ts'
import { markStale } from './app/loading/stale.ts'
import { runtime } from './app/runtime.ts'
import { refreshSession, setGlobalAdmin, signedIn, user, userToken } from './app/session.ts'
import { loadFavouritesPart } from './items/favourites/part.ts'
import { notifyItemsChanged, reloadChangedItems, removeFromViews } from './items/item-changes.ts'
import { isAtBeginning, list, refreshList } from './items/items.ts'
import { reloadOpen } from './items/open-item.ts'
import { reloadItemsAndWords } from './items/reload-items-and-words.ts'
import { deselect } from './items/selection/selection.ts'
import { loadTimeline } from './items/timeline.ts'
import { throttle } from './kit/time/throttle.ts'
import { pluginChanged, updatePlugins } from './plugins/active-plugins.ts'
import { live, reconnect, reconnectNow, renewConnection, startSocket, subscribe } from './socket.ts'
import { loadUploadsPart } from './uploads/part.ts'

const busyMs = 2_000
const idleMs = 20_000
const fillMs = 1_000

/** Loads the counts in the sidebar; throttled, because a scan reports new items hundreds of times. */
const loadCountsSoon = throttle(() => void loadCollections({ quiet: true }), 1_500)
/** Loads jobs, because the server sends no progress of other users' jobs. */
const loadJobsSoon = throttle(() => void loadJobs().catch(() => {}), busyMs)
/** Reloads visible lists of items and their counts. */
const itemsStale = throttle(() => markStale('items'), 1_000)
/** Throttled, because removing or merging many people causes a message for each. */
const wordsStale = throttle(() => markStale('words'), 500)
/** Throttled, because bulk naming changes many faces, one after the other. */
const facesStale = throttle(() => markStale('faces'), 1_000)
const albumsStale = throttle(() => {
  markStale('albums')
  if (filter.peek().album !== 0 || filter.peek().q !== '') reload()
}, 500)
const reload = throttle(
  () => void Promise.all([refreshList(), loadTimeline({ quiet: true })]),
  limits.windowRefreshMs,
  { leading: false },
)
/** Items are reloaded 20 s after a change. */
const reloadLater = throttle(reload, limits.reloadAfterChangeMs, { leading: false })

/** Reloads every few seconds at the beginning of the list, so that pictures appear during the first scan. */
const reloadSoon = throttle(() => (isAtBeginning() ? reload() : reloadLater()), fillMs, { leading: false })

function itemsChanged(): void {
  // An empty list shows the next steps instead of items.
  if (list.value?.total === 0) reload()
  else if (isFirstScan.value) reloadSoon()
  else reloadLater()
}

const reloadAllSoon = throttle(
  () => {
    void reloadItemsAndWords()
    markStale('faces', 'plugins')
    void updatePlugins()
    reloadOpen()
    if (signedIn.peek()) loadJobsSoon()
  },
  limits.windowRefreshMs,
  { leading: false },
)

function idIn(thing: unknown, name: 'id' | 'collection_id'): number | null {
  if (typeof thing !== 'object' || thing === null) return null
  const value: unknown = Reflect.get(thing, name)
  return typeof value === 'number' ? value : null
}

function flagIn(thing: unknown, name: 'globaladmin'): boolean | null {
  if (typeof thing !== 'object' || thing === null) return null
  const value: unknown = Reflect.get(thing, name)
  return typeof value === 'boolean' ? value : null
}

/** Handles a changed, added or removed item. */
function itemChanged(message: RealtimeMessage): void {
  const id = idIn(message.item, 'id')
  const home = idIn(message.item, 'collection_id')
  if (id === null) return
  const here = filter.peek().collection
  // An item that was moved leaves the list of the shown collection, but not the list of all.
  const isElsewhere = here !== 0 && home !== here
  if (message.action === 'delete') deselect([id])
  if (message.action === 'delete' || isElsewhere) removeFromViews(id)
  else if (message.action === 'update') reloadChangedItems([id])
  else if (message.action === 'create') notifyItemsChanged([id])
  itemsChanged()
  if (message.action !== 'update') loadCountsSoon()
}

function collectionChanged(message: RealtimeMessage): void {
  itemsStale()
  if (message.item !== undefined) itemChanged(message)
  else {
    loadCountsSoon()
    if (signedIn.peek()) loadJobsSoon()
    // A batch of a scan, a bulk edit or a sort may have changed everything that is shown.
    itemsChanged()
    notifyItemsChanged()
  }
}

const effects: Record<string, (message: RealtimeMessage) => void> = {
  [channels.collection(0)]: collectionChanged,
  [channels.task(0)]: ({ job }) => receiveJob(job),
  [channels.albums]: albumsStale,
  [channels.keystrings]: wordsStale,
  [channels.plugins]({ plugin }) {
    pluginChanged(plugin)
    markStale('plugins')
  },
  [channels.person(0)]: () => {
    wordsStale()
    facesStale()
    itemsChanged()
  },
  [channels.object(0)]: () => {
    wordsStale()
    itemsChanged()
  },
  // Rights have changed, or hidden items were unlocked or locked.
  [sessionChannel]({ action, session }) {
    if (action === 'delete') return
    const role = flagIn(session, 'globaladmin')
    if (role !== null) setGlobalAdmin(role)
    reloadAllSoon()
  },
}

let wake: () => void = () => {}
let isReachable = true

function pause(ms: number): Promise<void> {
  return new Promise(done => {
    const timer = setTimeout(done, ms)
    wake = () => {
      clearTimeout(timer)
      done()
    }
  })
}

/** Asks the server whether something has changed. Returns whether a job is running. */
async function poll(seen: { items: number | null }): Promise<boolean> {
  const busy = signedIn.value && (await loadJobs())
  if (!(await loadCollections({ quiet: true }))) throw new Error('the server cannot be reached')
  await updatePlugins()
  if (seen.items !== null && seen.items !== itemCount.value) {
    itemsChanged()
    itemsStale()
  }
  seen.items = itemCount.value
  return busy
}

async function keepPolling(): Promise<void> {
  const seen = { items: itemCount.value }
  for (;;) {
    let isBusy = false
    try {
      if (document.visibilityState === 'visible') {
        if (!live.value || !isReachable) isBusy = await poll(seen)
        else if (activeJobs.value.length > 0) isBusy = await loadJobs()
        if (!isReachable) {
          reconnectNow()
          announceRecovery()
        }
        isReachable = true
      }
    } catch (error) {
      // A failed poll is not reported. A 5xx also means that the server is down: a proxy may send it.
      isReachable = error instanceof Refused && error.status < 500
    }
    await pause(isBusy || !isReachable ? busyMs : idleMs)
  }
}

export function startRealtime(): void {
  for (const [channel, act] of Object.entries(effects)) subscribe(channel, act)
  startSocket({
    reload: reloadAllSoon,
    refresh: refreshSession,
    who: () => String(user.peek()?.id ?? ''),
    role: setGlobalAdmin,
    address: () => runtime.peek()?.websocket ?? '',
    since: () => runtime.peek()?.event,
  })

  let [known, knownToken] = [user.peek()?.id, userToken.peek()]
  effect(() => {
    const [now, nowToken] = [user.value?.id, userToken.value]
    if (now !== known) reconnect()
    else if (nowToken !== knownToken && nowToken !== '') {
      // The user signed in again after the session had ended, and no messages arrived in between.
      if (knownToken === '') queueMicrotask(reloadAllSoon)
      renewConnection()
    }
    ;[known, knownToken] = [now, nowToken]
  })
  effect(() => {
    if (!signedIn.value) return
    loadFavouritesPart()
    loadUploadsPart()
    loadAlbumsPart()
  })
  let wasLive = false
  effect(() => {
    if (live.value && !wasLive) announceRecovery()
    else if (!live.value) wake()
    wasLive = live.value
  })
  effect(() => {
    // Run outside the effect, because signals that `loadJobs` reads and changes would trigger the effect endlessly.
    if (live.value && signedIn.value) queueMicrotask(() => void loadJobs().catch(() => {}))
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !live.peek()) wake()
  })
  // Delayed, so that a request that always fails causes a poll every two seconds, not an endless loop.
  const pollSoon = throttle(() => wake(), busyMs, { leading: false })
  outage.report = () => {
    isReachable = false
    pollSoon()
  }
  addEventListener('online', outage.report)
  setRecoveryCheck(() => {
    wake()
    if (live.peek() && signedIn.peek()) loadJobsSoon()
  })
  void keepPolling()
}
