/** Checks whether a library is in order, and recommends what to do. Changes only permissions that are too wide. */

import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, readdirSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { Failure, reasonOf } from '../../schema/errors.ts'
import { plural, sizeText } from '../../schema/figures.ts'
import { migrations } from '../../schema/migrations.ts'
import type { Settings } from '../../schema/settings.ts'
import { findTool } from '../files/find-tool.ts'
import { isWithin } from '../files/overlap.ts'
import {
  formatCopyTime,
  hadLibrary,
  lastCopied,
  listCopies,
  lossRemedy,
  noLibraryMessage,
} from '../kernel/data/copies.ts'
import { describeLoss, fileInPlaceOf } from '../kernel/data/data-directory.ts'
import { makeDataPrivate } from '../kernel/data/private-files.ts'
import { type Seal, sealsOf } from '../kernel/data/sealed.ts'
import { readSecrets, secretsCost, secretsRemedy } from '../kernel/data/secrets.ts'
import { isServerRunning } from '../kernel/data/server-lock.ts'
import type { Query } from '../kernel/database/statement.ts'
import { dataDirectory, readSettings } from '../kernel/settings.ts'
import { limitOf } from '../media/cache/made-cache.ts'
import { loadOnnx } from '../people/faces/onnx.ts'
import { rotCode } from '../scan/rot.ts'
import { rootState } from '../survey/safety.ts'
import {
  collectionsToCheck,
  journalLength,
  problemsOfCode,
  runningJobs,
  sealedPins,
  sealedShares,
  unwrittenItems,
} from './upkeep.sql.ts'

export interface Check {
  check: string
  state: 'ok' | 'warn' | 'fail'
  message: string
  /** What to do; '' if the check succeeded. */
  remedy: string
}

const resultsFor = (check: string) => ({
  ok: (message: string): Check => ({ check, state: 'ok', message, remedy: '' }),
  warn: (message: string, remedy: string): Check => ({ check, state: 'warn', message, remedy }),
  fail: (message: string, remedy: string): Check => ({ check, state: 'fail', message, remedy }),
})

function mayUse(path: string, how: number): boolean {
  try {
    accessSync(path, how)
    return true
  } catch {
    return false
  }
}

const isReadableAndWritable = (path: string) => mayUse(path, constants.R_OK | constants.W_OK)
const mayWrite = (path: string) => mayUse(path, constants.W_OK | constants.R_OK | constants.X_OK)

function* directoryChecks(data: string): Generator<Check> {
  const directory = resultsFor('data directory')
  const file = fileInPlaceOf(data)
  if (file !== null) {
    yield directory.fail(`${file} is not a directory.`, 'Choose another with --data DIR or KEEPSAKE_DATA.')
    return
  }
  if (!existsSync(data)) {
    yield directory.warn(`${data} is not there yet.`, 'It is made by: keepsake serve, or keepsake scan DIR')
    return
  }
  yield mayWrite(data)
    ? directory.ok(data)
    : directory.fail(`${data} cannot be written.`, `Give it to this user: chown -R $(id -un) ${data}`)
  const foreign = ['library.db', 'library.db-wal', 'cache', 'logs', 'secrets.json']
    .map(name => join(data, name))
    .filter(path => existsSync(path) && !isReadableAndWritable(path))
  const permissions = resultsFor('permissions')
  yield foreign.length === 0
    ? permissions.ok('everything in it can be read and written')
    : permissions.fail(`${foreign.join(', ')} cannot be written.`, `chown -R $(id -un) ${data}`)
  const path = join(data, 'secrets.json')
  const secrets = resultsFor('secrets')
  if (existsSync(path)) {
    yield isReadableAndWritable(path) && readSecrets(path) === null
      ? secrets.fail(`${path} is damaged.`, secretsRemedy)
      : secrets.ok(path)
  } else if (isReadableAndWritable(join(data, 'library.db')))
    yield secrets.warn(
      `${path} is not there.`,
      `Take it from a backup before the next start, which otherwise makes a new one: then ${secretsCost}.`,
    )
  // Only for a library's own directory: a mistyped --data may be a user's folder.
  if (isReadableAndWritable(join(data, 'library.db'))) yield privacyCheck(data)
}

/** The only check that repairs what it finds. */
function privacyCheck(data: string): Check {
  const { ok, warn, fail } = resultsFor('privacy')
  const { closed, open } = makeDataPrivate(data, { deep: true })
  const some = (paths: string[]) =>
    `${paths.slice(0, 3).join(', ')}${paths.length > 3 ? `, ${paths.length - 3} more` : ''}`
  if (open.length > 0)
    return fail(
      `Other users of this machine can read ${some(open)}.`,
      `As the owner: chmod -R go= ${data}. A disk that keeps no permissions cannot be closed: keep the data elsewhere.`,
    )
  return closed.length === 0
    ? ok('only this user can read what is in it')
    : warn(
        `Other users of this machine could read ${some(closed)}. Their permissions were corrected: now only this user can.`,
        '',
      )
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path))
}

function spaceCheck(path: string): Check {
  const { ok, warn, fail } = resultsFor('disk space')
  const at = nearestExisting(path)
  const { bavail, bsize, blocks } = statfsSync(at)
  const free = bavail * bsize
  const share = blocks === 0 ? 1 : bavail / blocks
  const message = `${sizeText(free)} free (${Math.round(share * 100)} %) at ${at}`
  if (free < 0.25e9) return fail(message, 'Free some space: changes are refused when the disk is full.')
  if (free < 2e9) return warn(message, 'Free some space: renditions of pictures need some.')
  return ok(message)
}

/** Reports the size limit for renditions made on demand. Renditions that lists need are not limited. */
function cacheCheck(data: string, { cache_size: size }: Settings): Check {
  const { ok } = resultsFor('cache')
  if (size === null) return ok('no limit for what is made on demand (cache_size)')
  const at = nearestExisting(join(data, 'cache'))
  return ok(`at most ${sizeText(limitOf(size, at) ?? 0)} for what is made on demand (cache_size)`)
}

/** Queries a separate connection, which does not open the library. */
function all<Row>(db: Database, { sql }: Query<Row>, ...bindings: string[]): Row[] {
  return db.query<Row, string[]>(sql).all(...bindings)
}

function* rootChecks(db: Database, data: string): Generator<Check> {
  const rows = all(db, collectionsToCheck)
  if (rows.length === 0) yield resultsFor('collections').warn('There are none.', 'Make one: keepsake scan DIR')
  for (const { name, path, readonly, items, stop } of rows) {
    const { ok, warn, fail } = resultsFor(`collection ${name}`)
    const state = rootState(path)
    if (state.kind !== 'present')
      yield fail(`${path} is not there or cannot be read.`, 'Mount its disk; nothing is marked missing meanwhile.')
    else if (isWithin(realpathSync(data), path) || isWithin(path, realpathSync(data)))
      yield fail(
        `${path} and the data directory ${data} lie within each other.`,
        'Keep the data elsewhere: --data DIR.',
      )
    else if (items > 0 && isEmpty(path))
      yield fail(`${path} is empty, and ${items} items should be in it.`, 'Is its disk mounted?')
    else if (stop !== null)
      yield warn(`The last scan stopped: ${stop}`, `keepsake scan '${name}', with --accept-missing if that is right`)
    else if (readonly === 0 && !mayWrite(path))
      yield warn(`${path} cannot be written.`, `keepsake collection set '${name}' readonly=yes`)
    else yield ok(`${path}, ${items} items`)
  }
}

function isEmpty(path: string): boolean {
  try {
    return readdirSync(path).length === 0
  } catch {
    return false
  }
}

/** Checks whether the keys are those with which links and PINs were encrypted. */
function* sealCheck(db: Database, data: string): Generator<Check> {
  const path = join(data, 'secrets.json')
  const { sealKey } = (existsSync(path) ? readSecrets(path) : null) ?? {}
  if (sealKey === undefined) return
  const { shares, pins } = sealsOf({ sealKey })
  const lost = (sealed: Query<{ sealed: string | null }>, seal: Seal) =>
    all(db, sealed).filter(row => row.sealed !== null && seal.unseal(row.sealed) === null).length
  const links = lost(sealedShares, shares)
  const locks = lost(sealedPins, pins)
  if (links + locks > 0)
    yield resultsFor('seals').warn(
      `Links of shares (${links}) and PINs (${locks}) were made with another secrets.json: they are dead.`,
      'Take that file from a backup, or share again and set new PINs.',
    )
}

/** Reports files that a verification, or a scan that read them again, has found damaged. */
function* rotCheck(db: Database): Generator<Check> {
  const rotten = all(db, problemsOfCode, rotCode)[0]?.n
  if (rotten !== undefined && rotten > 0)
    yield resultsFor('files').fail(
      `${plural(rotten, 'file')} ${rotten === 1 ? 'has' : 'have'} other bytes than the library knows, at the same size and time.`,
      'keepsake problems lists them. Restore them from a backup, then keepsake verify.',
    )
}

/** Reports tags that the files of collections with write-back do not contain yet. */
function* writeBackCheck(db: Database, data: string): Generator<Check> {
  const waiting = all(db, unwrittenItems)[0]?.n ?? 0
  if (waiting === 0) return
  const { ok, warn } = resultsFor('write-back')
  const message = `Tags of ${plural(waiting, 'item')} are not in the files yet.`
  yield isServerRunning(data)
    ? ok(`${message} The server is writing them.`)
    : warn(message, 'keepsake scan --all writes them. If some remain, see: keepsake problems')
}

/** Long enough for one missed night. */
const maxCopyAgeMs = 2 * 86_400_000

function copiesCheck(data: string, now: number): Check {
  const { ok, warn } = resultsFor('copies')
  const copies = listCopies(data)
  const [newest] = copies
  const state = newest === undefined ? 'There is none' : `The newest is of ${formatCopyTime(newest.at)}`
  if (now - lastCopied(data, now) > maxCopyAgeMs)
    return warn(
      `${state}: the database is copied each night by keepsake serve, or by a scan.`,
      'Leave keepsake serve running, and see: keepsake jobs --all',
    )
  if (newest === undefined) return ok('the first is made tonight')
  return ok(`${copies.length}, the newest of ${formatCopyTime(newest.at)}`)
}

/** Checks the database on a read-only connection, which neither migrates nor creates anything. */
function* databaseChecks(data: string): Generator<Check> {
  const { ok, warn, fail } = resultsFor('database')
  const path = join(data, 'library.db')
  let loss: string | null
  try {
    loss = describeLoss(data)
  } catch {
    // The check of the data directory has already reported that this user may not read it.
    return
  }
  if (loss !== null) {
    yield fail(loss, lossRemedy(data))
    return
  }
  if (!existsSync(path)) {
    yield warn('There is no library yet.', 'keepsake serve, or keepsake scan DIR')
    return
  }
  let db: Database
  try {
    db = new Database(path, { readonly: true })
  } catch (error) {
    yield fail(`${path} cannot be opened: ${reasonOf(error)}`, lossRemedy(data))
    return
  }
  try {
    db.run('PRAGMA busy_timeout = 5000')
    const version = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
    if (version > migrations.length) {
      yield fail(
        `It is of a newer version (${version}, this one knows ${migrations.length}).`,
        'Use the newer executable.',
      )
      return
    }
    if (version === 0 && hadLibrary(data)) {
      yield fail(noLibraryMessage(path), lossRemedy(data))
      return
    }
    const checked = db.query<{ quick_check: string }, []>('PRAGMA quick_check(3)').all()
    const faults = checked.map(row => row.quick_check)
    yield faults[0] === 'ok'
      ? ok(`sound, version ${version} of ${migrations.length}, ${sizeText(statSync(path).size)}`)
      : fail(`It is damaged: ${faults.join('; ')}`, lossRemedy(data))
    const open = all(db, journalLength)[0]?.n ?? 0
    const busy = all(db, runningJobs)[0]?.n ?? 0
    const journal = resultsFor('journal')
    if (open === 0) yield journal.ok('no file is on its way')
    else if (busy > 0) yield journal.ok(`${open} files are on their way, a job is running`)
    else
      yield journal.warn(
        `${open} files were on their way when a process was killed.`,
        'keepsake serve, or the next scan, finishes or undoes it.',
      )
    if (version === migrations.length) {
      yield* sealCheck(db, data)
      yield* rotCheck(db)
      yield* writeBackCheck(db, data)
    }
    yield* rootChecks(db, data)
  } catch (error) {
    yield fail(`It cannot be read: ${reasonOf(error)}`, lossRemedy(data))
  } finally {
    db.close()
  }
}

function toolCheck(name: string, setting: string, what: string, remedy: string): Check {
  const { ok, warn } = resultsFor(name)
  const path = findTool(name, setting)
  if (path !== null) return ok(path)
  const message = setting === '' ? `not in PATH: ${what}` : `${setting} is not there or cannot be run: ${what}`
  return warn(message, setting === '' ? remedy : `keepsake config set ${name} PATH`)
}

async function faceCheck(): Promise<Check> {
  const check = resultsFor('faces')
  try {
    await loadOnnx()
    return check.ok('ONNX Runtime is there')
  } catch (error) {
    return check.warn(`${reasonOf(error)}: no faces are found`, 'keepsake config unset faces.scan')
  }
}

async function portCheck(host: string, port: number): Promise<Check> {
  const { ok, fail } = resultsFor('port')
  const at = `${host}:${port}`
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        error.code === 'EADDRINUSE'
          ? fail(`${at} is in use by another program.`, 'keepsake config set listen 0.0.0.0:PORT')
          : fail(`${at} cannot be used: ${error.message}`, 'keepsake config set listen ADDRESS:PORT'),
      ),
    )
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(ok(`${at} is free`))))
  })
}

function clockCheck(now: number, data: string): Check {
  const { ok, warn, fail } = resultsFor('clock')
  const newest = existsSync(join(data, 'library.db')) ? statSync(join(data, 'library.db')).mtimeMs : 0
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const text = `${new Date(now).toISOString().slice(0, 19)}Z, time zone ${zone}`
  if (now < Date.parse('2024-01-01')) return fail(`It says ${text}.`, 'Set the clock: dates and tokens go by it.')
  if (newest > now + 3_600_000) return warn(`It says ${text}, and the library was written later.`, 'Set the clock.')
  return ok(text)
}

/** Runs all checks, one after the other. `flag`: the value of --data. Invalid settings are a failed check too. */
export async function* examine(
  flag: string | undefined,
  environment: Record<string, string | undefined>,
  now: number,
): AsyncGenerator<Check, void, undefined> {
  const { path: data } = dataDirectory(flag, environment)
  yield* directoryChecks(data)
  yield spaceCheck(data)
  const settings = resultsFor('settings')
  try {
    const { values } = readSettings(data, { environment })
    yield settings.ok(join(data, 'config.toml'))
    yield cacheCheck(data, values)
    yield* databaseChecks(data)
    if (existsSync(join(data, 'library.db'))) yield copiesCheck(data, now)
    yield toolCheck('ffmpeg', values.ffmpeg, 'videos have no pictures and are not converted', 'apt-get install ffmpeg')
    yield toolCheck('ffprobe', values.ffprobe, 'less is known of videos', 'apt-get install ffmpeg')
    yield toolCheck(
      'exiftool',
      values.exiftool,
      'only some rare metadata need it',
      'apt-get install libimage-exiftool-perl',
    )
    if (values['faces.scan']) yield await faceCheck()
    for (const file of [values.tls_cert, values.tls_key])
      if (file !== '' && !existsSync(file))
        yield resultsFor('certificate').fail(`${file} is not there.`, 'keepsake config set tls_cert FILE')
    const { host, port } = values.listen
    if (existsSync(join(data, 'server.lock')) && isServerRunning(data))
      yield resultsFor('server').ok('a server of this library runs')
    else yield await portCheck(host, port)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    yield settings.fail(error.message, `Change ${join(data, 'config.toml')}, or the environment.`)
  }
  yield clockCheck(now, data)
}
