/** Entries of the audit log in words, shared by pages, commands and the terminal UI. Pure. */
import { type AuditAction, type AuditActor, auditActions } from './api/audit.ts'
import { plural, sizeText } from './figures.ts'

/** Names for the ids in an entry's detail, resolved when the entry is read; null if a name does not exist. */
export interface AuditNames {
  user: string | null
  group: string | null
  collection: string | null
}

export interface AuditFacts {
  action: AuditAction
  count: number
  detail: Readonly<Record<string, unknown>>
  names: AuditNames
}

type Tone = 'plain' | 'attention' | 'refused'

/** The words for an action. Pages load this table as part of their catalogue. */
export const auditMessages = {
  login: 'Signed in',
  'login.failed': 'Could not sign in',
  'login.limited': 'Tried to sign in too often',
  logout: 'Signed out',
  'unlock.failed': 'Entered a wrong PIN',
  refused: 'Was refused',
  'user.create': 'Created an account',
  'user.update': 'Changed an account',
  'user.role': 'Changed a global admin',
  'user.disable': 'Disabled an account',
  'user.enable': 'Enabled an account',
  'user.password': 'Changed a password',
  'user.reset': 'Reset an account',
  'user.sessions': 'Ended sessions',
  'group.create': 'Created a group',
  'group.update': 'Changed a group',
  'group.attach': 'Gave a group access',
  'group.detach': 'Took access from a group',
  'group.add': 'Added to a group',
  'group.remove': 'Removed from a group',
  'collection.create': 'Created a collection',
  'collection.update': 'Changed a collection',
  'collection.delete': 'Deleted a collection',
  'token.issue': 'Issued a token',
  'token.revoke': 'Revoked a token',
  'device.create': 'Added a device',
  'device.remove': 'Removed a device',
  download: 'Downloaded',
} as const satisfies Record<AuditAction, string>

/** The severity of actions that are not plain. */
const tones: Partial<Record<AuditAction, Tone>> = {
  'login.failed': 'refused',
  'login.limited': 'refused',
  'unlock.failed': 'refused',
  refused: 'refused',
  'user.role': 'attention',
  'user.disable': 'attention',
  'user.enable': 'attention',
  'user.reset': 'attention',
  'collection.delete': 'attention',
  'token.issue': 'attention',
  download: 'attention',
}

/** For example 'Could not sign in'. */
export function auditWords(action: AuditAction): string {
  return auditMessages[action]
}

export function auditTone(action: AuditAction): Tone {
  return tones[action] ?? 'plain'
}

export function auditActionsLike(text: string): AuditAction[] {
  const wanted = text.toLowerCase()
  return auditActions.filter(action => auditWords(action).toLowerCase().includes(wanted))
}

const actorWords: Record<AuditActor, string> = {
  user: 'Deleted account',
  terminal: 'This machine',
  anonymous: 'Visitor',
  device: 'Device',
}

/** The name of the actor. A failed login is an act of a visitor, not of the account. */
export function auditWho(actor: AuditActor, username: string | null): string {
  return actor === 'user' && username !== null ? username : actorWords[actor]
}

/** Searching for 'This machine', 'Visitor' and 'Device' finds these actors. */
export function auditActorsLike(text: string): AuditActor[] {
  const wanted = text.toLowerCase()
  return (['terminal', 'anonymous', 'device'] as const).filter(one => actorWords[one].toLowerCase().includes(wanted))
}

function textIn(detail: AuditFacts['detail'], ...keys: string[]): string | null {
  const found = keys.map(key => detail[key]).find(value => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : null
}

function numberIn(detail: AuditFacts['detail'], key: string): number | null {
  const value = detail[key]
  return typeof value === 'number' ? value : null
}

const listed = (parts: readonly (string | null)[], between = ', ') => parts.filter(Boolean).join(between)

const refusals: Record<number, string> = { 401: 'not signed in', 403: 'no permission', 429: 'too many requests' }

function refusedText({ detail }: AuditFacts): string {
  const call = listed([textIn(detail, 'method'), textIn(detail, 'path')], ' ')
  return listed([call, refusals[numberIn(detail, 'status') ?? 0] ?? null])
}

const downloads: Record<string, string> = {
  items: 'items',
  file: 'a file',
  folder: 'a folder',
  slideshow: 'a slideshow',
  csv: 'a list as CSV',
  people: 'all people',
}

function downloadText({ detail, names }: AuditFacts): string {
  const [items, bytes] = [numberIn(detail, 'items'), numberIn(detail, 'bytes')]
  const what = textIn(detail, 'what') ?? ''
  const known = what === 'items' && items !== null ? null : (downloads[what] ?? null)
  const count = items === null ? null : plural(items, what === 'folder' ? 'file' : 'item', undefined, 'en')
  const from = names.collection === null ? '' : ` from ${names.collection}`
  return `${listed([known, count, bytes === null ? null : sizeText(bytes)])}${from}`
}

/** The rights in an entry about a group, such as 'update, public'. */
function rightsText(detail: AuditFacts['detail']): string | null {
  const names = ['admin', 'update', 'create', 'view', 'public']
  return names.filter(name => detail[name] === true || detail[name] === 1).join(', ') || null
}

function groupText({ action, detail, names }: AuditFacts): string {
  const { user, group, collection } = names
  if (action === 'group.add') return listed([user, group], ' to ')
  if (action === 'group.remove') return listed([user, group], ' from ')
  const rights = rightsText(detail)
  const named = `${group ?? ''}${rights === null ? '' : ` (${rights})`}`
  return listed([named, collection], action === 'group.detach' ? ' no longer in ' : ' in ')
}

/** The changed fields, such as ' (name, email)', if the detail has them. */
function fieldsText({ fields }: AuditFacts['detail']): string {
  const names = Array.isArray(fields) ? fields.filter(field => typeof field === 'string') : []
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}

function userText({ action, detail, names }: AuditFacts): string {
  const user = names.user ?? ''
  if (action !== 'user.role' || typeof detail.globaladmin !== 'boolean') return `${user}${fieldsText(detail)}`
  return `${user} is ${detail.globaladmin ? 'now' : 'no longer'} a global admin`
}

function subjectText(facts: AuditFacts): string {
  const { action, detail, names } = facts
  const [kind] = action.split('.')
  if (action === 'refused') return refusedText(facts)
  if (action === 'download') return downloadText(facts)
  if (kind === 'group') return groupText(facts)
  if (kind === 'user') return userText(facts)
  if (kind === 'collection') return `${names.collection ?? ''}${fieldsText(detail)}`
  if (kind === 'token' || kind === 'device') {
    const name = textIn(detail, 'name')
    return names.user === null ? (name ?? '') : listed([name, `of ${names.user}`], ' ')
  }
  return names.user ?? ''
}

/** The text after the words for the action, such as 'ines, 5 times'; '' for none. */
export function auditAbout(facts: AuditFacts): string {
  return listed([subjectText(facts), facts.count > 1 ? `${facts.count.toLocaleString('en')} times` : null])
}

/** The whole entry: 'Could not sign in: ines, 5 times'. */
export function auditText(facts: AuditFacts): string {
  const subject = subjectText(facts)
  const about = auditAbout(facts)
  if (about === '') return auditWords(facts.action)
  return `${auditWords(facts.action)}${subject === '' ? ', ' : ': '}${about}`
}
