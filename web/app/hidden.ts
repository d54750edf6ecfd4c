/** Hidden items: the value that calls carry while they are shown, in memory only, which expires without input. */
import { computed, signal } from '@preact/signals-react'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { baseTexts } from '../texts/base.ts'
import { createIdle } from './idle.ts'
import { markStale } from './loading/stale.ts'
import { report, say, succeeds } from './messages.ts'
import { onUserLeft } from './user-data.ts'

/** '' while they are hidden. */
export const includeHidden = signal('')
export const showsHidden = computed(() => includeHidden.value !== '')

/** Parameters that include hidden items, while they are shown. */
export function hiddenQuery(): { includeHidden?: string } {
  return includeHidden.peek() === '' ? {} : { includeHidden: includeHidden.peek() }
}

/** Tells the browser's other pages: a session has one value, so theirs is invalid now. */
const pages = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('keepsake.hidden')

/** The server counts idle minutes by requests: somebody who only looks must not be locked out. */
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

/** A session has one value, the last: PINs are sent one after the other. */
let unlocking: Promise<unknown> = Promise.resolve()

/** Shows hidden items. Returns null, or an error text; they stay hidden then, and when `left` is aborted. */
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

/** Hides them again, here at once, and on the server. */
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
