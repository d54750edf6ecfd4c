/** The audit log, for global admins: what of it is looked at, and keeping it up to date meanwhile. */
import { effect, signal } from '@preact/signals-react'
import { channels } from '../../schema/realtime.ts'
import { api } from '../api.ts'
import { live, subscribe } from '../socket.ts'
import { type AuditPage, type AuditView, auditQueryOf, firstAuditView, withOlder } from './audit-view.ts'
import { report } from './messages.ts'
import { throttle } from './throttle.ts'

export const auditView = signal<AuditView>(firstAuditView)
export const auditLog = signal<AuditPage | null>(null)
export const auditLoading = signal(false)
export const auditFailed = signal(false)

let asked = 0

async function ask(before: number | null): Promise<AuditPage> {
  const query = auditQueryOf(auditView.peek(), Math.floor(Date.now() / 1000))
  return api.audit.list({ query: before === null ? query : { ...query, before } })
}

/** `quiet`: somebody looks at it already, and nothing says that it is loaded again. */
export async function loadAudit({ quiet = false } = {}): Promise<void> {
  const mine = ++asked
  if (!quiet) auditLoading.value = true
  try {
    const first = await ask(null)
    if (mine !== asked) return
    const known = auditLog.peek()
    auditLog.value = quiet && known !== null ? withOlder(first, known) : first
    auditFailed.value = false
  } catch (error) {
    if (quiet || mine !== asked) return
    auditLog.value = null
    auditFailed.value = true
    report(error, 'Unable to load the log')
  } finally {
    if (mine === asked) auditLoading.value = false
  }
}

export async function loadOlderAudit(): Promise<void> {
  const known = auditLog.peek()
  if (known === null || known.next === null || auditLoading.peek()) return
  const mine = ++asked
  auditLoading.value = true
  try {
    const { entries, next } = await ask(known.next)
    if (mine === asked) auditLog.value = { entries: [...known.entries, ...entries], next }
  } catch (error) {
    if (mine === asked) report(error, 'Unable to load the log')
  } finally {
    if (mine === asked) auditLoading.value = false
  }
}

export function lookAtAudit(change: Partial<AuditView>): void {
  auditView.value = { ...auditView.peek(), ...change }
  void loadAudit()
}

/** An attack makes many entries. */
const loadSoon = throttle(() => {
  // What is being loaded comes first.
  if (!auditLoading.peek()) void loadAudit({ quiet: true })
}, 2_000)

/** Keeps the log as it is on the server for as long as somebody looks at it. Returns what ends that. */
export function followAudit(): () => void {
  void loadAudit({ quiet: auditLog.peek() !== null })
  const stopHearing = subscribe(channels.audit, loadSoon)
  // What happened while there was no connection nobody has told.
  let known = live.peek()
  const stopLooking = effect(() => {
    if (live.value && !known) queueMicrotask(loadSoon)
    known = live.value
  })
  return () => {
    stopHearing()
    stopLooking()
  }
}
