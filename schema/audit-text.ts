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

/** The words for an action, and its severity. */
const table: Record<AuditAction, readonly [words: string, tone?: Tone]> = {
  login: ['Signed in'],
  'login.failed': ['Could not sign in', 'refused'],
  'login.limited': ['Tried to sign in too often', 'refused'],
  logout: ['Signed out'],
  'unlock.failed': ['Entered a wrong PIN', 'refused'],
  refused: ['Was refused', 'refused'],
  'user.create': ['Created an account'],
  'user.update': ['Changed an account'],
  'user.role': ['Changed a global admin', 'attention'],
  'user.disable': ['Disabled an account', 'attention'],
  'user.enable': ['Enabled an account', 'attention'],
  'user.password': ['Changed a password'],
  'user.reset': ['Reset an account', 'attention'],
  'user.sessions': ['Ended sessions'],
  'group.create': ['Created a group'],
  'group.update': ['Changed a group'],
  'group.attach': ['Gave a group access'],
  'group.detach': ['Took access from a group'],
  'group.add': ['Added to a group'],
  'group.remove': ['Removed from a group'],
  'collection.create': ['Created a collection'],
  'collection.update': ['Changed a collection'],
  'collection.delete': ['Deleted a collection', 'attention'],
  'token.issue': ['Issued a token', 'attention'],
  'token.revoke': ['Revoked a token'],
  'device.create': ['Added a device'],
  'device.remove': ['Removed a device'],
  download: ['Downloaded', 'attention'],
}

/** For example 'Could not sign in'. */
export function auditWords(action: AuditAction): string {
  return table[action][0]
}

export function auditTone(action: AuditAction): Tone {
  return table[action][1] ?? 'plain'
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

/** Who acted. A failed login was not an act of the account. */
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

/** The rights in an entry about a group, such as 'may edit, public'. */
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
