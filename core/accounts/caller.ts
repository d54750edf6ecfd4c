/** Who makes a call, and the type of what implements some calls. */
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

/** The implementation of the calls of an area ('items', 'tokens'): a missing call is a type error. */
export type CallHandlers<Area extends keyof Calls> = Handlers<Calls, Caller>[Area]

/** The response of a call without a result, once the work is done. */
export async function done(work: Promise<unknown>): Promise<Record<string, never>> {
  await work
  return {}
}
