/** Which state of Home applies. Pure. */

export interface HomeFacts {
  signedIn: boolean
  globalAdmin: boolean
  /** Whether the user may scan at least one collection. */
  mayScan: boolean
  /** Whether nobody has an account yet. */
  firstStart: boolean
  /** Number of collections in the list, including 'All'. */
  collections: number
  items: number
  filtered: boolean
  dialogOpen: boolean
}

/**
 * 'first' is left to `FirstStart`, 'sign-in' asks for a login, 'create' for a collection ('ask' if only others may
 * create one), 'scan' offers a scan, 'none' explains the empty list, 'gallery' shows items. 'quiet' shows nothing.
 */
export type HomeState = 'first' | 'sign-in' | 'create' | 'ask' | 'scan' | 'none' | 'gallery' | 'quiet'

export function homeState(facts: HomeFacts): HomeState {
  const bare = facts.collections <= 1
  if (!facts.signedIn && bare && facts.items === 0) return facts.firstStart ? 'first' : 'sign-in'
  if (facts.signedIn && bare) {
    if (facts.dialogOpen) return 'quiet'
    return facts.globalAdmin ? 'create' : 'ask'
  }
  if (facts.items > 0) return 'gallery'
  return !facts.filtered && facts.mayScan ? 'scan' : 'none'
}
