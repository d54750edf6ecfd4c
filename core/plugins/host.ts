/** What a plugin's server module is given: everything it may do goes through here, as the one who asks. */
import type { Calls } from '../../schema/api/calls.ts'
import type { Client } from '../../schema/api/contract.ts'
import type { OptionTree } from '../../schema/api/plugins.ts'
import { Failure, type FailureCode, failureTable } from '../../schema/errors.ts'
import type { Viewer } from '../accounts/access.ts'
import type { Log } from '../kernel/log.ts'
import type { Progress } from '../work/job-kind.ts'

/** What `activate` gets: nobody asks. */
export interface BaseHost {
  product: string
  version: string
  /** As they are set now, secrets included. */
  options(): OptionTree
  log: Pick<Log, 'debug' | 'info' | 'warn' | 'error'>
}

/** What a method gets as its second argument. */
export interface MethodHost extends BaseHost {
  /** Null for a visitor and for the terminal. */
  user: { id: number; username: string; globaladmin: boolean } | null
  /** Every call of the API, with the rights of whoever asks. */
  library: Client<Calls>
  /** Starts a method as a job of whoever asks; answers its id. */
  start(method: string, data: unknown): Promise<number>
  /** How far a long method is; of others nobody sees it. */
  progress(now: Progress): void
  /** Raised when a long method is cancelled. */
  signal: AbortSignal
  /** Refuses with words for the one who asks. Everything else that is thrown is a fault of the plugin, which only the log is told. */
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
