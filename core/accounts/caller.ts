/** Who makes a call, and the shape of the functions that implement a group of calls. */
import type { Calls } from '../../schema/api/calls.ts'
import type { Handlers } from '../../schema/api/contract.ts'
import type { Viewer } from './access.ts'

/** Who calls, and from where: some calls count attempts by address. */
export interface Caller {
  viewer: Viewer
  /** '' where there is no network between. */
  address: string
  agent: string
  /** Version in `If-Match`: what the caller's change uses; null: the last write wins. */
  ifMatch: number | null
}

/** The implementation of a group of calls: one that is missing is a type error. */
export type GroupHandlers<Group extends keyof Calls> = Handlers<Calls, Caller>[Group]

/** The answer of a call that has nothing to say but that it is done. */
export async function done(work: Promise<unknown>): Promise<Record<string, never>> {
  await work
  return {}
}
