/** Opens a library: the only place where modules are wired together. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Calls } from '../schema/api/calls.ts'
import { calls } from '../schema/api/calls.ts'
import type { Client, Endpoint } from '../schema/api/contract.ts'
import { clientOf } from '../schema/client.ts'
import { Failure } from '../schema/errors.ts'
import type { SettingName } from '../schema/settings.ts'
import type { Viewer } from './access.ts'
import { type Clock, systemClock } from './clock.ts'
import { createCollections } from './collections.ts'
import { openDatabase, serverWaiting, terminalWaiting } from './database.ts'
import { type Caller, createHandlers } from './handlers.ts'
import { createItems } from './items.ts'
import { createJobs, type JobKind } from './jobs.ts'
import { createLog, type LogLevel } from './log.ts'
import { createDecodePool } from './media/decode-pool.ts'
import { transcodeJob } from './media/transcode-job.ts'
import { createProblems } from './problems.ts'
import { createRights } from './rights.ts'
import { renditionsJob } from './scan/renditions-job.ts'
import { scanJob } from './scan/scan-job.ts'
import { openSecrets } from './secrets.ts'
import { createSessions } from './sessions.ts'
import { dataDirectory, readSettings } from './settings.ts'
import { createUsers } from './users.ts'
import { ownCommand } from './worker-command.ts'

/** What opens the library: the server must never block, commands and workers may wait. */
export type Role = 'server' | 'terminal' | 'worker'

export interface LibraryOptions {
  role: Role
  /** `--data`. */
  data?: string | undefined
  flags?: Partial<Record<SettingName, unknown>>
  environment?: Record<string, string | undefined>
  clock?: Clock
  /**
   * When there is no library yet: make the data directory (true), fail with `noLibrary` (false), or 'pretend': an empty
   * library in a temporary directory, which goes when it is closed, while the data directory is not made.
   */
  create: boolean | 'pretend'
  /** From which level on the terminal is told what the log is told. */
  stderrLevel?: LogLevel | 'none'
}

/** How many pictures are decoded at once: the setting, else one a core. */
function widthOf(setting: number): number {
  return setting > 0 ? setting : Math.max(1, availableParallelism())
}

/** A directory that is gone with the process, however that ends but by a kill. */
function passingDirectory(): { path: string; remove: () => void } {
  let path: string
  try {
    path = mkdtempSync(join(tmpdir(), 'keepsake-'))
  } catch (error) {
    throw new Failure('invalid', `No temporary directory can be made in ${tmpdir()}.`, { cause: error })
  }
  const remove = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  return { path, remove }
}

export function openLibrary(options: LibraryOptions) {
  const environment = options.environment ?? process.env
  const clock = options.clock ?? systemClock
  const { path: data, origin: dataOrigin } = dataDirectory(options.data, environment)
  const isThere = existsSync(join(data, 'library.db'))
  if (!isThere && options.create === false) {
    throw new Failure(
      'noLibrary',
      `There is no library in ${data}. Make one with: keepsake scan DIR, or keepsake serve`,
    )
  }
  const passing = !isThere && options.create === 'pretend' ? passingDirectory() : null
  /** Where the files of the library lie: the data directory, unless we pretend that there is one. */
  const home = passing?.path ?? data
  try {
    mkdirSync(join(home, 'cache'), { recursive: true, mode: 0o750 })
  } catch (error) {
    throw new Failure('invalid', `The data directory ${data} cannot be made. Choose another with --data DIR.`, {
      cause: error,
    })
  }
  const effective = readSettings(data, { flags: options.flags ?? {}, environment })
  const settings = effective.values
  const log = createLog({
    directory: join(home, 'logs'),
    name: options.role === 'server' ? 'server' : 'keepsake',
    clock,
    level: settings.log_level,
    stderrLevel: options.stderrLevel ?? 'warn',
  }).with({ process: process.pid })

  const db = openDatabase(join(home, 'library.db'), {
    waiting: options.role === 'server' ? serverWaiting : terminalWaiting,
    clock,
    ownCheckpoints: options.role !== 'terminal',
  })
  const secrets = openSecrets(home)
  const cache = join(home, 'cache')
  const users = createUsers({ db, clock })
  const sessions = createSessions({ db, clock, users, rights: createRights(db), tokenKey: secrets.tokenKey })
  const items = createItems({ db })
  const collections = createCollections({
    db,
    clock,
    data,
    pairing: settings.pairing,
    countItems: items.countByCollection,
  })
  const problems = createProblems({ db })

  /** A pool of decode workers; `low` gives way to whoever answers people. */
  const openPool = (low: boolean, jobs = settings.jobs) =>
    createDecodePool({
      command: [...ownCommand(), 'worker', 'decode'],
      width: widthOf(jobs),
      nice: low ? 10 : 0,
      idleMs: 60_000,
      ffmpeg: settings.ffmpeg,
      ffprobe: settings.ffprobe,
      log,
    })

  const parts = { db, clock, log, cache, settings, openPool }
  const kinds: JobKind[] = [scanJob(parts), renditionsJob(parts), transcodeJob(parts)]
  const jobs = createJobs({ db, clock, log, kinds })

  const core = {
    data,
    dataOrigin,
    cache,
    effective,
    settings,
    secrets,
    db,
    clock,
    log,
    users,
    sessions,
    items,
    collections,
    problems,
    jobs,
    openPool,
    close() {
      db.close()
      passing?.remove()
    },
  }
  const handlers = createHandlers(core)

  /** Makes a call as somebody. Input and output are of the contract's types; the routes have decoded the wire. */
  async function perform(
    caller: Caller,
    group: string,
    name: string,
    input: { params: unknown; query: unknown; body: unknown },
  ): Promise<unknown> {
    const table: Record<string, Record<string, (caller: Caller, input: never) => unknown>> = handlers
    const handler = table[group]?.[name]
    if (handler === undefined) throw new Error(`no call is named ${group}.${name}`)
    return handler(caller, input as never)
  }

  /** The same object as the HTTP client, in this process: same types, same checks. */
  function as(viewer: Viewer): Client<Calls> {
    const caller: Caller = { viewer, address: '', agent: 'terminal', local: true }
    return clientOf((call: Endpoint, group, name, input) => {
      // Encoded and decoded once, so that what the wire would refuse is refused here too.
      const through = (schema: z.ZodType, value: unknown) => z.decode(schema, z.encode(schema, value ?? {}))
      return perform(caller, group, name, {
        params: through(call.params, input.params),
        query: through(call.query, input.query),
        body: through(call.body, input.body),
      })
    })
  }

  return { ...core, perform, as }
}

export type Library = ReturnType<typeof openLibrary>

/** Names of all calls, for tests that walk them. */
export const callNames = Object.entries(calls).flatMap(([group, table]) =>
  Object.keys(table).map(name => ({ group, name })),
)
