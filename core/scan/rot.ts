/** Files whose bytes changed while size and time did not: disk damage, not an edit. */
import { and, eq } from 'drizzle-orm'
import { problems } from '../../schema/tables/jobs.ts'
import { bytesOfRaw } from '../files/names.ts'
import type { Transaction } from '../kernel/database/database.ts'
import { isWholeKey } from '../media/decode/content-key.ts'
import { displayPath, type FoundUnit } from '../survey/found-unit.ts'
import { isSame } from '../survey/reconcile.ts'
import { fileAt } from './unit-files.sql.ts'

/** Problem code, used by `verify` and by scans. */
export const rotCode = 'verify-rot'

export const rotReason =
  'Its content has changed, though its size and time are as they were: the disk may have damaged it. Restore it from a backup and verify again. If the change is wanted, give the file a new time (touch) and scan.'

/**
 * Compares a unit with the rows of its files, within the transaction that saves it. True if the main file is damaged:
 * then the unit must not be saved, and its problem is written here. Other damaged files keep their known content. Known
 * damage of a large file is reported again: its key is made of samples, so only `verify` can clear the problem.
 */
export function isRotten(tx: Transaction, unit: FoundUnit, stamp: { jobId: number; nowMs: number }): boolean {
  for (const member of unit.files) {
    const { file, role, content } = member
    if (content === null) continue
    const row = tx.get(fileAt, unit.dirId, bytesOfRaw(file.raw))
    if (row === null || row.content === null || row.content === '') continue
    if (!isSame(row, file)) continue
    const path = displayPath(unit.dirPath, file.name)
    if (row.content === content) {
      if (!isWholeKey(row.size) && isRecorded(tx, unit.collectionId, path)) reportDamage(unit, file.raw)
    } else if (role === 'main') {
      recordDamage(tx, unit, { itemId: row.itemId, path }, stamp)
      return true
    } else {
      member.content = row.content
      reportDamage(unit, file.raw)
    }
  }
  return false
}

function reportDamage({ problems }: FoundUnit, raw: string): void {
  if (!problems.some(problem => problem.raw === raw && problem.code === rotCode))
    problems.push({ raw, code: rotCode, reason: rotReason })
}

function isRecorded({ orm }: Transaction, collectionId: number, path: string): boolean {
  const recorded = and(eq(problems.collectionId, collectionId), eq(problems.path, path), eq(problems.code, rotCode))
  return orm.select().from(problems).where(recorded).get() !== undefined
}

function recordDamage(
  { orm }: Transaction,
  { collectionId }: FoundUnit,
  file: { itemId: number | null; path: string },
  { jobId, nowMs }: { jobId: number; nowMs: number },
) {
  orm
    .insert(problems)
    .values({ ...file, jobId, collectionId, code: rotCode, reason: rotReason, at: nowMs })
    .onConflictDoUpdate({
      target: [problems.collectionId, problems.path, problems.code],
      set: { reason: rotReason },
    })
    .run()
}
