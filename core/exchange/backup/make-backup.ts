/** Makes a backup while everything runs: a complete copy of the database, the settings, the secrets and the plugins. */
import { createReadStream, existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure, sentence } from '../../../schema/errors.ts'
import { requireGlobalAdmin, type Viewer } from '../../accounts/access.ts'
import { requireOutApart } from '../../collections/apart.ts'
import { DiskError } from '../../files/disk-error.ts'
import { openRegularFile } from '../../files/open-file.ts'
import { outputFailure, requireOutputFile } from '../../files/output-paths.ts'
import { zipped } from '../../files/zip-out.ts'
import { version } from '../../kernel/build-info.ts'
import type { Clock } from '../../kernel/clock.ts'
import { databaseName } from '../../kernel/data/aside.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { type BackupManifest, includedFiles, manifestName, openBackup, pluginsName, verifyBackup } from './archive.ts'
import { copyDatabase } from './database-copy.ts'
import { writeNewFile } from './new-file.ts'

/** A file to include: its path, and its name in the archive. */
interface BackupFile {
  name: string
  path: string
}

export interface BackupRequest {
  out: string
  replace: boolean
  signal: AbortSignal
  report?: (done: number, total: number, message: string) => void
}

function pluginFiles(data: string): BackupFile[] {
  const root = join(data, pluginsName)
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .map(path => ({ path, name: `${pluginsName}${path.slice(root.length)}` }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function describeFile({ name, path }: BackupFile, signal: AbortSignal) {
  const hasher = new Bun.CryptoHasher('sha256')
  let size = 0
  for await (const piece of createReadStream(path)) {
    signal.throwIfAborted()
    hasher.update(piece)
    size += piece.length
  }
  return { name, size, sha256: hasher.digest('hex') }
}

async function write(
  path: string,
  manifest: BackupManifest,
  files: readonly BackupFile[],
  request: BackupRequest,
): Promise<void> {
  const { signal, report } = request
  const total = manifest.files.reduce((sum, { size }) => sum + size, 0)
  const entries = [
    {
      name: manifestName,
      modified: Date.parse(manifest.made),
      open: async () => Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
    },
    ...files.map(({ name, path: from }) => ({
      name,
      modified: statSync(from).mtimeMs,
      open: async () => Bun.file(from).stream(),
    })),
  ]
  let done = 0
  await writeNewFile(path, zipped(entries), bytes => {
    signal.throwIfAborted()
    done += bytes
    report?.(Math.min(done, total), total, basename(request.out))
  })
}

/** Checks everything that a backup requires; returns the path of the archive. */
export function requireBackup(
  library: { db: LibraryDatabase; data: string },
  viewer: Viewer,
  request: Pick<BackupRequest, 'out' | 'replace'>,
): string {
  requireGlobalAdmin(viewer)
  requireOutApart(library, request.out)
  const out = resolve(request.out)
  if (!existsSync(dirname(out))) throw new Failure('notFound', sentence`There is no directory ${dirname(out)}.`)
  requireOutputFile(request.out)
  if (!request.replace && existsSync(out))
    throw new Failure('conflict', sentence`${out} already exists. To overwrite it: --replace`)
  return out
}

/** Writes and verifies the archive, then renames it. For global admins. Returns its manifest and its size in bytes. */
export async function makeBackup(
  { db, clock, data }: { db: LibraryDatabase; clock: Clock; data: string },
  viewer: Viewer,
  request: BackupRequest,
): Promise<BackupManifest & { bytes: number }> {
  const out = requireBackup({ db, data }, viewer, request)
  const copy = `${out}.${process.pid}.db.tmp`
  const archive = `${out}.${process.pid}.tmp`
  try {
    const facts = copyDatabase(db, copy)
    const files: BackupFile[] = [
      { name: databaseName, path: copy },
      ...includedFiles.map(name => ({ name, path: join(data, name) })).filter(({ path }) => existsSync(path)),
      ...pluginFiles(data),
    ]
    const manifest: BackupManifest = {
      type: 'keepsake-backup',
      schema: 1,
      keepsake: version,
      made: new Date(clock.now()).toISOString(),
      ...facts,
      files: [],
    }
    for (const file of files) manifest.files.push(await describeFile(file, request.signal))
    await write(archive, manifest, files, request)
    const file = openRegularFile(Buffer.from(archive))
    try {
      await verifyBackup(await openBackup(file), request.signal)
    } finally {
      file.close()
    }
    const bytes = statSync(archive).size
    if (request.replace) renameSync(archive, out)
    else linkSync(archive, out)
    return { ...manifest, bytes }
  } catch (error) {
    // Errors name the archive, not temporary files.
    throw outputFailure(error instanceof DiskError ? new DiskError(error.code, out, error) : error, out)
  } finally {
    for (const path of [copy, `${copy}-wal`, `${copy}-shm`, archive]) rmSync(path, { force: true })
  }
}
