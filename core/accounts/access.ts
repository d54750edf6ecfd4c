/** Who may do what: the rights of a viewer on collections, and the checks with which core functions begin. */
import type { Right } from '../../schema/api/contract.ts'
import { Failure } from '../../schema/errors.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { equalTexts } from '../kernel/equal-texts.ts'
import { rightsByCollection } from './access.sql.ts'

export type Rights = Record<Right, boolean>

const noRights: Rights = { view: false, create: false, update: false, admin: false }
const allRights: Rights = { view: true, create: true, update: true, admin: true }

/** A device that signed in by its token: its owner, and its screen saver. */
export interface Device {
  tokenId: number
  ownerId: number
  saverId: number | null
}

/** The requester. Created for one request, with the rights of that moment. */
export interface Viewer {
  /** The terminal acts as a global admin, through the same checks. A device sees what its screen saver shows. */
  kind: 'anonymous' | 'user' | 'terminal' | 'device'
  userId: number | null
  username: string | null
  sessionId: string | null
  globalAdmin: boolean
  /** The value that a list call must send to include hidden items; null unless the session is unlocked. */
  unlockValue: string | null
  /** Rights by collection; a global admin has all rights in any case. */
  rights: ReadonlyMap<number, Rights>
  /** The client's address; absent for local calls. */
  address?: string
  device?: Device
  /** SHA-256 (hex) of the key that identifies a visitor's browser, for its screen savers. Set only for visitors. */
  visitor?: string
}

const withoutAccount = { userId: null, username: null, sessionId: null, unlockValue: null }

/** The machine's own terminal, cron, and jobs without a user. */
export const terminalViewer: Viewer = { ...withoutAccount, kind: 'terminal', globalAdmin: true, rights: new Map() }

/**
 * Rights of a user (null: a visitor) by collection: those of all attached groups that the user is in, and view if a
 * public group is attached. create, update and admin each include view; admin includes everything in its collection.
 */
export function rightsOf(db: LibraryDatabase, userId: number | null): Map<number, Rights> {
  const rows = db.all(rightsByCollection, userId).map(({ collectionId, view, create, update, admin }) => {
    return [collectionId, { view: view === 1, create: create === 1, update: update === 1, admin: admin === 1 }] as const
  })
  return new Map(rows)
}

export function anonymousWith(rights: ReadonlyMap<number, Rights>): Viewer {
  return { ...withoutAccount, kind: 'anonymous', globalAdmin: false, rights }
}

/** The viewer's rights on one collection; none if it does not exist for them. */
export function rightsOn(viewer: Viewer, collectionId: number): Rights {
  if (viewer.globalAdmin) return allRights
  return viewer.rights.get(collectionId) ?? noRights
}

/** Ids of the collections that the viewer has this right on, or 'all'. */
export function collectionsWith(viewer: Viewer, right: Right): 'all' | number[] {
  if (viewer.globalAdmin) return 'all'
  return [...viewer.rights].filter(([, rights]) => rights[right]).map(([id]) => id)
}

export function isSignedIn(viewer: Viewer): boolean {
  return viewer.kind === 'user' || viewer.kind === 'terminal'
}

export function requireSignedIn(viewer: Viewer): void {
  if (!isSignedIn(viewer)) throw new Failure('unauthenticated', 'Sign in first.')
}

function denied(): Failure {
  return new Failure('denied', 'Permission Denied')
}

function hasSomewhere(viewer: Viewer, right: Right): boolean {
  if (!isSignedIn(viewer)) return false
  return viewer.globalAdmin || [...viewer.rights.values()].some(rights => rights[right])
}

/** 401 for visitors, 403 for users without this right on any collection. */
export function requireSomewhere(viewer: Viewer, right: Right): void {
  requireSignedIn(viewer)
  if (!hasSomewhere(viewer, right)) throw denied()
}

/** Whether the viewer may edit items of at least one collection. Editors see and change the whole vocabulary. */
export const mayUpdateSomewhere = (viewer: Viewer): boolean => hasSomewhere(viewer, 'update')

/** Whether the viewer administers at least one collection. Administrators see the list of accounts. */
export const mayAdministerSomewhere = (viewer: Viewer): boolean => hasSomewhere(viewer, 'admin')

export const requireAdminSomewhere = (viewer: Viewer): void => requireSomewhere(viewer, 'admin')

export const requireUpdateSomewhere = (viewer: Viewer): void => requireSomewhere(viewer, 'update')

export function requireGlobalAdmin(viewer: Viewer): void {
  requireSignedIn(viewer)
  if (!viewer.globalAdmin) throw denied()
}

/** Anything that the caller cannot see does not exist for them: the message is the same for every reason. */
export function notFound(): Failure {
  return new Failure('notFound', 'Not found')
}

/** 401 for visitors (but not for `view`), 404 if the viewer can't see the collection, 403 if the right is missing. */
export function requireOnCollection(viewer: Viewer, collectionId: number, right: Right): void {
  if (right !== 'view') requireSignedIn(viewer)
  const rights = rightsOn(viewer, collectionId)
  if (!rights.view) throw notFound()
  if (!rights[right]) throw denied()
}

/** Whether hidden items are visible: only to unlocked users, and to the terminal, which can read the files anyway. */
export function showsHiddenTo(viewer: Viewer): boolean {
  return viewer.kind === 'terminal' || viewer.unlockValue !== null
}

/** This refusal reveals that hidden items are affected: without it, the change would lose or show them. */
export function unlockFirst(field: string): Failure {
  return new Failure('conflict', 'Unlock hidden items first', { field })
}

/** Whether this list call may include hidden items: only with the value of the viewer's own unlocked session. */
export function seesHidden(viewer: Viewer, includeHidden: string | undefined): boolean {
  if (viewer.unlockValue === null || includeHidden === undefined || includeHidden === '') return false
  return equalTexts(includeHidden, viewer.unlockValue)
}
