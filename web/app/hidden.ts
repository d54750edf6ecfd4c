/** Shows hidden items on request: calls then carry a value that is in memory only, and expires without input. */
import { computed, signal } from '@preact/signals-react'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { baseTexts } from '../texts/base.ts'
import { createIdle } from './idle.ts'
import { markStale } from './loading/stale.ts'
import { report, say, succeeds } from './messages.ts'
import { onUserLeft } from './user-data.ts'

/** The value that calls carry; '' while hidden items are not shown. */
export const includeHidden = signal('')
export const showsHidden = computed(() => includeHidden.value !== '')

/** Parameters that include hidden items, while they are shown. */
export function hiddenQuery(): { includeHidden?: string } {
  return includeHidden.peek() === '' ? {} : { includeHidden: includeHidden.peek() }
}

/** Channel to the browser's other pages: a session has only one value, so a new one invalidates theirs. */
const pages = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('keepsake.hidden')

/** Minimum milliseconds between calls that keep the value alive on the server while the user only looks. */
const notifyEveryMs = 5 * 60_000

const idle = createIdle({
  events: ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'scroll'],
  notifyEveryMs: notifyEveryMs,
  notify: () => void api.collections.list({ query: { includeHidden: includeHidden.peek() } }).catch(() => {}),
  end: () => {
    say(baseTexts.hiddenItemsAreHiddenAgain, baseTexts.thereWasNoInput)
    void lock()
  },
})

function clear(): void {
  idle.stop()
  includeHidden.value = ''
}

/** A session has only one value, the latest, so PINs are sent one after the other. */
let unlocking: Promise<unknown> = Promise.resolve()

/** Shows hidden items. Returns null or an error text; on error, or if `left` is aborted, they stay hidden. */
export function unlock(pin: string, left: AbortSignal): Promise<string | null> {
  const mine = unlocking.then(() => unlockNow(pin, left))
  unlocking = mine.catch(() => {})
  return mine
}

async function unlockNow(pin: string, left: AbortSignal): Promise<string | null> {
  if (left.aborted) return ''
  try {
    const { includeHidden: value, seconds } = await api.keystrings.unlock({ body: { pin } })
    if (left.aborted) {
      pages?.postMessage('changed')
      await api.keystrings.lock()
      return ''
    }
    includeHidden.value = value
    markStale('items')
    idle.start(seconds * 1000)
    pages?.postMessage('changed')
    return null
  } catch (error) {
    if (left.aborted) return ''
    clear()
    if (!(error instanceof Refused)) report(error, baseTexts.failedToUnlock)
    return error instanceof Refused && error.status === 429
      ? baseTexts.failedToUnlockBecause({ message: error.message })
      : baseTexts.failedToUnlock
  }
}

/** Hides the items again, here at once and then on the server. */
export async function lock(): Promise<void> {
  if (includeHidden.peek() === '') return
  clear()
  pages?.postMessage('changed')
  await succeeds(baseTexts.failedToHide, () => api.keystrings.lock())
  markStale('items')
}

export function startHidden(): void {
  pages?.addEventListener('message', clear)
  onUserLeft(clear)
}
