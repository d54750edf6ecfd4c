/** What an import would copy, computed without writing anything: for `--dry-run`. */
import { showsHiddenTo, type Viewer } from '../accounts/access.ts'
import type { Items } from '../items/items.ts'
import { createSameContent } from '../items/same-content.ts'
import { importCollection } from './import-collection.ts'
import { importDirectory } from './import-directory.ts'
import { requireDirectoryImport, requireImport } from './import-job.ts'
import { createImportPlanner, type ImportCounts, type PlannedUnit } from './import-units.ts'
import type { MovingParts } from './move-files.ts'
import { sideOf } from './sides.ts'

export interface ImportPlanParts extends Omit<MovingParts, 'journal' | 'log' | 'mover'> {
  items: Items
  data: string
}

/** The source of an import into collection `id`: another collection, or a directory (absolute). */
export type ImportRequest = { id: number } & ({ otherId: number } | { directory: string; guess?: boolean })

/** Reports each item that would be copied or cannot be copied. Returns counts, and the reasons for skipping the rest. */
export async function planImport(
  parts: ImportPlanParts,
  viewer: Viewer,
  request: ImportRequest,
  { signal, report }: { signal: AbortSignal; report: (copy: PlannedUnit) => void },
): Promise<{ counts: ImportCounts; message: string }> {
  const { db } = parts
  const { target, other } =
    'otherId' in request
      ? requireImport(db, viewer, request)
      : { target: requireDirectoryImport(parts, viewer, request), other: null }
  const importer = createImportPlanner(sideOf(db, target), report)
  const findItemWithContent = createSameContent({ ...parts, storesHashes: false })
  const importing = { ...parts, findItemWithContent, importer, signal, onDone() {} }
  if (other !== null) await importCollection(importing, viewer, target, other, showsHiddenTo(viewer))
  else if ('directory' in request) await importDirectory(importing, target, { guess: false, ...request, jobId: null })
  return { counts: importer.counts, message: importer.message() }
}
