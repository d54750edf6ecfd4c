/** Shows hidden items on request: calls then send a value that is kept in memory only, and dropped after a time without input. */
import { computed, signal } from '@preact/signals-react'
import { Refused } from '../../schema/client.ts'
import { api } from '../api.ts'
import { baseTexts } from '../texts/base.ts'
import { createIdle } from './idle.ts'
import { markStale } from './loading/stale.ts'
import { attempt, report, say } from './messages.ts'
import { onUserLeft } from './user-data.ts'

/** The value that calls send; '' while hidden items are not shown. */
export const includeHidden = signal('')
export const showsHidden = computed(() => includeHidden.value !== '')

/** Parameters that include hidden items, while they are shown. */
export function hiddenQuery(): { includeHidden?: string } {
  return includeHidden.peek() === '' ? {} : { includeHidden: includeHidden.peek() }
}

/** Channel to this browser's other tabs: a session has only one value, so a new one makes theirs invalid. */
const otherTabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('keepsake.hidden')

/** The value also expires on the server unless calls send it. While there is input, one is made this often (milliseconds). */
const notifyEveryMs = 5 * 60_000

const idle = createIdle({
  events: ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'scroll'],
  notifyEveryMs,
  notify: () => void api.collections.list({ query: { includeHidden: includeHidden.peek() } }).catch(() => {}),
  end: () => {
    say(baseTexts.hiddenItemsAreHiddenAgain, baseTexts.noInputHint)
    void lock()
  },
})

function dropValue(): void {
  idle.stop()
  includeHidden.value = ''
}

/** PINs are sent one after the other, because a session has only one value: that of the last PIN. */
let lastUnlock: Promise<unknown> = Promise.resolve()

/** Shows hidden items. Returns null; or the error, or '' if `cancelled` was aborted, in which case they stay hidden. */
export function unlock(pin: string, cancelled: AbortSignal): Promise<string | null> {
  const result = lastUnlock.then(() => unlockNow(pin, cancelled))
  lastUnlock = result.catch(() => {})
  return result
}

async function unlockNow(pin: string, cancelled: AbortSignal): Promise<string | null> {
  if (cancelled.aborted) return ''
  try {
    const { includeHidden: value, seconds } = await api.keystrings.unlock({ body: { pin } })
    if (cancelled.aborted) {
      otherTabs?.postMessage('changed')
      await api.keystrings.lock()
      return ''
    }
    includeHidden.value = value
    markStale('items')
    idle.start(seconds * 1000)
    otherTabs?.postMessage('changed')
    return null
  } catch (error) {
    if (cancelled.aborted) return ''
    dropValue()
    if (!(error instanceof Refused)) report(error, baseTexts.failedToUnlock)
    return error instanceof Refused && error.status === 429
      ? baseTexts.failedToUnlockBecause({ message: error.message })
      : baseTexts.failedToUnlock
  }
}

/** Hides the items again, here at once and then on the server. */
export async function lock(): Promise<void> {
  if (includeHidden.peek() === '') return
  dropValue()
  otherTabs?.postMessage('changed')
  await attempt(baseTexts.failedToHide, () => api.keystrings.lock())
  markStale('items')
}

export function startHidden(): void {
  otherTabs?.addEventListener('message', dropValue)
  onUserLeft(dropValue)
}
