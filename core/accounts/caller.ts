/** Who makes a call, and the type that implements a group of calls. */
import type { Calls } from '../../schema/api/calls.ts'
import type { Handlers } from '../../schema/api/contract.ts'
import type { Viewer } from './access.ts'

/** The caller and their address: some calls count attempts by address. */
export interface Caller {
  viewer: Viewer
  /** '' for local calls. */
  address: string
  agent: string
  /** Version in `If-Match` on which the caller's change is based; null: the last write wins. */
  ifMatch: number | null
}

/** The implementation of a group of calls: a missing call is a type error. */
export type GroupHandlers<Group extends keyof Calls> = Handlers<Calls, Caller>[Group]

/** The response of a call without a result, once the work is done. */
export async function done(work: Promise<unknown>): Promise<Record<string, never>> {
  await work
  return {}
}
