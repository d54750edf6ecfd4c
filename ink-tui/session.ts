/** What the command passes to the terminal UI, so that the UI imports no other entry point. */
import type { Viewer } from '../core/accounts/access.ts'
import type { Library } from '../core/library.ts'
import type { Calls } from '../schema/api/calls.ts'
import type { Client } from '../schema/api/contract.ts'
import type { RealtimeMessage } from '../schema/realtime.ts'
import type { MachineFacts } from './machine/facts.ts'
import type { localFiles } from './machine/files.ts'
import type { LogTail } from './machine/log-tail.ts'
import type { OwnWrites } from './machine/own-writes.ts'

/** An event of the library, from any process. */
export interface TuiEvent {
  channel: string
  message: RealtimeMessage
}

export interface TuiSession {
  /** All calls, in this process, with the rights of the machine's own terminal. */
  client: Client<Calls>
  library: Library
  viewer: Viewer
  /** Calls the listener for new events, until the returned function is called. */
  follow(listener: (events: readonly TuiEvent[]) => void): () => void
  facts(): Promise<MachineFacts>
  writes: OwnWrites['writes']
  /** Runs waiting jobs in worker processes of this program while no server does. */
  jobs: {
    /** Ids of jobs that this program's workers run. */
    running(): number[]
    /** Asks the workers to stop. Their jobs continue at the next start or, with `cancel`, are cancelled. */
    close(options?: { cancel?: boolean }): Promise<void>
  }
  log: LogTail
  files: typeof localFiles
}
