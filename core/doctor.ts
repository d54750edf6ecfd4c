/** Looks whether everything that a library needs is as it should be; says what to do where it is not. Changes nothing. */
import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, readdirSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { Failure, reasonOf } from '../schema/errors.ts'
import { migrations } from '../schema/migrations.ts'
import { inItsPlace, isEmptied } from './data-directory.ts'
import { isWithin } from './files/overlap.ts'
import { findTool } from './media/tools.ts'
import { rootState } from './scan/safety.ts'
import { readSecrets, secretsRemedy } from './secrets.ts'
import { serverRuns } from './server-lock.ts'
import { dataDirectory, readSettings } from './settings.ts'

export interface Check {
  check: string
  state: 'ok' | 'warn' | 'fail'
  message: string
  /** What to do; '' where all is well. */
  remedy: string
}

const ok = (check: string, message: string): Check => ({ check, state: 'ok', message, remedy: '' })
const warn = (check: string, message: string, remedy: string): Check => ({ check, state: 'warn', message, remedy })
const fail = (check: string, message: string, remedy: string): Check => ({ check, state: 'fail', message, remedy })

const gigabyte = 1024 ** 3

function gigabytes(bytes: number): string {
  return `${(bytes / gigabyte).toFixed(1)} GB`
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function* directoryChecks(data: string): Generator<Check> {
  const file = inItsPlace(data)
  if (file !== null) {
    yield fail('data directory', `${file} is not a directory.`, 'Choose another with --data DIR or KEEPSAKE_DATA.')
    return
  }
  if (!existsSync(data)) {
    yield warn('data directory', `${data} is not there yet.`, 'It is made by: keepsake serve, or keepsake scan DIR')
    return
  }
  yield mayWrite(data)
    ? ok('data directory', data)
    : fail('data directory', `${data} cannot be written.`, `Give it to this user: chown -R $(id -un) ${data}`)
  const foreign = ['library.db', 'library.db-wal', 'cache', 'logs', 'secrets.json']
    .map(name => join(data, name))
    .filter(path => existsSync(path) && !isOurs(path))
  yield foreign.length === 0
    ? ok('permissions', 'everything in it can be read and written')
    : fail('permissions', `${foreign.join(', ')} cannot be written.`, `chown -R $(id -un) ${data}`)
  const secrets = join(data, 'secrets.json')
  if (existsSync(secrets)) {
    const mode = statSync(secrets).mode & 0o777
    if (isOurs(secrets) && readSecrets(secrets) === null) yield fail('secrets', `${secrets} is damaged.`, secretsRemedy)
    yield (mode & 0o077) === 0
      ? ok('secrets', 'only the owner can read them')
      : fail('secrets', `${secrets} can be read by others (mode ${mode.toString(8)}).`, `chmod 600 ${secrets}`)
  }
}

function isOurs(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

function spaceCheck(name: string, path: string): Check {
  let at = path
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at)
  const { bavail, bsize, blocks } = statfsSync(at)
  const free = bavail * bsize
  const share = blocks === 0 ? 1 : bavail / blocks
  const message = `${gigabytes(free)} free (${Math.round(share * 100)} %) at ${at}`
  if (free < gigabyte / 4) return fail(name, message, 'Free some space: changes are refused when the disk is full.')
  if (free < 2 * gigabyte) return warn(name, message, 'Free some space: renditions of pictures need some.')
  return ok(name, message)
}

interface CollectionRow {
  name: string
  path: string
  readonly: number
  items: number
  stop: string | null
}

function* rootChecks(db: Database, data: string): Generator<Check> {
  const rows = db
    .query<CollectionRow, []>(
      `SELECT c.name, c.path, c.readonly, c.safety_stop AS stop,
         (SELECT count(*) FROM items AS i WHERE i.collection_id = c.id AND i.missing IS NULL) AS items
       FROM collections AS c ORDER BY c.id`,
    )
    .all()
  if (rows.length === 0) yield warn('collections', 'There are none.', 'Make one: keepsake scan DIR')
  for (const { name, path, readonly, items, stop } of rows) {
    const check = `collection ${name}`
    const state = rootState(path)
    if (state.kind !== 'present')
      yield fail(
        check,
        `${path} is not there or cannot be read.`,
        'Mount its disk; nothing is marked missing meanwhile.',
      )
    else if (isWithin(realpathSync(data), path) || isWithin(path, realpathSync(data)))
      yield fail(
        check,
        `${path} and the data directory ${data} lie within each other.`,
        'Keep the data elsewhere: --data DIR.',
      )
    else if (items > 0 && isEmpty(path))
      yield fail(check, `${path} is empty, and ${items} items should be in it.`, 'Is its disk mounted?')
    else if (stop !== null)
      yield warn(
        check,
        `The last scan stopped: ${stop}`,
        `keepsake scan '${name}', when that is right with --accept-missing`,
      )
    else if (readonly === 0 && !mayWrite(path))
      yield warn(check, `${path} cannot be written.`, `keepsake collection set '${name}' readonly=yes`)
    else yield ok(check, `${path}, ${items} items`)
  }
}

function isEmpty(path: string): boolean {
  try {
    return readdirSync(path).length === 0
  } catch {
    return false
  }
}

/** A connection that only reads: nothing is migrated or made by looking. */
function* databaseChecks(data: string): Generator<Check> {
  const path = join(data, 'library.db')
  if (!existsSync(path)) {
    yield warn('database', 'There is no library yet.', 'keepsake serve, or keepsake scan DIR')
    return
  }
  if (isEmptied(data)) {
    yield fail(
      'database',
      `${path} is empty: what was in it is lost.`,
      'Restore a backup: keepsake restore FILE --force',
    )
    return
  }
  let db: Database
  try {
    db = new Database(path, { readonly: true })
  } catch (error) {
    yield fail(
      'database',
      `${path} cannot be opened: ${reasonOf(error)}`,
      'Restore a backup: keepsake restore FILE --force',
    )
    return
  }
  try {
    db.run('PRAGMA busy_timeout = 5000')
    const version = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
    if (version > migrations.length) {
      yield fail(
        'database',
        `It is of a newer version (${version}, this one knows ${migrations.length}).`,
        'Use the newer executable.',
      )
      return
    }
    const faults = db
      .query<{ quick_check: string }, []>('PRAGMA quick_check(3)')
      .all()
      .map(row => row.quick_check)
    yield faults[0] === 'ok'
      ? ok('database', `sound, version ${version} of ${migrations.length}, ${gigabytes(statSync(path).size)}`)
      : fail('database', `It is damaged: ${faults.join('; ')}`, 'Restore a backup: keepsake restore FILE --force')
    const open = db.query<{ n: number }, []>('SELECT count(*) AS n FROM journal').get()?.n ?? 0
    const busy = db.query<{ n: number }, []>("SELECT count(*) AS n FROM jobs WHERE state = 'running'").get()?.n ?? 0
    if (open === 0) yield ok('journal', 'no file is on its way')
    else if (busy > 0) yield ok('journal', `${open} files are on their way, a job is running`)
    else
      yield warn(
        'journal',
        `${open} files were on their way when a process was killed.`,
        'keepsake serve, or the next scan, finishes or undoes it.',
      )
    yield* rootChecks(db, data)
  } catch (error) {
    yield fail('database', `It cannot be read: ${reasonOf(error)}`, 'Restore a backup: keepsake restore FILE --force')
  } finally {
    db.close()
  }
}

function toolCheck(name: string, setting: string, what: string, remedy: string): Check {
  const path = findTool(name, setting)
  if (path !== null) return ok(name, path)
  const message = setting === '' ? `not in PATH: ${what}` : `${setting} is not there or cannot be run: ${what}`
  return warn(name, message, setting === '' ? remedy : `keepsake config set ${name} PATH`)
}

/** Can this process listen there? */
async function portCheck(host: string, port: number): Promise<Check> {
  const name = 'port'
  const at = `${host}:${port}`
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        error.code === 'EADDRINUSE'
          ? fail(name, `${at} is in use by another program.`, 'keepsake config set listen 0.0.0.0:PORT')
          : fail(name, `${at} cannot be used: ${error.message}`, 'keepsake config set listen ADDRESS:PORT'),
      ),
    )
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(ok(name, `${at} is free`))))
  })
}

function clockCheck(now: number, data: string): Check {
  const newest = existsSync(join(data, 'library.db')) ? statSync(join(data, 'library.db')).mtimeMs : 0
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const text = `${new Date(now).toISOString().slice(0, 19)}Z, time zone ${zone}`
  if (now < Date.parse('2024-01-01'))
    return fail('clock', `It says ${text}.`, 'Set the clock: dates and tokens go by it.')
  if (newest > now + 3_600_000)
    return warn('clock', `It says ${text}, and the library was written later.`, 'Set the clock.')
  return ok('clock', text)
}

/** All checks, one after the other. `data`: the flag. Whatever the settings say is a check too. */
export async function* examine(
  flag: string | undefined,
  environment: Record<string, string | undefined>,
  now: number,
): AsyncGenerator<Check, void, undefined> {
  const { path: data } = dataDirectory(flag, environment)
  yield* directoryChecks(data)
  yield spaceCheck('disk space', data)
  try {
    const { values } = readSettings(data, { environment })
    yield ok('settings', join(data, 'config.toml'))
    yield* databaseChecks(data)
    yield toolCheck('ffmpeg', values.ffmpeg, 'videos have no pictures and are not converted', 'apt-get install ffmpeg')
    yield toolCheck('ffprobe', values.ffprobe, 'less is known of videos', 'apt-get install ffmpeg')
    yield toolCheck(
      'exiftool',
      values.exiftool,
      'only some rare metadata need it',
      'apt-get install libimage-exiftool-perl',
    )
    for (const file of [values.tls_cert, values.tls_key])
      if (file !== '' && !existsSync(file))
        yield fail('certificate', `${file} is not there.`, 'keepsake config set tls_cert FILE')
    const { host, port } = values.listen
    if (existsSync(join(data, 'server.lock')) && serverRuns(data)) yield ok('server', 'a server of this library runs')
    else yield await portCheck(host, port)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    yield fail('settings', error.message, `Change ${join(data, 'config.toml')}, or the environment.`)
  }
  yield clockCheck(now, data)
}
