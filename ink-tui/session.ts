/** What the terminal UI has at hand: given by the command that opens it, so that nothing here imports a door. */
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
  /** Calls the listener with what happens from now on. */
  follow(listener: (events: readonly TuiEvent[]) => void): () => void
  facts(): Promise<MachineFacts>
  writes: OwnWrites['writes']
  /** Runs jobs that wait in worker processes of this program, while no server does. */
  jobs: {
    /** Ids of jobs that workers of this program have at the moment. */
    running(): number[]
    /** Asks the workers to end. What they were doing waits for the next start, or is cancelled where `cancel` says so. */
    close(options?: { cancel?: boolean }): Promise<void>
  }
  log: LogTail
  files: typeof localFiles
}
