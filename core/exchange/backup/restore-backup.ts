/** Restores a backup or a nightly copy into an empty data directory or, on request, in place of the old library. */
import { Database } from 'bun:sqlite'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure, type FailureCode, reasonOf, sentence } from '../../../schema/errors.ts'
import { migrations } from '../../../schema/migrations.ts'
import { type CollectionPlace, requireCollectionsApart } from '../../collections/apart.ts'
import { syncDirectory } from '../../files/anchor.ts'
import { codeOf, diskError } from '../../files/disk-error.ts'
import { type OpenFile, openNamedFile } from '../../files/open-file.ts'
import { outputFailure } from '../../files/output-paths.ts'
import { isMountPoint, isWithin } from '../../files/overlap.ts'
import { asideName, databaseFiles, databaseName, keptBeforeRestore } from '../../kernel/data/aside.ts'
import { copiesName, timeOfCopy } from '../../kernel/data/copies.ts'
import { temporaryDirectory } from '../../kernel/data/data-directory.ts'
import { isServerRunning } from '../../kernel/data/server-lock.ts'
import { collectionPlaces } from '../exchange.sql.ts'
import { type BackupManifest, checkedContent, openBackup } from './archive.ts'
import { type CopyFacts, checkCopy } from './database-copy.ts'
import { writeNewFile } from './new-file.ts'

export interface RestoreBackupRequest {
  /** A backup, or a copy of the database alone. */
  file: string
  /** The data directory; it need not exist. */
  data: string
  /** Whether an existing library may be replaced; it is kept aside. */
  force: boolean
  dryRun: boolean
  signal: AbortSignal
}

export interface RestoredBackup extends Pick<BackupManifest, 'made' | 'items' | 'collections'> {
  /** Version of Keepsake that made the backup; null for a copy of the database, which does not record it. */
  keepsake: string | null
  /** Where the replaced library is now; null if there was none. */
  kept: string | null
}

/** Whether this directory contains a library. A cache or settings alone do not count. */
function hasLibrary(data: string): boolean {
  return existsSync(join(data, databaseName))
}

/** Throws if a process has the library open, according to SQLite's lock on the database. */
function requireUnused(data: string): void {
  const busy = new Failure(
    'busy',
    sentence`The library in ${data} is in use: stop the server and other commands first.`,
  )
  // A running server may have a database open that was deleted from the directory.
  if (existsSync(join(data, 'server.lock')) && isServerRunning(data)) throw busy
  if (!hasLibrary(data)) return
  const probe = new Database(join(data, databaseName))
  try {
    probe.run('PRAGMA busy_timeout = 0')
    // Leaving WAL mode moves the log into the database, and fails while anybody else has the database open.
    const { journal_mode: mode } = probe.query<{ journal_mode: string }, []>('PRAGMA journal_mode = DELETE').get() ?? {}
    if (mode !== 'delete') throw busy
    // Returns to WAL mode: a dry run changes nothing.
    probe.run('PRAGMA journal_mode = WAL')
  } catch (error) {
    if (error instanceof Failure) throw error
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) throw busy
    // A damaged database is a reason to restore, not against it.
  } finally {
    probe.close()
  }
}

/**
 * Throws if the database at `path` is damaged, or if `data`, the directory of the restored library, overlaps a
 * collection. `what` names the database in errors: 'The database in the backup'.
 */
function requireIntactDatabase(path: string, data: string, what: string): CopyFacts {
  const facts = checkCopy(
    path,
    () => new Failure('invalid', sentence`${what} is damaged, or is not from Keepsake.`),
    copy => requireCollectionsApart(data, copy.query<CollectionPlace, []>(collectionPlaces.sql).all()),
  )
  if (facts.database > migrations.length)
    throw new Failure(
      'conflict',
      sentence`${what} is of a newer Keepsake (its version is ${facts.database}, this one knows ${migrations.length}). Use the newer executable.`,
    )
  return facts
}

const inBackup = 'The database in the backup'

/** Unpacks a backup and checks every byte; a dry run unpacks only the database. */
async function extract(file: string, target: string, signal: AbortSignal, dryRun: boolean): Promise<BackupManifest> {
  const opened = openNamedFile(file, 'backup')
  try {
    const backup = await openBackup(opened)
    const { database, keepsake } = backup.manifest
    if (database > migrations.length)
      throw new Failure(
        'conflict',
        sentence`The backup is of a newer Keepsake (${keepsake}: its database is ${database}, this one knows ${migrations.length}). Use the newer executable.`,
      )
    for (const { name } of backup.manifest.files) {
      if (dryRun && name !== databaseName) {
        for await (const _ of checkedContent(backup, name)) signal.throwIfAborted()
        continue
      }
      const path = join(target, name)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      await writeNewFile(path, checkedContent(backup, name), () => signal.throwIfAborted())
    }
    return backup.manifest
  } finally {
    opened.close()
  }
}

/** Whether the directory cannot be renamed, as it is a mount point or its parent is not writable. */
function isVolume(data: string): boolean {
  if (!existsSync(data)) return false
  const above = dirname(data)
  try {
    accessSync(above, constants.W_OK)
  } catch {
    return true
  }
  return statSync(data).dev !== statSync(above).dev || isMountPoint(data)
}

/** Prefix for unpacked files within a data directory. */
const newWithin = '.restoring-'

type Renaming = readonly [from: string, to: string]

function renameAll(moves: readonly Renaming[]): void {
  const done: Renaming[] = []
  try {
    for (const move of moves) {
      renameSync(...move)
      done.unshift(move)
    }
  } catch (error) {
    for (const [from, to] of done) renameSync(to, from)
    throw error
  }
}

/** Renames the data directory to `kept`, then `target` to `data`. Returns `kept`, or null if there was nothing. */
function swapBeside(data: string, target: string, kept: string): string | null {
  const isEmpty = existsSync(data) && readdirSync(data).length === 0
  if (isEmpty) rmSync(data, { recursive: true })
  const wasThere = existsSync(data)
  renameAll([...(wasThere ? [[data, kept] as const] : []), [target, data]])
  return wasThere ? kept : null
}

/**
 * Like `swapBeside`, for a directory that cannot be renamed: moves its content into `kept`, and the content of `target`
 * into `data`. The database is moved out first and moved in last, so that `data` never contains half a library.
 */
export function swapWithin(data: string, target: string, kept: string): string | null {
  const isDatabase = (name: string) => name === databaseName
  const isOther = (name: string) => name !== databaseName
  const old = readdirSync(data).filter(name => !name.startsWith('.before-') && !name.startsWith(newWithin))
  const fresh = readdirSync(target)
  if (old.length > 0) mkdirSync(kept, { mode: 0o700 })
  const setAside = (name: string) => [join(data, name), join(kept, name)] as const
  const moveIn = (name: string) => [join(target, name), join(data, name)] as const
  renameAll([
    ...[...old.filter(isDatabase), ...old.filter(isOther)].map(setAside),
    ...[...fresh.filter(isOther), ...fresh.filter(isDatabase)].map(moveIn),
  ])
  return old.length > 0 ? kept : null
}

const codeByError: Record<string, FailureCode> = {
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENOSPC: 'noSpace',
  EDQUOT: 'noSpace',
}

/** The checks of a dry run: `target` could be created, the database is intact, and `data` overlaps no collection. */
async function checkBackup({ data, file, signal }: RestoreBackupRequest, target: string): Promise<BackupManifest> {
  let above = dirname(target)
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above)
  accessSync(above, constants.W_OK | constants.X_OK)
  const temporary = temporaryDirectory()
  try {
    const manifest = await extract(file, temporary.path, signal, true)
    requireIntactDatabase(join(temporary.path, databaseName), data, inBackup)
    return manifest
  } catch (error) {
    const refused = outputFailure(error, temporary.path)
    if (refused === error) throw error
    throw new Failure(
      'noSpace',
      sentence`The backup cannot be unpacked for checking: ${reasonOf(refused)}. Set TMPDIR to another directory.`,
      { cause: error },
    )
  } finally {
    temporary.remove()
  }
}

/** Removes empty directories from `path` up to just below `above`, so that a refused restore leaves none behind. */
function removeEmpty(path: string, above: string): void {
  for (let at = path; at.length > above.length && isWithin(at, above); at = dirname(at)) {
    try {
      rmdirSync(at)
    } catch {
      // Something was added there meanwhile.
      return
    }
  }
}

function restoreFailure(data: string, error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error && 'code' in error)) return error
  const code = codeByError[codeOf(error) ?? ''] ?? 'conflict'
  return new Failure(code, sentence`The backup cannot be restored to ${data}: ${reasonOf(diskError(error, ''))}`, {
    cause: error,
  })
}

const sqliteMark = Buffer.from('SQLite format 3\0')

/** Whether the file is a database alone, like the nightly copies. */
function isDatabase(file: OpenFile): boolean {
  return Buffer.from(file.read(0, sqliteMark.length)).equals(sqliteMark)
}

const pieceLength = 1024 * 1024

function* piecesOf(from: OpenFile): Generator<Uint8Array> {
  for (let at = 0; at < from.size; ) {
    const piece = from.read(at, pieceLength)
    if (piece.length === 0) throw new Failure('conflict', 'The copy of the database became shorter while it was read.')
    yield piece
    at += piece.length
  }
}

/** Replaces the database completely or not at all. Moves the files of the old one into `kept`. */
function swapDatabase(data: string, staged: string, kept: string): string | null {
  // The old database is moved first: otherwise SQLite could use its log for the new one.
  const old = databaseFiles.filter(name => existsSync(join(data, name)))
  if (old.length > 0) mkdirSync(kept, { mode: 0o700 })
  renameAll([...old.map(name => [join(data, name), join(kept, name)] as const), [staged, join(data, databaseName)]])
  syncDirectory(Buffer.from(data))
  return old.length > 0 ? kept : null
}

/** Restores only a database: secrets, settings, plugins and the cache stay. */
async function restoreCopy(
  copy: OpenFile,
  { data, file, dryRun, signal }: RestoreBackupRequest,
): Promise<RestoredBackup> {
  // The file header says whether a database has a log. Nightly copies have none; others lack their last writes.
  if (copy.read(18, 1)[0] !== 1)
    throw new Failure(
      'invalid',
      sentence`${file} is a database with a log, not a copy. Give a copy from ${join(data, copiesName)}.`,
    )
  const result = ({ items, collections }: CopyFacts, kept: string | null): RestoredBackup => {
    const made = new Date(timeOfCopy(basename(file)) ?? copy.mtimeSeconds * 1000).toISOString()
    return { made, items, collections, keepsake: null, kept }
  }
  if (dryRun) return result(requireIntactDatabase(file, data, file), null)
  const staged = join(data, `${newWithin}copy.db`)
  try {
    // Left by a killed process.
    rmSync(staged, { force: true })
    mkdirSync(data, { recursive: true, mode: 0o700 })
    await writeNewFile(staged, piecesOf(copy), () => signal.throwIfAborted())
    const facts = requireIntactDatabase(staged, data, file)
    return result(facts, swapDatabase(data, staged, asideName(join(data, keptBeforeRestore))))
  } catch (error) {
    throw restoreFailure(data, error)
  } finally {
    rmSync(staged, { force: true })
  }
}

/**
 * Restores a backup: unpacks and checks everything beside the data directory (within it if it is a volume), then
 * renames it into place. A copy of the database replaces only the database.
 */
export async function restoreBackup(request: RestoreBackupRequest): Promise<RestoredBackup> {
  const { data, file, force, dryRun, signal } = request
  const isPresent = hasLibrary(data)
  if (isPresent && !force)
    throw new Failure(
      'conflict',
      sentence`There is a library in ${data}. To keep it aside and put the backup in its place: --force`,
    )
  if (!isPresent && existsSync(data) && readdirSync(data).length > 0 && !force)
    throw new Failure('conflict', sentence`${data} is not empty. To set its content aside: --force`)
  requireUnused(data)
  const opened = openNamedFile(file, 'backup')
  try {
    if (isDatabase(opened)) return await restoreCopy(opened, request)
  } finally {
    opened.close()
  }
  const within = isVolume(data)
  const target = within ? join(data, `${newWithin}${process.pid}`) : `${data}.restoring-${process.pid}`
  let firstCreated: string | undefined
  try {
    if (dryRun) return restoreResult(await checkBackup(request, target), null)
    firstCreated = mkdirSync(target, { recursive: true, mode: 0o700 })
    const manifest = await extract(file, target, signal, false)
    requireIntactDatabase(join(target, databaseName), data, inBackup)
    const kept = within
      ? swapWithin(data, target, asideName(join(data, keptBeforeRestore)))
      : swapBeside(data, target, asideName(data + keptBeforeRestore))
    firstCreated = undefined
    return restoreResult(manifest, kept)
  } catch (error) {
    throw restoreFailure(data, error)
  } finally {
    rmSync(target, { recursive: true, force: true })
    if (firstCreated !== undefined) removeEmpty(dirname(target), dirname(firstCreated))
  }
}

function restoreResult({ made, items, collections, keepsake }: BackupManifest, kept: string | null): RestoredBackup {
  return { made, items, collections, keepsake, kept }
}
