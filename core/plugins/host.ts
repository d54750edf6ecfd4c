/** The API through which a plugin's server module does everything, with the caller's rights. */
import type { Calls } from '../../schema/api/calls.ts'
import type { Client } from '../../schema/api/contract.ts'
import type { OptionTree } from '../../schema/api/plugins.ts'
import { Failure, type FailureCode, failureTable } from '../../schema/errors.ts'
import type { Viewer } from '../accounts/access.ts'
import type { Log } from '../kernel/log.ts'
import type { Progress } from '../work/job-kind.ts'

/** The argument of `activate`, which runs without a caller. */
export interface BaseHost {
  product: string
  version: string
  /** Current values, including secrets. */
  options(): OptionTree
  log: Pick<Log, 'debug' | 'info' | 'warn' | 'error'>
}

/** A method's second argument. */
export interface MethodHost extends BaseHost {
  /** Null for a visitor and for the terminal. */
  user: { id: number; username: string; globaladmin: boolean } | null
  library: Client<Calls>
  /** Starts a method as a job of the caller; returns its id. */
  start(method: string, data: unknown): Promise<number>
  /** Reports progress of a long method; ignored for other methods. */
  progress(now: Progress): void
  /** Aborted when a long method is cancelled. */
  signal: AbortSignal
  /** Rejects the call with a message for the caller. Any other error is a fault of the plugin, which is only logged. */
  fail(message: string, code?: string): never
}

function isCode(code: string): code is FailureCode {
  return Object.hasOwn(failureTable, code)
}

export function methodHost(
  base: BaseHost,
  viewer: Viewer,
  parts: Pick<MethodHost, 'library' | 'start' | 'progress' | 'signal'>,
): MethodHost {
  return {
    ...base,
    user:
      viewer.userId === null
        ? null
        : { id: viewer.userId, username: viewer.username ?? '', globaladmin: viewer.globalAdmin },
    ...parts,
    fail(message, code = 'invalid') {
      throw new Failure(isCode(code) ? code : 'invalid', message)
    },
  }
}
