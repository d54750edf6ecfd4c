/** Files whose bytes changed while size and time did not: disk damage, not an edit. */
import type { Transaction } from '../kernel/database/database.ts'
import { isWholeKey } from '../media/decode/content-key.ts'
import { displayPath, type FoundUnit } from '../survey/found-unit.ts'

/** Problem code, used by `verify` and by scans. */
export const rotCode = 'verify-rot'

/** Text of the problem. */
export const rotReason =
  'Its content has changed, though its size and time are as they were: the disk may have damaged it. Restore it from a backup and verify again. If the change is wanted, give the file a new time (touch) and scan.'

interface FileRow {
  content: string | null
  size: number
  mtime: number
  mtime_ns: number
}

/**
 * Compares a unit that was read with the rows of its files, within the transaction that saves it. Returns true when the
 * main file is damaged: then the unit must not be saved, and the problem is written here. A damaged companion keeps its
 * known content, and its problem is saved with the unit's others. So is a problem that only `verify` can clear, because the
 * key of a large file is made of samples.
 */
export function isRotten(tx: Transaction, unit: FoundUnit, stamp: { jobId: number; nowMs: number }): boolean {
  for (const member of unit.files) {
    const { file, role, content } = member
    if (content === null) continue
    const row = tx.get<FileRow>(
      'SELECT content, size, mtime, mtime_ns FROM files WHERE dir_id = ? AND name_bytes = ?',
      unit.dirId,
      Buffer.from(file.raw, 'latin1'),
    )
    if (row === null || row.content === null || row.content === '') continue
    const { size, mtime, mtime_ns } = row
    if (size !== file.size || mtime !== file.mtimeSeconds || mtime_ns !== file.mtimeNanoseconds) continue
    const path = displayPath(unit.dirPath, file.name)
    if (row.content === content) {
      if (!isWholeKey(size) && isNoted(tx, unit.collectionId, path)) tell(unit, file.raw)
    } else if (role === 'main') {
      note(tx, unit, path, stamp)
      return true
    } else {
      member.content = row.content
      tell(unit, file.raw)
    }
  }
  return false
}

function tell({ problems }: FoundUnit, raw: string): void {
  if (!problems.some(problem => problem.raw === raw && problem.code === rotCode))
    problems.push({ raw, code: rotCode, reason: rotReason })
}

function isNoted(tx: Transaction, collectionId: number, path: string): boolean {
  return (
    tx.get('SELECT 1 FROM problems WHERE collection_id = ? AND path = ? AND code = ?', collectionId, path, rotCode) !==
    null
  )
}

function note(tx: Transaction, unit: FoundUnit, path: string, { jobId, nowMs }: { jobId: number; nowMs: number }) {
  const [main] = unit.files
  const item = tx.get<{ item_id: number | null }>(
    'SELECT item_id FROM files WHERE dir_id = ? AND name_bytes = ?',
    unit.dirId,
    Buffer.from(main?.file.raw ?? '', 'latin1'),
  )
  tx.run(
    `INSERT INTO problems (job_id, collection_id, item_id, path, code, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (collection_id, path, code) DO UPDATE SET reason = excluded.reason`,
    jobId,
    unit.collectionId,
    item?.item_id ?? null,
    path,
    rotCode,
    rotReason,
    nowMs,
  )
}
