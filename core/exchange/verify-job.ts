/** Compares the files of a library with their records, and lists changed, rotten, missing and unreadable files. */
import { and, eq, like } from 'drizzle-orm'
import { z } from 'zod'
import { Failure, sentence } from '../../schema/errors.ts'
import { collections } from '../../schema/tables/collections.ts'
import { problems } from '../../schema/tables/jobs.ts'
import { requireGlobalAdmin, type Viewer } from '../accounts/access.ts'
import type { Disk } from '../files/disk.ts'
import { DiskError } from '../files/disk-error.ts'
import { displayName, joinPath } from '../files/names.ts'
import { FileEnded } from '../files/open-file.ts'
import { choiceOf, setChoice } from '../kernel/choices.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { damageRemedy } from '../kernel/database/database-error.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { contentKeyOfFile, fullHashOfFile } from '../media/decode/content-key.ts'
import { rotCode, rotReason } from '../scan/rot.ts'
import { displayPath } from '../survey/found-unit.ts'
import { isSame } from '../survey/reconcile.ts'
import { rootState } from '../survey/safety.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../work/job-kind.ts'
import type { Jobs } from '../work/jobs.ts'
import { danglingRows, filesToVerify, nextFilesToVerify, quickCheck } from './exchange.sql.ts'

const input = z.object({
  /** Null: every collection. */
  collectionId: z.int().positive().nullable(),
  /** Start at the first file, even if an earlier run was interrupted. */
  restart: z.boolean().default(false),
})
export type VerifyInput = z.output<typeof input>

export const verifyCodes = {
  'verify-changed': 'changed',
  [rotCode]: 'rotten',
  'verify-missing': 'missing',
  'verify-unreadable': 'unreadable',
} as const
type VerifyCode = keyof typeof verifyCodes

const noCounts = { checked: 0, changed: 0, rotten: 0, missing: 0, unreadable: 0 }

/** Progress of a run, kept in `choices`, so that the next run continues from there. */
const position = z.object({ after: z.int(), counts: z.record(z.string(), z.number()) })

type FileRow = RowOfQuery<typeof nextFilesToVerify>

interface VerifyParts {
  db: LibraryDatabase
  clock: Clock
  disk: Disk
}

/** Compares the full hash if it is recorded, else the content key, which samples files over 32 MB. */
function matchesRecord(fd: number, { content, fullHash, size }: FileRow): boolean {
  if (fullHash !== null) return fullHashOfFile(fd) === fullHash
  return content === null || content === '' || contentKeyOfFile(fd, size) === content
}

/** Returns what is wrong with a file; null when it matches its record. */
function faultOf(disk: Disk, row: FileRow): { code: VerifyCode; reason: string } | null {
  try {
    const file = disk.open({ root: row.root, path: joinPath(row.dir, row.name) })
    try {
      if (!isSame(file, row))
        return { code: 'verify-changed', reason: 'It has changed since the last scan. Scan the collection.' }
      if (matchesRecord(file.fd, row)) return null
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

/** Whether an error means that the disk cannot read the file, or that the file ends too early. */
function isReadError(error: unknown): error is Error {
  return error instanceof FileEnded || (error instanceof Error && 'code' in error)
}

function positionName({ collectionId }: Pick<VerifyInput, 'collectionId'>): string {
  return `verify-${collectionId ?? 0}`
}

function positionOf(db: LibraryDatabase, request: VerifyInput): { after: number; counts: typeof noCounts } {
  const { data } = position.safeParse(request.restart ? null : choiceOf(db, positionName(request)))
  return { after: data?.after ?? 0, counts: { ...noCounts, ...data?.counts } }
}

function requireDatabase(db: LibraryDatabase): void {
  const faults = db.all(quickCheck).map(row => row.quick_check)
  if (faults[0] !== 'ok')
    throw new Failure(
      'conflict',
      sentence`${db.path} is damaged (${faults.join('; ').replace(/\s+/g, ' ')}). ${damageRemedy(db.path)}`,
    )
  const [broken] = db.all(danglingRows)
  if (broken !== undefined)
    throw new Failure('conflict', sentence`The database has rows in '${broken.table}' that refer to missing rows.`)
}

async function run({ db, clock, disk }: VerifyParts, context: JobContext<VerifyInput>): Promise<JobEnd> {
  const { input: request, jobId, signal, progress } = context
  requireDatabase(db)
  const id = request.collectionId
  const condition = id === null ? undefined : eq(collections.id, id)
  for (const { name, path } of db.orm.select().from(collections).where(condition).all()) {
    // Otherwise all of its files would be reported as missing.
    if (rootState(path).kind !== 'present')
      throw new Failure('safetyStop', sentence`The directory of '${name}' (${path}) is not there. Is its disk mounted?`)
  }
  const total = db.get(filesToVerify, id, id)?.n ?? 0
  let { after, counts } = positionOf(db, request)
  progress({ done: counts.checked, total, counts: { ...counts } })
  for (;;) {
    const rows = db.all(nextFilesToVerify, after, id, id)
    if (rows.length === 0) break
    const inspected: { row: FileRow; fault: ReturnType<typeof faultOf> }[] = []
    for (const row of rows) {
      signal.throwIfAborted()
      inspected.push({ row, fault: faultOf(disk, row) })
      counts = { ...counts, checked: counts.checked + 1 }
      progress({ done: counts.checked, message: displayPath(row.path, displayName(row.name)) })
      await Bun.sleep(0)
    }
    for (const { fault } of inspected) {
      const name = fault === null ? null : verifyCodes[fault.code]
      if (name !== null) counts = { ...counts, [name]: (counts[name] ?? 0) + 1 }
    }
    after = rows.at(-1)?.id ?? after
    await db.transact({ userId: null }, tx => {
      for (const { row, fault } of inspected) noteFault(tx, row, fault, jobId, clock.now())
      setChoice(tx, positionName(request), { after, counts })
    })
    progress({ done: counts.checked, counts: { ...counts } })
  }
  await db.transact({ userId: null }, tx => setChoice(tx, positionName(request), null))
  const problems = counts.changed + counts.rotten + counts.missing + counts.unreadable
  return { state: 'done', message: '', problems }
}

function noteFault(tx: Transaction, row: FileRow, fault: ReturnType<typeof faultOf>, jobId: number, at: number): void {
  const { itemId, collectionId } = row
  const path = displayPath(row.path, displayName(row.name))
  const isOfFile = and(eq(problems.collectionId, collectionId), eq(problems.path, path))
  const isOld = and(isOfFile, like(problems.code, 'verify-%'))
  tx.orm.delete(problems).where(isOld).run()
  if (fault !== null)
    tx.orm
      .insert(problems)
      .values({ jobId, collectionId, itemId, path, ...fault, at })
      .run()
}

/** Requests verification; returns the job. For global admins. */
export function startVerify({ jobs }: { jobs: Jobs }, viewer: Viewer, request: VerifyInput): Promise<number> {
  requireGlobalAdmin(viewer)
  return jobs.enqueue(viewer, 'verify', request)
}

export function verifyJob(parts: VerifyParts): JobKind {
  return jobKind({
    kind: 'verify',
    input,
    lane: positionName,
    collectionId: ({ collectionId }) => collectionId,
    run: context => run(parts, context),
  })
}
