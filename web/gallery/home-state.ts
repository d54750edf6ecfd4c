/** What Home shows. Pure. */

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
 * 'first': nothing, because `FirstStart` is shown; 'sign-in': a login; 'create': how to create a collection; 'ask': that an
 * administrator must create one; 'scan': a button that starts a scan; 'none': why no items are found; 'gallery': the
 * items; 'quiet': nothing, because a dialog is open.
 */
export type HomeState = 'first' | 'sign-in' | 'create' | 'ask' | 'scan' | 'none' | 'gallery' | 'quiet'

export function homeState(facts: HomeFacts): HomeState {
  const hasNoCollections = facts.collections <= 1
  if (!facts.signedIn && hasNoCollections && facts.items === 0) return facts.firstStart ? 'first' : 'sign-in'
  if (facts.signedIn && hasNoCollections) {
    if (facts.dialogOpen) return 'quiet'
    return facts.globalAdmin ? 'create' : 'ask'
  }
  if (facts.items > 0) return 'gallery'
  return !facts.filtered && facts.mayScan ? 'scan' : 'none'
}
