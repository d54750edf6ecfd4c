/** Makes the nightly copy of the database, checks it, and keeps it for a week. */
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq, gt, inArray, ne, or } from 'drizzle-orm'
import { z } from 'zod'
import { Failure, sentence } from '../../../schema/errors.ts'
import { jobs } from '../../../schema/tables/jobs.ts'
import { syncDirectory } from '../../files/anchor.ts'
import { outputFailure } from '../../files/output-paths.ts'
import type { Clock } from '../../kernel/clock.ts'
import { copiesName, copyName, lastCopied, lastNight, listCopies } from '../../kernel/data/copies.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { type JobKind, jobKind } from '../../work/job-kind.ts'
import { databaseSize } from '../exchange.sql.ts'
import { copyDatabase } from './database-copy.ts'

interface CopyParts {
  db: LibraryDatabase
  clock: Clock
  data: string
}

export const copyKind = 'database-copy'
const input = z.object({})

const keptForMs = 7 * 86_400_000
/** How long after a failed copy the next one is made. */
const retryAfterMs = 3_600_000

/** Whether a copy is due: none since last night and none running. A failed one is retried after an hour. */
export function copyIsDue({ db, clock, data }: CopyParts): boolean {
  const now = clock.now()
  if (lastCopied(data, now) >= lastNight(now)) return false
  const isPendingOrFailed = or(
    inArray(jobs.state, ['queued', 'running']),
    and(ne(jobs.state, 'done'), gt(jobs.finishedAt, now - retryAfterMs)),
  )
  const isTried = and(eq(jobs.kind, copyKind), isPendingOrFailed)
  return db.orm.select().from(jobs).where(isTried).limit(1).get() === undefined
}

/** Refuses a copy that would fill the disk: after it, as much space as it takes must still be free. */
function requireSpace(db: LibraryDatabase, directory: string): void {
  const needed = 2 * (db.get(databaseSize)?.bytes ?? 0)
  const { bavail, bsize } = statfsSync(directory)
  if (bavail * bsize >= needed) return
  throw new Failure(
    'noSpace',
    sentence`The database is not copied: ${directory} has ${bavail * bsize} bytes left, and ${needed} are needed. Free some space.`,
  )
}

/** Makes a copy, atomically, then removes those older than a week. Returns the copy's file name. */
function makeCopy({ db, clock, data }: CopyParts): string {
  const directory = join(data, copiesName)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // Only a killed process can have left temporary files: the job's lane allows one copy at a time.
  for (const name of readdirSync(directory)) if (/\.tmp(-journal)?$/.test(name)) rmSync(join(directory, name))
  requireSpace(db, directory)
  const now = clock.now()
  const name = copyName(now)
  const path = join(directory, name)
  const temporary = `${path}.tmp`
  try {
    copyDatabase(db, temporary)
    const file = openSync(temporary, 'r+')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
  syncDirectory(Buffer.from(directory))
  for (const copy of listCopies(data)) if (copy.at < now - keptForMs) rmSync(copy.path)
  return name
}

export function copyJob(parts: CopyParts): JobKind {
  return jobKind({
    kind: copyKind,
    input,
    lane: () => copyKind,
    async run() {
      try {
        return { state: 'done', message: makeCopy(parts) }
      } catch (error) {
        throw outputFailure(error, join(parts.data, copiesName))
      }
    },
  })
}
