/** Entries of the audit log in words, shared by pages, commands and the terminal UI. Pure. */
import { type AuditAction, type AuditActor, type AuditEntry, auditActions } from './api/audit.ts'
import { sizeText } from './figures.ts'

export type AuditFacts = Pick<AuditEntry, 'action' | 'count' | 'detail' | 'names'>

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

/** Actors, and parts of what follows the words for an action. Pages load this table as part of their catalogue. */
export const auditPhrases = {
  user: 'Deleted account',
  terminal: 'This machine',
  anonymous: 'Visitor',
  device: 'Device',
  401: 'not signed in',
  403: 'no permission',
  429: 'too many requests',
  file: 'a file',
  folder: 'a folder',
  slideshow: 'a slideshow',
  csv: 'a list as CSV',
  people: 'all people',
  itemCount: { one: '{count} item', other: '{count} items' },
  fileCount: { one: '{count} file', other: '{count} files' },
  times: { one: '{count} time', other: '{count} times' },
  fromCollection: '{what} from {collection}',
  'group.add': '{user} to {group}',
  'group.remove': '{user} from {group}',
  'group.attach': '{group} in {collection}',
  'group.detach': '{group} no longer in {collection}',
  isGlobalAdmin: '{user} is now a global admin',
  isNoGlobalAdmin: '{user} is no longer a global admin',
  nameOfUser: '{name} of {user}',
} as const
export type AuditPhrase = keyof typeof auditPhrases
/** Returns a phrase with its values filled in. */
export type FillPhrase = (phrase: AuditPhrase, values?: Record<string, string | number>) => string

const fillEnglish: FillPhrase = (phrase, values = {}) => {
  const message = auditPhrases[phrase]
  const text = typeof message === 'string' ? message : values.count === 1 ? message.one : message.other
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]?.toLocaleString('en') ?? '')
}

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

/** The name of the actor. A failed login is an act of a visitor, not of the account. */
export function auditWho(actor: AuditActor, username: string | null, fill = fillEnglish): string {
  return actor === 'user' && username !== null ? username : fill(actor)
}

/** Searching for 'This machine', 'Visitor' and 'Device' finds these actors. */
export function auditActorsLike(text: string): AuditActor[] {
  const wanted = text.toLowerCase()
  return (['terminal', 'anonymous', 'device'] as const).filter(one => auditPhrases[one].toLowerCase().includes(wanted))
}

function textIn(detail: AuditFacts['detail'], ...keys: string[]): string | null {
  const found = keys.map(key => detail[key]).find(value => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : null
}

function numberIn(detail: AuditFacts['detail'], key: string): number | null {
  const value = detail[key]
  return typeof value === 'number' ? value : null
}

const joinParts = (parts: readonly (string | null)[], between = ', ') => parts.filter(Boolean).join(between)

export const isOneOf = <T extends string | number>(values: readonly T[], value: unknown): value is T =>
  values.some(one => one === value)

function refusedText({ detail }: AuditFacts, fill: FillPhrase): string {
  const call = joinParts([textIn(detail, 'method'), textIn(detail, 'path')], ' ')
  return joinParts([call, isOneOf([401, 403, 429] as const, detail.status) ? fill(detail.status) : null])
}

function downloadText({ detail, names: { collection } }: AuditFacts, fill: FillPhrase): string {
  const [items, bytes] = [numberIn(detail, 'items'), numberIn(detail, 'bytes')]
  const { what } = detail
  const kind = isOneOf(['file', 'folder', 'slideshow', 'csv', 'people'] as const, what) ? fill(what) : null
  const count = items === null ? null : fill(what === 'folder' ? 'fileCount' : 'itemCount', { count: items })
  const all = joinParts([kind, count, bytes === null ? null : sizeText(bytes)])
  return collection === null ? all : fill('fromCollection', { what: all, collection })
}

/** The rights in an entry about a group, such as 'update, public'. */
function rightsText(detail: AuditFacts['detail']): string | null {
  const names = ['admin', 'update', 'create', 'view', 'public']
  return names.filter(name => detail[name] === true || detail[name] === 1).join(', ') || null
}

function groupText({ action, detail, names }: AuditFacts, fill: FillPhrase): string {
  const rights = rightsText(detail)
  const group = `${names.group ?? ''}${rights === null ? '' : ` (${rights})`}`
  if (action !== 'group.add' && action !== 'group.remove' && action !== 'group.attach' && action !== 'group.detach')
    return group
  const { user, collection } = names
  const other = action === 'group.attach' || action === 'group.detach' ? collection : user
  if (group === '' || other === null) return group || (other ?? '')
  return fill(action, { group, user: user ?? '', collection: collection ?? '' })
}

/** The changed fields, such as ' (name, email)', if the detail has them. */
function fieldsText({ fields }: AuditFacts['detail']): string {
  const names = Array.isArray(fields) ? fields.filter(field => typeof field === 'string') : []
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}

function userText({ action, detail, names }: AuditFacts, fill: FillPhrase): string {
  const user = names.user ?? ''
  if (action !== 'user.role' || typeof detail.globaladmin !== 'boolean') return `${user}${fieldsText(detail)}`
  return fill(detail.globaladmin ? 'isGlobalAdmin' : 'isNoGlobalAdmin', { user })
}

function subjectText(facts: AuditFacts, fill: FillPhrase): string {
  const { action, detail, names } = facts
  const [kind] = action.split('.')
  if (action === 'refused') return refusedText(facts, fill)
  if (action === 'download') return downloadText(facts, fill)
  if (kind === 'group') return groupText(facts, fill)
  if (kind === 'user') return userText(facts, fill)
  if (kind === 'collection') return `${names.collection ?? ''}${fieldsText(detail)}`
  if (kind === 'token' || kind === 'device') {
    const name = textIn(detail, 'name') ?? ''
    return names.user === null ? name : fill('nameOfUser', { name, user: names.user }).trim()
  }
  return names.user ?? ''
}

/** The text after the words for the action, such as 'ines, 5 times'; '' for none. */
export function auditAbout(facts: AuditFacts, fill = fillEnglish): string {
  return joinParts([subjectText(facts, fill), facts.count > 1 ? fill('times', { count: facts.count }) : null])
}

/** The whole entry: 'Could not sign in: ines, 5 times'. */
export function auditText(facts: AuditFacts): string {
  const subject = subjectText(facts, fillEnglish)
  const about = auditAbout(facts)
  if (about === '') return auditWords(facts.action)
  return `${auditWords(facts.action)}${subject === '' ? ', ' : ': '}${about}`
}
