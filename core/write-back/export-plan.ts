/** What a metadata export would write, computed without writing anything: for `--dry-run`. */
import type { PlannedWrite } from '../../schema/api/plans.ts'
import { createDisk } from '../files/disk.ts'
import { displayRaw } from '../files/names.ts'
import type { ScanParts } from '../scan/scan-job.ts'
import { displayPath } from '../survey/found-unit.ts'
import { createInspector, requireWritableRoot } from './export-job.ts'
import type { Inspection } from './plan-item.ts'

function resultOf(found: Inspection): Pick<PlannedWrite, 'result' | 'reason'> {
  switch (found.kind) {
    case 'same':
      return { result: 'unchanged', reason: '' }
    case 'write':
      return { result: 'written', reason: [found.item.beside, found.item.shortfall].filter(Boolean).join(' ') }
    case 'unrepresentable':
      return { result: 'failed', reason: found.reason }
    default:
      return { result: found.kind, reason: found.reason }
  }
}

/** Inspects each item of a collection like an export. The caller checks rights. */
export async function* planExport(
  parts: ScanParts,
  collectionId: number,
  signal: AbortSignal,
): AsyncGenerator<PlannedWrite> {
  const collection = requireWritableRoot(parts.db, collectionId)
  const inspector = createInspector(parts, createDisk(), collection)
  try {
    for await (const { row, found } of inspector.all(false, signal)) {
      const { dirPath: path } = row
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
    await inspector.close()
  }
}
