/** What the terminal UI gets from the command that opens it, so that it imports no other entry point. */
import type { Viewer } from '../core/accounts/access.ts'
import type { Library } from '../core/library.ts'
import type { Calls } from '../schema/api/calls.ts'
import type { Client } from '../schema/api/contract.ts'
import type { RealtimeMessage } from '../schema/realtime.ts'
import type { MachineFacts } from './machine/facts.ts'
import type { localFiles } from './machine/files.ts'
import type { LogTail } from './machine/log-tail.ts'
import type { OwnWrites } from './machine/own-writes.ts'

/** Something happened in the library, in whatever process. */
export interface TuiEvent {
  channel: string
  message: RealtimeMessage
}

export interface TuiSession {
  /** Every call, in this process, as the machine's own terminal. */
  client: Client<Calls>
  library: Library
  viewer: Viewer
  /** Calls the listener for new events. */
  follow(listener: (events: readonly TuiEvent[]) => void): () => void
  facts(): Promise<MachineFacts>
  writes: OwnWrites['writes']
  /** Runs waiting jobs in worker processes of this program, while no server does. */
  jobs: {
    /** Ids of jobs of this program's workers. */
    running(): number[]
    /** Asks the workers to stop. Their jobs continue at the next start, or are cancelled with `cancel`. */
    close(options?: { cancel?: boolean }): Promise<void>
  }
  log: LogTail
  files: typeof localFiles
}
