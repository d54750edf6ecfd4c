/** What an import would copy, found out without writing anything: for `--dry-run`. */
import type { Viewer } from '../accounts/access.ts'
import type { Disk } from '../files/disk.ts'
import type { Items } from '../items/items.ts'
import { createSameContent } from '../items/same-content.ts'
import type { Clock } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { importCollection } from './import-collection.ts'
import { importDirectory } from './import-directory.ts'
import { demandDirectoryImport, demandImport } from './import-job.ts'
import { createImportPlanner, type ImportCounts, type PlannedUnit } from './import-units.ts'
import { sideOf } from './sort-plan.ts'

export interface ImportPlanParts {
  db: LibraryDatabase
  clock: Clock
  disk: Disk
  items: Items
  cache: string
  data: string
  openPool: (low: boolean) => DecodePool
}

/** What is copied into collection `id`: another collection, or a directory (absolute). */
export type ImportWish = { id: number } & ({ otherId: number } | { directory: string; guess?: boolean })

/** Tells of each file that would be copied, or can't be; answers how many, and why others would be skipped. */
export async function planImport(
  parts: ImportPlanParts,
  viewer: Viewer,
  wish: ImportWish,
  { signal, tell }: { signal: AbortSignal; tell: (copy: PlannedUnit) => void },
): Promise<{ counts: ImportCounts; message: string }> {
  const { db } = parts
  const itemWith = createSameContent({ ...parts, remembers: false })
  if ('otherId' in wish) {
    const { target, other } = demandImport(db, viewer, wish)
    const importer = createImportPlanner(sideOf(db, target), tell)
    const showsHidden = viewer.kind === 'terminal' || viewer.unlockValue !== null
    const whole = { ...parts, itemWith, importer, now: () => 0, signal, onDone() {} }
    await importCollection(whole, viewer, target, other, showsHidden)
    return { counts: importer.counts, message: importer.message() }
  }
  const { directory, guess = false } = wish
  const target = demandDirectoryImport(parts, viewer, { id: wish.id, directory })
  const importer = createImportPlanner(sideOf(db, target), tell)
  const pool = parts.openPool(true)
  try {
    const whole = { ...parts, pool, itemWith, importer, jobId: 0, guess, renders: false, signal, onDone() {} }
    await importDirectory(whole, target, directory)
  } finally {
    await pool.close()
  }
  return { counts: importer.counts, message: importer.message() }
}
