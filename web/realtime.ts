/**
 * Keeps the page in step with the library. Until the server pushes, it asks gently: every two seconds while work is going
 * on, else every twenty. What changed goes through one table, change → effect.
 */
import { effect } from '@preact/signals-react'
import { limits } from '../schema/limits.ts'
import { itemCount, loadCollections } from './state/collections.ts'
import { list, refreshList } from './state/items.ts'
import { loadJobs } from './state/jobs.ts'
import { signedIn } from './state/session.ts'
import { loadTimeline } from './state/timeline.ts'

const effects = {
  /** Something is being done, or was just finished. */
  work: () => loadCollections({ quiet: true }),
  /** There are more items, or fewer. */
  items: () => Promise.all([refreshList(), loadTimeline({ quiet: true })]),
}

const busyMs = 2_000
const idleMs = 20_000
/** While the screen is not full yet, new pictures appear at once. */
const fewItems = 30

let wake: () => void = () => {}

/** Asks again now: something was started here. */
export function hurry(): void {
  wake()
}

function pause(ms: number): Promise<void> {
  return new Promise(done => {
    const timer = setTimeout(done, ms)
    wake = () => {
      clearTimeout(timer)
      done()
    }
  })
}

interface Seen {
  /** The page has just loaded everything itself. */
  fresh: boolean
  items: number | null
  refreshedAt: number
}

async function ask(seen: Seen): Promise<number> {
  const busy = signedIn.value && (await loadJobs())
  if (!seen.fresh) await effects.work()
  seen.fresh = false
  const count = itemCount.value
  if (count !== seen.items && count !== null) {
    const due =
      (list.value?.total ?? 0) < fewItems || !busy || Date.now() - seen.refreshedAt >= limits.reloadAfterChangeMs
    if (due) {
      const first = seen.items === null
      seen.items = count
      seen.refreshedAt = Date.now()
      // The first answer tells nothing new: the list was loaded beside it.
      if (!first) await effects.items()
    }
  }
  return busy ? busyMs : idleMs
}

/** Begins to follow the library. */
export function startRealtime(): void {
  const seen: Seen = { fresh: true, items: itemCount.value, refreshedAt: 0 }
  const follow = async () => {
    for (;;) {
      let next = idleMs
      try {
        if (document.visibilityState === 'visible') next = await ask(seen)
      } catch {
        // Whoever asks for something is told that the server is gone; a poll is not.
      }
      await pause(next)
    }
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake()
  })
  // Another person sees another library, and may be told of jobs.
  let known = signedIn.peek()
  effect(() => {
    if (signedIn.value === known) return
    known = signedIn.value
    seen.items = null
    wake()
  })
  void follow()
}
