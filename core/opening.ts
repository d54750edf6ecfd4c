/** Opens a data directory: its settings, log and database, on which everything else is built. */
import { join } from 'node:path'
import type { SettingName } from '../schema/settings.ts'
import { collections } from '../schema/tables/collections.ts'
import { requireCollectionsApart, requireRootsApart } from './collections/apart.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import { type PrepareOptions, prepareDataDirectory } from './kernel/data/data-directory.ts'
import { sealsOf } from './kernel/data/sealed.ts'
import { openSecrets } from './kernel/data/secrets.ts'
import { openDatabase, settingsOfRoles, type WritesListener } from './kernel/database/database.ts'
import { createLog, type LogLevel } from './kernel/log.ts'
import { dataDirectory, readSettings } from './kernel/settings.ts'

/** The kind of process: the server and the screen in the terminal must never block; commands and workers may. */
export type Role = keyof typeof settingsOfRoles

export interface LibraryOptions extends PrepareOptions {
  role: Role
  /** The flag `--data`. */
  data?: string | undefined
  flags?: Partial<Record<SettingName, unknown>>
  environment?: Record<string, string | undefined>
  clock?: Clock
  /** Minimum level of log lines that are printed to the terminal as well. */
  stderrLevel?: LogLevel | 'none'
  onWrites?: WritesListener
}

export function openDataDirectory(options: LibraryOptions) {
  const environment = options.environment ?? process.env
  const clock = options.clock ?? systemClock
  const { path: data, origin: dataOrigin } = dataDirectory(options.data, environment)
  const { home, leave } = prepareDataDirectory(data, options)
  const effective = readSettings(data, { flags: options.flags ?? {}, environment })
  const settings = effective.values
  // Other roles do not use the roots, so they run even if roots overlap.
  if (options.role === 'server' || options.role === 'worker')
    requireRootsApart(home, settings.roots, effective.origins.roots)
  const log = createLog({
    directory: join(home, 'logs'),
    name: options.role === 'server' ? 'server' : 'keepsake',
    clock,
    level: settings.log_level,
    stderrLevel: options.stderrLevel ?? 'warn',
  }).with({ process: process.pid })
  const db = openDatabase(join(home, 'library.db'), {
    ...settingsOfRoles[options.role],
    clock,
    onWrites: options.onWrites,
    seals: () => sealsOf(openSecrets(home)),
  })
  if (options.role === 'server') {
    try {
      const { name, path, pathVariant: path_variant } = collections
      requireCollectionsApart(home, db.orm.select({ name, path, path_variant }).from(collections).all())
    } catch (error) {
      db.close()
      throw error
    }
  }
  const secrets = openSecrets(home)
  return { data, dataOrigin, home, leave, effective, settings, log, clock, db, secrets, cache: join(home, 'cache') }
}
