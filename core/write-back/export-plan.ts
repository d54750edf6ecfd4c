/** What a metadata export would write, found out without writing anything: for `--dry-run`. */
import type { PlannedWrite } from '../../schema/api/plans.ts'
import { createDisk } from '../files/disk.ts'
import { displayRaw } from '../files/names.ts'
import type { ScanParts } from '../scan/scan-job.ts'
import { displayPath } from '../survey/found-unit.ts'
import { lookAtDirectory, type MetadataDirectory } from './directory.ts'
import { demandWritableRoot, itemsOf, lazyPool } from './export-job.ts'
import { type Found, lookAtItem } from './look.ts'

function resultOf(found: Found): Pick<PlannedWrite, 'result' | 'reason'> {
  switch (found.kind) {
    case 'same':
      return { result: 'unchanged', reason: '' }
    case 'write':
      return { result: 'written', reason: [found.item.beside, found.item.shortfall].filter(Boolean).join(' ') }
    case 'unsayable':
      return { result: 'failed', reason: found.reason }
    default:
      return { result: found.kind, reason: found.reason }
  }
}

/** Looks at each item of a collection as an export would. Rights are the caller's business. */
export async function* planExport(
  parts: ScanParts,
  collectionId: number,
  signal: AbortSignal,
): AsyncGenerator<PlannedWrite> {
  const collection = demandWritableRoot(parts.db, collectionId)
  const disk = createDisk()
  const pool = lazyPool(parts)
  let directory: MetadataDirectory | string | null = null
  let looked = 0
  try {
    for (const row of itemsOf(parts, collection.id, false)) {
      signal.throwIfAborted()
      const { dirId: id, dirBytes: bytes, dirPath: path } = row
      if (looked !== id) directory = lookAtDirectory(parts.db, collection, { id, bytes, path })
      looked = id
      const found = await lookAtItem({ ...parts, disk, collection, pool: pool.get }, directory, row, null)
      const { result, reason } = resultOf(found)
      const writes = found.kind === 'write' ? found.item.writes : []
      yield {
        item: row.id,
        path: displayPath(path, row.name),
        result,
        files: writes.map(({ raw }) => displayPath(path, displayRaw(raw))),
        reason,
      }
    }
  } finally {
    await pool.close()
  }
}
