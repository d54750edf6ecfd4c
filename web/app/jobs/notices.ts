/** Contents of the bell: statuses disappear after 15 seconds; notices and errors stay. */
import { computed, signal } from '@preact/signals-react'
import { limits } from '../../../schema/limits.ts'

export interface Notice {
  id: number
  level: 'status' | 'notice' | 'error'
  text: string
  detail: string
  /** Milliseconds since the epoch. */
  at: number
  seen: boolean
}

/** Newest first. */
export const notices = signal<readonly Notice[]>([])
export const unseen = computed(() => notices.value.filter(({ seen }) => !seen).length)

const maxNotices = 50
let lastId = 0

export function dismiss(id: number): void {
  notices.value = notices.value.filter(notice => notice.id !== id)
}

export function addNotice(level: Notice['level'], text: string, detail = ''): void {
  const id = ++lastId
  notices.value = [{ id, level, text, detail, at: Date.now(), seen: false }, ...notices.value].slice(0, maxNotices)
  if (level === 'status') setTimeout(() => dismiss(id), limits.statusNotificationMs)
}

export function markSeen(): void {
  if (unseen.value > 0) notices.value = notices.value.map(notice => ({ ...notice, seen: true }))
}

export function clearNotices(): void {
  notices.value = []
}
