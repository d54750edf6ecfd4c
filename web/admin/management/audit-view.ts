/** The filter of the audit log, and names of days. Pure. */

import {
  type AuditActor,
  type AuditEntry,
  type AuditKind,
  type AuditQuery,
  auditActors,
} from '../../../schema/api/audit.ts'
import { limits } from '../../../schema/limits.ts'
import { ownLocale } from '../../../schema/locale.ts'
import { localSeconds, yearOf } from '../../kit/dates.ts'
import { managementTexts } from '../../texts/admin/management.ts'
import { baseTexts } from '../../texts/base.ts'

export interface AuditView {
  /** 'user NAME' or 'actor KIND'; '' means everybody. */
  who: string
  /** '' means all kinds. */
  what: AuditKind | ''
  /** Number of days to show, each of 24 hours, up to now. */
  days: number
  q: string
}

export const defaultAuditView: AuditView = { who: '', what: '', days: 30, q: '' }

export const auditActorChoices: readonly { value: string; text: string }[] = [
  { value: 'actor anonymous', text: managementTexts.visitors },
  { value: 'actor terminal', text: managementTexts.thisMachine },
  { value: 'actor device', text: baseTexts.devices },
]

export const auditKindChoices: readonly { value: AuditKind; text: string }[] = [
  { value: 'logins', text: managementTexts.logins },
  { value: 'refusals', text: managementTexts.failuresAndRefusals },
  { value: 'accounts', text: managementTexts.accounts },
  { value: 'access', text: managementTexts.groupsAndAccess },
  { value: 'collections', text: baseTexts.collections },
  { value: 'tokens', text: managementTexts.tokensAndDevices },
  { value: 'downloads', text: managementTexts.downloads },
]

export const auditDayChoices: readonly { value: number; text: string }[] = [
  { value: 1, text: managementTexts.last24Hours },
  { value: 7, text: managementTexts.last7Days },
  { value: 30, text: managementTexts.last30Days },
  { value: limits.auditDays, text: managementTexts.allOfIt },
]

/** `now` in seconds. */
export function auditQueryOf({ who, what, days, q }: AuditView, now: number): AuditQuery {
  const [kind, name = ''] = [who.slice(0, who.indexOf(' ')), who.slice(who.indexOf(' ') + 1)]
  const actor: AuditActor | undefined = auditActors.find(one => kind === 'actor' && one === name)
  return {
    ...(kind === 'user' ? { user: name } : {}),
    ...(actor === undefined ? {} : { actor }),
    ...(what === '' ? {} : { action: what }),
    ...(days === limits.auditDays ? {} : { from: now - days * 86_400 }),
    ...(q.trim() === '' ? {} : { q: q.trim() }),
  }
}

export interface AuditPage {
  entries: readonly AuditEntry[]
  /** The parameter `before` of the next page; null at the end. */
  next: number | null
}

/** Adds the known older entries to a reloaded first page, unless entries between them may be missing. */
export function withOlder(first: AuditPage, known: AuditPage): AuditPage {
  const oldest = first.entries.at(-1)?.id
  if (oldest === undefined || first.next === null) return first
  if (!known.entries.some(({ id }) => id >= oldest)) return first
  const older = known.entries.filter(({ id }) => id < oldest)
  return older.length === 0 ? first : { entries: [...first.entries, ...older], next: known.next }
}

/** 'Today, Sunday, 22 November', in local days. `at` in seconds. */
export function auditDay(at: number, now = new Date(), locale = ownLocale): string {
  const moment = new Date(at * 1000)
  const day = moment.toLocaleDateString(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(yearOf(localSeconds(moment)) === yearOf(localSeconds(now)) ? {} : { year: 'numeric' as const }),
  })
  const midnight = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime()
  if (moment.getTime() >= midnight(0)) return managementTexts.today({ day })
  return moment.getTime() >= midnight(1) ? managementTexts.yesterday({ day }) : day
}

/** '16:02'; with `whole`, the date as well. `at` in seconds. */
export function auditTime(at: number, whole = false, locale = ownLocale): string {
  const moment = new Date(at * 1000)
  return whole
    ? moment.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'medium' })
    : moment.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}
