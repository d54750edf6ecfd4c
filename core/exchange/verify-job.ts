/** Compares the files of a library with what it knows of them: changed, rotten, missing. Nothing is written to files. */
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { demandGlobalAdmin, type Viewer } from '../accounts/access.ts'
import type { Disk } from '../files/disk.ts'
import { DiskError } from '../files/disk-error.ts'
import { displayName } from '../files/names.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { damageRemedy } from '../kernel/database/database-trouble.ts'
import { contentKeyOfFile, fullHashOfFile } from '../media/decode/content-key.ts'
import { rotCode, rotReason } from '../scan/rot.ts'
import { displayPath } from '../survey/found-unit.ts'
import { rootState } from '../survey/safety.ts'
import type { JobContext, JobEnd, JobKind, Jobs } from '../work/jobs.ts'

const input = z.object({
  /** Null: every collection. */
  collectionId: z.int().positive().nullable(),
  /** Begin at the first file, also where an earlier one was interrupted. */
  restart: z.boolean().default(false),
})
export type VerifyInput = z.output<typeof input>

/** Codes of the problems that it writes down, with how they are counted. */
export const verifyCodes = {
  'verify-changed': 'changed',
  [rotCode]: 'rotten',
  'verify-missing': 'missing',
  'verify-unreadable': 'unreadable',
} as const
type VerifyCode = keyof typeof verifyCodes

interface Counts extends Record<string, number> {
  checked: number
  changed: number
  rotten: number
  missing: number
  unreadable: number
}

const noCounts: Counts = { checked: 0, changed: 0, rotten: 0, missing: 0, unreadable: 0 }

/** How far one came: kept in `choices`, so that the next one goes on from there. */
const position = z.object({ after: z.int(), counts: z.record(z.string(), z.number()) })

interface FileRow {
  id: number
  item_id: number
  collection_id: number
  root: string
  dir_path: string
  dir: Uint8Array
  name: Uint8Array
  size: number
  mtime: number
  mtime_ns: number
  content: string | null
  full_hash: string | null
}

const filesAtOnce = 100

interface VerifyParts {
  db: LibraryDatabase
  clock: Clock
  disk: Disk
}

/** By the whole hash where one was made, else by the key, which samples what is over 32 MB. */
function isAsKnown(fd: number, { content, full_hash, size }: FileRow): boolean {
  if (full_hash !== null) return fullHashOfFile(fd) === full_hash
  return content === null || content === '' || contentKeyOfFile(fd, size) === content
}

/** What is wrong with a file; null when it is as the library knows it. */
function faultOf(disk: Disk, row: FileRow): { code: VerifyCode; reason: string } | null {
  const path = row.dir.length === 0 ? row.name : Buffer.concat([row.dir, Buffer.from('/'), row.name])
  try {
    const file = disk.open({ root: row.root, path })
    try {
      const { size, mtimeSeconds, mtimeNanoseconds } = file
      if (size !== row.size || mtimeSeconds !== row.mtime || mtimeNanoseconds !== row.mtime_ns)
        return { code: 'verify-changed', reason: 'It has changed since the last scan. Scan the collection.' }
      if (isAsKnown(file.fd, row)) return null
      return { code: rotCode, reason: rotReason }
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof DiskError && error.code === 'ENOENT')
      return { code: 'verify-missing', reason: 'It is not there any more. Scan the collection.' }
    if (error instanceof DiskError || error instanceof Failure || isReadError(error))
      return { code: 'verify-unreadable', reason: `It cannot be read: ${error.message}` }
    throw error
  }
}

/** What a disk answers while it is read, and a file that ends too early. */
function isReadError(error: unknown): error is Error {
  return error instanceof Error && ('code' in error || error.message.startsWith('The file ended'))
}

function positionName({ collectionId }: VerifyInput): string {
  return `verify-${collectionId ?? 0}`
}

function savePosition(tx: Transaction, wish: VerifyInput, at: { after: number; counts: Counts } | null) {
  tx.run('DELETE FROM choices WHERE name = ?', positionName(wish))
  if (at !== null) tx.run('INSERT INTO choices (name, value) VALUES (?, ?)', positionName(wish), JSON.stringify(at))
}

function positionOf(db: LibraryDatabase, wish: VerifyInput): { after: number; counts: Counts } {
  const row = db.get<{ value: string }>('SELECT value FROM choices WHERE name = ?', positionName(wish))
  const known = row === null || wish.restart ? null : position.safeParse(JSON.parse(row.value))
  if (known?.success !== true) return { after: 0, counts: noCounts }
  return { after: known.data.after, counts: { ...noCounts, ...known.data.counts } }
}

function demandDatabase(db: LibraryDatabase): void {
  const faults = db.all<{ quick_check: string }>('PRAGMA quick_check(5)').map(row => row.quick_check)
  if (faults[0] !== 'ok')
    throw new Failure(
      'conflict',
      `${db.path} is damaged (${faults.join('; ').replace(/\s+/g, ' ')}). ${damageRemedy(db.path)}`,
    )
  const [broken] = db.all<{ table: string }>('PRAGMA foreign_key_check')
  if (broken !== undefined)
    throw new Failure('conflict', `The database has rows of '${broken.table}' that point nowhere.`)
}

async function run({ db, clock, disk }: VerifyParts, context: JobContext<VerifyInput>): Promise<JobEnd> {
  const { input: wish, jobId, signal, progress } = context
  demandDatabase(db)
  const id = wish.collectionId
  for (const { name, path } of db.all<{ name: string; path: string }>(
    'SELECT name, path FROM collections WHERE ? IS NULL OR id = ?',
    id,
    id,
  )) {
    // All of its files would be told as missing.
    if (rootState(path).kind !== 'present')
      throw new Failure('safetyStop', `The directory of '${name}' (${path}) is not there. Is its disk mounted?`)
  }
  const total =
    db.get<{ n: number }>(
      `SELECT count(*) AS n FROM files AS f JOIN items AS i ON i.id = f.item_id
       WHERE i.missing IS NULL AND f.role <> 'none' AND (? IS NULL OR i.collection_id = ?)`,
      id,
      id,
    )?.n ?? 0
  let { after, counts } = positionOf(db, wish)
  progress({ done: counts.checked, total, counts: { ...counts } })
  for (;;) {
    const rows = db.all<FileRow>(
      `SELECT f.id, f.item_id, i.collection_id, c.path AS root, d.path AS dir_path, d.path_bytes AS dir,
         f.name_bytes AS name, f.size, f.mtime, f.mtime_ns, f.content, f.full_hash
       FROM files AS f JOIN items AS i ON i.id = f.item_id JOIN dirs AS d ON d.id = f.dir_id
       JOIN collections AS c ON c.id = i.collection_id
       WHERE f.id > ? AND i.missing IS NULL AND f.role <> 'none' AND (? IS NULL OR i.collection_id = ?)
       ORDER BY f.id LIMIT ${filesAtOnce}`,
      after,
      id,
      id,
    )
    if (rows.length === 0) break
    const looked: { row: FileRow; fault: ReturnType<typeof faultOf> }[] = []
    for (const row of rows) {
      signal.throwIfAborted()
      looked.push({ row, fault: faultOf(disk, row) })
      counts = { ...counts, checked: counts.checked + 1 }
      progress({ done: counts.checked, message: displayPath(row.dir_path, displayName(row.name)) })
      await Bun.sleep(0)
    }
    for (const { fault } of looked) {
      const name = fault === null ? null : verifyCodes[fault.code]
      if (name !== null) counts = { ...counts, [name]: (counts[name] ?? 0) + 1 }
    }
    after = rows.at(-1)?.id ?? after
    await db.transact({ userId: null }, tx => {
      for (const { row, fault } of looked) noteFault(tx, row, fault, jobId, clock.now())
      savePosition(tx, wish, { after, counts })
    })
    progress({ done: counts.checked, counts: { ...counts } })
  }
  await db.transact({ userId: null }, tx => savePosition(tx, wish, null))
  const problems = counts.changed + counts.rotten + counts.missing + counts.unreadable
  return { state: 'done', message: '', problems }
}

function noteFault(tx: Transaction, row: FileRow, fault: ReturnType<typeof faultOf>, jobId: number, at: number): void {
  const path = displayPath(row.dir_path, displayName(row.name))
  tx.run("DELETE FROM problems WHERE collection_id = ? AND path = ? AND code LIKE 'verify-%'", row.collection_id, path)
  if (fault === null) return
  tx.run(
    'INSERT INTO problems (job_id, collection_id, item_id, path, code, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    jobId,
    row.collection_id,
    row.item_id,
    path,
    fault.code,
    fault.reason,
    at,
  )
}

/** Asks for it; answers the job. For global admins. */
export function startVerify({ jobs }: { jobs: Jobs }, viewer: Viewer, wish: VerifyInput): Promise<number> {
  demandGlobalAdmin(viewer)
  return jobs.enqueue(viewer, 'verify', wish)
}

export function verifyJob(parts: VerifyParts): JobKind {
  const kind: JobKind<VerifyInput> = {
    kind: 'verify',
    input,
    lane: ({ collectionId }) => `verify-${collectionId ?? 0}`,
    collectionId: ({ collectionId }) => collectionId,
    afterRestart: 'resume',
    run: context => run(parts, context),
  }
  return kind
}
