/** The audit log: what it records, and the call that reads it. */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { endpoint, idNumber, numberText, shortText, wholeNumber } from './contract.ts'

/** Actions of the audit log, by the kinds that filters offer. Actions are stored: add new ones, but change none. */
export const auditKinds = {
  logins: ['login', 'login.failed', 'login.limited', 'logout', 'unlock.failed'],
  refusals: ['login.failed', 'login.limited', 'unlock.failed', 'refused'],
  accounts: [
    'user.create',
    'user.update',
    'user.role',
    'user.disable',
    'user.enable',
    'user.password',
    'user.reset',
    'user.sessions',
  ],
  access: ['group.create', 'group.update', 'group.attach', 'group.detach', 'group.add', 'group.remove'],
  collections: ['collection.create', 'collection.update', 'collection.delete'],
  tokens: ['token.issue', 'token.revoke', 'device.create', 'device.remove'],
  downloads: ['download'],
} as const
export type AuditKind = keyof typeof auditKinds
export type AuditAction = (typeof auditKinds)[AuditKind][number]
export const auditActions: readonly AuditAction[] = [...new Set(Object.values(auditKinds).flat())]
export const auditKindNames = Object.keys(auditKinds) as AuditKind[]

/** Who acted: an account, the machine's own terminal, a visitor, or a device with its token. */
export const auditActors = ['user', 'terminal', 'anonymous', 'device'] as const
export type AuditActor = (typeof auditActors)[number]

export const auditEntry = z.object({
  id: z.int(),
  /** Seconds since the epoch; for equal entries within a minute, the time of the first. */
  at: z.int(),
  actor: z.enum(auditActors),
  /** The username, or 'Deleted account', 'Visitor', 'This machine' or 'Device'; after a failed login, 'Visitor'. */
  who: z.string(),
  /** The account that acted or whose login was tried; null for visitors, the terminal and unknown names. */
  username: z.string().nullable(),
  /** '' for local calls without a network address. */
  address: z.string(),
  action: z.enum(auditActions),
  /** Number of equal entries combined in this one. */
  count: z.int(),
  /** The entire entry as a sentence fragment: 'Could not sign in: ines, 5 times'. */
  text: z.string(),
  /** Ids, and names that are never hidden. */
  detail: z.record(z.string(), z.unknown()),
  /** Names for the ids in `detail`; null if a name does not exist. */
  names: z.object({ user: z.string().nullable(), group: z.string().nullable(), collection: z.string().nullable() }),
})
export type AuditEntry = z.output<typeof auditEntry>

const limitWords = `limit is 1 to ${limits.maxAuditPage}`

const auditQuery = z.object({
  /** A username: finds what this account did, and attempts to sign in as it. */
  user: shortText('user', 200).optional(),
  actor: z.enum(auditActors).optional(),
  action: z
    .enum([...auditKindNames, ...auditActions], `action is one of: ${[...auditKindNames, ...auditActions].join(', ')}`)
    .optional(),
  /** A complete address. */
  address: shortText('address', 200).optional(),
  /** Seconds since the epoch, both inclusive. */
  from: wholeNumber.optional(),
  to: wholeNumber.optional(),
  /** Part of a username, of the words for an action or actor, or of an address. */
  q: shortText('q', 200).optional(),
  /** Returns only entries older than this one: `next` of the previous page. */
  before: idNumber.optional(),
  limit: numberText(/^[1-9]\d{0,2}$/, limitWords, z.int().min(1).max(limits.maxAuditPage, limitWords)).optional(),
})
export type AuditQuery = z.output<typeof auditQuery>

export const auditCalls = {
  list: endpoint('GET /v1/audit', {
    summary: `The audit log, newest first: logins, refusals, changes of accounts and rights, large downloads. Kept for ${limits.auditDays} days.`,
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404] },
    query: auditQuery,
    output: z.object({ entries: z.array(auditEntry), next: z.int().nullable() }),
  }),
}
