/** The viewers of `bench/list.ts`, and what it measures for each of them. */
import { anonymousWith, rightsOf, type Viewer } from '../core/accounts/access.ts'
import type { Caller } from '../core/accounts/caller.ts'
import type { Library } from '../core/library.ts'
import type { Extras } from './seed-extras.ts'

export interface Case {
  section: string
  what: string
  who: string
  /** Milliseconds at the median. */
  target: number
  /** Returns what the server would send. */
  call: () => unknown
  total?: number
}

/** Milliseconds that users perceive as immediate. */
export const immediateMs = 50
/** Items on a page of a list. */
export const pageSize = 100
export const collectionId = 0
const includeHidden = 'bench'

/** A caller, and the values used in their queries. */
export interface BenchViewer {
  name: string
  viewer: Viewer
  query: { includeHidden?: string }
}

export function viewersOf(
  library: Library,
  { admin, member }: Extras,
): Record<'admin' | 'member' | 'visitor' | 'unlocked', BenchViewer> {
  const user = (userId: number, username: string, globalAdmin: boolean, unlockValue: string | null): Viewer => ({
    kind: 'user',
    userId,
    username,
    sessionId: `session of ${username}`,
    globalAdmin,
    unlockValue,
    rights: rightsOf(library.db, userId),
  })
  return {
    admin: { name: 'admin', viewer: user(admin, 'admin', true, null), query: {} },
    member: { name: 'member', viewer: user(member, 'member', false, null), query: {} },
    visitor: { name: 'visitor', viewer: anonymousWith(rightsOf(library.db, null)), query: {} },
    unlocked: { name: 'unlocked', viewer: user(admin, 'admin', true, includeHidden), query: { includeHidden } },
  }
}

export const callerOf = (viewer: Viewer): Caller => ({ viewer, address: '', agent: 'bench', ifMatch: null })
