/** Puts a backup back: into a data directory without a library, or, when asked to, in the place of one that is kept aside. */
import { Database } from 'bun:sqlite'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure, type FailureCode, reasonOf } from '../../schema/errors.ts'
import { migrations } from '../../schema/migrations.ts'
import { type CollectionPlace, demandCollectionsApart } from '../apart.ts'
import { passingDirectory } from '../data-directory.ts'
import { codeOf, diskError } from '../files/disk-error.ts'
import { openNamedFile } from '../files/open-file.ts'
import { outRefused } from '../files/out-place.ts'
import { isMountPoint, isWithin } from '../files/overlap.ts'
import { serverRuns } from '../server-lock.ts'
import { type BackupManifest, checkedContent, databaseName, openBackup } from './archive.ts'

export interface RestoreBackupWish {
  file: string
  /** The data directory; it need not be there. */
  data: string
  /** Where there is a library already: keep it aside. */
  force: boolean
  dryRun: boolean
  signal: AbortSignal
}

export interface RestoredBackup {
  manifest: BackupManifest
  /** Where the library that was there lies now; null where there was none. */
  kept: string | null
}

/** Is anything of a library in this directory? A cache alone, or settings, are none. */
function holdsLibrary(data: string): boolean {
  return existsSync(join(data, databaseName))
}

/** Nobody may have the library open. SQLite's own lock on the database tells. */
function demandUnused(data: string): void {
  if (!holdsLibrary(data)) return
  const busy = new Failure('busy', `Something uses the library in ${data}: stop the server and other commands first.`)
  if (serverRuns(data)) throw busy
  const probe = new Database(join(data, databaseName))
  try {
    probe.run('PRAGMA busy_timeout = 0')
    // Leaving WAL needs that nobody else has the database open; what is in the log is then in the database.
    const { journal_mode: mode } = probe.query<{ journal_mode: string }, []>('PRAGMA journal_mode = DELETE').get() ?? {}
    if (mode !== 'delete') throw busy
    // As it was: a dry run changes nothing.
    probe.run('PRAGMA journal_mode = WAL')
  } catch (error) {
    if (error instanceof Failure) throw error
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) throw busy
    // A database that is damaged is a reason to restore, and none against it.
  } finally {
    probe.close()
  }
}

/** `data`: where its library shall lie, apart from its own collections. */
function demandSound(path: string, data: string): void {
  const copy = new Database(path, { readonly: true })
  try {
    const [fault] = copy.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').all()
    if (fault?.integrity_check !== 'ok') throw new Failure('invalid', 'The database in the backup is damaged.')
    demandCollectionsApart(
      data,
      copy.query<CollectionPlace, []>('SELECT name, path, path_variant FROM collections').all(),
    )
  } finally {
    copy.close()
  }
}

/** Unpacks a backup and checks every byte of it; a dry run keeps the database alone, to look into it. */
async function extract(file: string, target: string, signal: AbortSignal, dryRun: boolean): Promise<BackupManifest> {
  const opened = openNamedFile(file, 'backup')
  try {
    const backup = await openBackup(opened)
    const { database, keepsake } = backup.manifest
    if (database > migrations.length)
      throw new Failure(
        'conflict',
        `The backup is of a newer Keepsake (${keepsake}: its database is ${database}, this one knows ${migrations.length}). Use the newer executable.`,
      )
    for (const { name } of backup.manifest.files) {
      if (dryRun && name !== databaseName) {
        for await (const _ of checkedContent(backup, name)) signal.throwIfAborted()
        continue
      }
      const path = join(target, name)
      mkdirSync(dirname(path), { recursive: true, mode: 0o750 })
      const fd = openSync(path, 'wx', name === 'secrets.json' || name === databaseName ? 0o600 : 0o640)
      try {
        for await (const piece of checkedContent(backup, name)) {
          signal.throwIfAborted()
          for (let at = 0; at < piece.length; ) at += writeSync(fd, piece, at)
        }
        fsyncSync(fd)
      } finally {
        closeSync(fd)
      }
    }
    return backup.manifest
  } finally {
    opened.close()
  }
}

function stamp(now: Date): string {
  return now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
}

function freeName(start: string): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? start : `${start}-${n}`
    if (!existsSync(name)) return name
  }
}

/** A directory that is a volume (a disk of its own, or one of the same disk that is mounted here), or whose parent is not ours, cannot be renamed. */
function staysWhereItIs(data: string): boolean {
  if (!existsSync(data)) return false
  const above = dirname(data)
  try {
    accessSync(above, constants.W_OK)
  } catch {
    return true
  }
  return statSync(data).dev !== statSync(above).dev || isMountPoint(data)
}

/** Names of what is put aside within a data directory. */
const keptWithin = '.before-restore-'
const newWithin = '.restoring-'

/** The new directory takes the place of the old one, which is the one or the other whatever happens. */
function swapBeside(data: string, target: string, kept: string): string | null {
  const wasThere = existsSync(data)
  const isEmpty = wasThere && readdirSync(data).length === 0
  if (isEmpty) rmSync(data, { recursive: true })
  else if (wasThere) renameSync(data, kept)
  try {
    renameSync(target, data)
  } catch (error) {
    if (wasThere && !isEmpty) renameSync(kept, data)
    throw error
  }
  return wasThere && !isEmpty ? kept : null
}

/**
 * The same within a directory that stays: what is in it is moved below `kept`, then what is in `target` comes up. The
 * database goes first and comes last, so that whoever looks in between finds no library, never half of one.
 */
export function swapWithin(data: string, target: string, kept: string): string | null {
  const isDatabase = (name: string) => name === databaseName
  const old = readdirSync(data).filter(name => !name.startsWith(keptWithin) && !name.startsWith(newWithin))
  const fresh = readdirSync(target)
  const moves = [
    ...old.filter(isDatabase).map(name => [join(data, name), join(kept, name)] as const),
    ...old.filter(name => !isDatabase(name)).map(name => [join(data, name), join(kept, name)] as const),
    ...fresh.filter(name => !isDatabase(name)).map(name => [join(target, name), join(data, name)] as const),
    ...fresh.filter(isDatabase).map(name => [join(target, name), join(data, name)] as const),
  ]
  if (old.length > 0) mkdirSync(kept, { mode: 0o750 })
  const done: (readonly [string, string])[] = []
  try {
    for (const move of moves) {
      renameSync(...move)
      done.unshift(move)
    }
  } catch (error) {
    for (const [from, to] of done) renameSync(to, from)
    throw error
  }
  return old.length > 0 ? kept : null
}

const refusedBy: Record<string, FailureCode> = {
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENOSPC: 'noSpace',
  EDQUOT: 'noSpace',
}

/** What restoring would ask, without it: the place of `target` can be written, the database is sound and apart from its pictures. */
async function looked({ data, file, signal }: RestoreBackupWish, target: string): Promise<BackupManifest> {
  let above = dirname(target)
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above)
  accessSync(above, constants.W_OK | constants.X_OK)
  const passing = passingDirectory()
  try {
    const manifest = await extract(file, passing.path, signal, true)
    demandSound(join(passing.path, databaseName), data)
    return manifest
  } catch (error) {
    const refused = outRefused(error, passing.path)
    if (refused === error) throw error
    throw new Failure(
      'noSpace',
      `The backup cannot be looked at: ${reasonOf(refused)}. Set TMPDIR to another directory.`,
      {
        cause: error,
      },
    )
  } finally {
    passing.remove()
  }
}

/** What is refused leaves no directories behind: empty ones go, from `path` up to below `above`. */
function removeEmpty(path: string, above: string): void {
  for (let at = path; at.length > above.length && isWithin(at, above); at = dirname(at)) {
    try {
      rmdirSync(at)
    } catch {
      // Somebody has put something there meanwhile.
      return
    }
  }
}

/**
 * Everything is unpacked and checked beside the data directory (within it, where it is a volume), and then takes its
 * place by renaming. The cache of pictures is made anew as they are looked at.
 */
export async function restoreBackup(wish: RestoreBackupWish): Promise<RestoredBackup> {
  const { data, file, force, dryRun, signal } = wish
  const there = holdsLibrary(data)
  if (there && !force)
    throw new Failure(
      'conflict',
      `There is a library in ${data}. To put the backup in its place and keep it aside: --force`,
    )
  if (!there && existsSync(data) && readdirSync(data).length > 0 && !force)
    throw new Failure('conflict', `${data} is not empty. To keep aside what is in it: --force`)
  demandUnused(data)
  const within = staysWhereItIs(data)
  const target = within ? join(data, `${newWithin}${process.pid}`) : `${data}.restoring-${process.pid}`
  const aside = `${keptWithin}${stamp(new Date())}`
  let first: string | undefined
  try {
    if (dryRun) return { manifest: await looked(wish, target), kept: null }
    first = mkdirSync(target, { recursive: true, mode: 0o750 })
    const manifest = await extract(file, target, signal, false)
    demandSound(join(target, databaseName), data)
    const kept = within
      ? swapWithin(data, target, freeName(join(data, aside)))
      : swapBeside(data, target, freeName(data + aside))
    first = undefined
    return { manifest, kept }
  } catch (error) {
    if (error instanceof Failure || !(error instanceof Error && 'code' in error)) throw error
    const code = refusedBy[codeOf(error) ?? ''] ?? 'conflict'
    throw new Failure(code, `The backup cannot be put into ${data}: ${reasonOf(diskError(error, ''))}`, {
      cause: error,
    })
  } finally {
    rmSync(target, { recursive: true, force: true })
    if (first !== undefined) removeEmpty(dirname(target), dirname(first))
  }
}
