/** The audit log, for global admins: its filter, and keeping the list up to date. */
import { signal } from '@preact/signals-react'
import { channels } from '../../../schema/realtime.ts'
import { api } from '../../api.ts'
import { createLoading, keepFresh } from '../../app/loading/resource.ts'
import { userSignal } from '../../app/user-data.ts'
import { managementTexts } from '../../texts/admin/management.ts'
import { type AuditPage, type AuditView, auditQueryOf, defaultAuditView, withOlder } from './audit-view.ts'

export const auditView = signal<AuditView>(defaultAuditView)
export const auditLog = userSignal<AuditPage | null>(null)
const loading = createLoading(managementTexts.unableToLoadTheLog)
export const { failed: auditFailed, loading: auditLoading } = loading
const older = createLoading(managementTexts.unableToLoadTheLog)
export const olderLoading = older.loading

function request(before: number | null): Promise<AuditPage> {
  const query = auditQueryOf(auditView.peek(), Math.floor(Date.now() / 1000))
  return api.audit.list({ query: before === null ? query : { ...query, before } })
}

/** Loads the first page. With `quiet`, the shown log is only updated and keeps its older entries. */
export async function loadAudit({ quiet = false } = {}): Promise<void> {
  await loading.load(
    () => request(null),
    first => {
      const known = auditLog.peek()
      auditLog.value = quiet && known !== null ? withOlder(first, known) : first
    },
    { quiet },
  )
}

export async function loadOlderAudit(): Promise<void> {
  const known = auditLog.peek()
  if (known === null || known.next === null || olderLoading.peek()) return
  await older.load(
    () => request(known.next),
    ({ entries, next }) => {
      if (auditLog.peek() === known) auditLog.value = { entries: [...known.entries, ...entries], next }
    },
  )
}

export function setAuditView(change: Partial<AuditView>): void {
  auditView.value = { ...auditView.peek(), ...change }
  void loadAudit()
}

/** Keeps the shown log up to date, throttled, since attacks make many entries. Returns the function that stops this. */
export function keepAuditFresh(): () => void {
  void loadAudit({ quiet: auditLog.peek() !== null })
  return keepFresh(channels.audit, () => auditLoading.peek() || void loadAudit({ quiet: true }), 2_000)
}
