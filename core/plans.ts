/** What work on files would do, found out without doing it: what `--dry-run` shows. */
import type { Viewer } from './access.ts'
import type { Collections } from './collections.ts'
import { type ImportPlanParts, type ImportWish, planImport } from './moving/import-plan.ts'
import { transferPlan } from './moving/transfer-job.ts'
import type { ScanParts } from './scan/scan-job.ts'
import { planExport } from './write-back/export-plan.ts'
import { planReading } from './write-back/import-plan.ts'

export function createPlans(parts: ScanParts & ImportPlanParts & { collections: Collections }) {
  const { collections } = parts
  return {
    import: (viewer: Viewer, wish: ImportWish, options: Parameters<typeof planImport>[3]) =>
      planImport(parts, viewer, wish, options),
    transfer: (viewer: Viewer, id: number, items: readonly number[]) => transferPlan(parts, viewer, id, items),
    exportMetadata: (viewer: Viewer, id: number, signal: AbortSignal) =>
      planExport(parts, collections.demand(viewer, id, 'admin').id, signal),
    importMetadata: (viewer: Viewer, id: number, signal: AbortSignal) =>
      planReading(parts, collections.demand(viewer, id, 'admin'), signal),
  }
}

export type Plans = ReturnType<typeof createPlans>
