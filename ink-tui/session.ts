/** What the terminal UI has at hand: given by the command that opens it, so that nothing here imports a door. */
import type { Viewer } from '../core/accounts/access.ts'
import type { Library } from '../core/library.ts'
import type { Calls } from '../schema/api/calls.ts'
import type { Client } from '../schema/api/contract.ts'
import type { RealtimeMessage } from '../schema/realtime.ts'

/** Something happened in the library, in whatever process. */
export interface TuiEvent {
  channel: string
  message: RealtimeMessage
}

/** What is known of the machine beside the library's rows. */
export interface MachineFacts {
  /** Does a server of this data directory run? */
  serving: boolean
  /** Where it can be reached, with the key of the set-up link while nobody has an account; null when it has not said so. */
  address: string | null
  /** Accounts with a session that has not ended. */
  signedIn: number
  /** Bytes of previews in the cache; null while they are counted. */
  cacheBytes: number | null
  /** Bytes of the database with its log. */
  databaseBytes: number
  /** Bytes that are free where the data directory is. */
  freeBytes: number
}

export interface LogLine {
  /** Milliseconds since the epoch. */
  at: number
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  /** 'server' or 'keepsake': which file it stands in. */
  source: string
  /** Its other fields as they stand there. */
  fields: Record<string, unknown>
}

export interface OwnStep {
  step: string
  /** The job that does it; null: it was done at once. */
  job: number | null
}

export interface WriteOptions {
  /** Ends it with its reason; nothing is left then. */
  signal?: AbortSignal
  /** Told how many bytes are written, again and again. */
  onBytes?(bytes: number): void
}

export interface TuiSession {
  /** Every call, in this process, as the machine's own terminal. */
  client: Client<Calls>
  library: Library
  viewer: Viewer
  /** Calls the listener with what happens from now on. */
  follow(listener: (events: readonly TuiEvent[]) => void): () => void
  facts(): Promise<MachineFacts>
  /** Writes of this program. */
  writes: {
    /** Does one wait, since another program holds the library? */
    waiting(): boolean
    /** Calls the listener when that changes. */
    follow(listener: () => void): () => void
    /** What was done here, newest first. */
    steps(): readonly OwnStep[]
  }
  /** Runs jobs that wait in worker processes of this program, while no server does. */
  jobs: {
    /** Ids of jobs that workers of this program have at the moment. */
    running(): number[]
    /** Asks the workers to end. What they were doing waits for the next start, or is cancelled where `cancel` says so. */
    close(options?: { cancel?: boolean }): Promise<void>
  }
  log: {
    /** The last lines of all logs, oldest first. */
    tail(most: number): LogLine[]
    /** Calls the listener when something was written. */
    follow(listener: () => void): () => void
  }
  files: {
    /** Folders whose path begins so, as a shell completes them: whole paths that end with `/`. */
    foldersLike(path: string): string[]
    exists(path: string): 'file' | 'directory' | null
    makeDirectory(path: string): void
    /** Writes whole or not at all; a file that is there is a failure. Answers bytes. */
    write(path: string, content: AsyncIterable<string> | Iterable<string>, how?: WriteOptions): Promise<number>
    /** The path as the system has it: `~` and relative ones resolved. */
    resolve(path: string): string
  }
}
