/** What work on files would do, without doing it: for `--dry-run`. */
import type { PlannedReadings, Planner } from '../../schema/api/plans.ts'
import { Failure } from '../../schema/errors.ts'
import { notFound, rightsOn, terminalViewer, type Viewer } from '../accounts/access.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import { requireCollectionsApart } from '../collections/apart.ts'
import type { Collections } from '../collections/collections.ts'
import { hiddenFrom } from '../filter/hidden-items.ts'
import { type ImportPlanParts, type ImportRequest, planImport } from '../moving/import-plan.ts'
import { transferPlan } from '../moving/transfer-job.ts'
import type { ScanParts } from '../scan/scan-job.ts'
import { maySeeFileNames } from '../work/jobs.ts'
import { planExport } from '../write-back/export-plan.ts'
import { planReading } from '../write-back/import-plan.ts'
import { forecast } from './forecast.ts'

/** A path below a collection's directory. */
const wholeCollection = Buffer.alloc(0)

export function createPlans(parts: ScanParts & ImportPlanParts & { collections: Collections; rights: RightsTable }) {
  const { collections, db, rights } = parts

  function as(viewer: Viewer): Planner {
    const isShown = (item: number) => hiddenFrom(db, viewer, [item]).size === 0
    return {
      async scan({ collection, ...options }, { signal, report }) {
        const row = collections.requireRight(viewer, collection, 'admin')
        requireCollectionsApart(parts.data, [row])
        // While a keystring hides items, only viewers who may see hidden items get names of files.
        const maySeeFiles = maySeeFileNames(db, viewer)
        const seen = await forecast(
          db,
          row,
          { below: wholeCollection, ...options, signal, maySeeCollection: id => rightsOn(viewer, id).view },
          change => {
            if (maySeeFiles) report(change)
          },
        )
        return maySeeFiles ? seen : { ...seen, unreadable: [] }
      },
      async transfer({ collection, items }, { signal, report }) {
        for (const plan of await transferPlan(parts, viewer, collection, items)) report(plan)
        signal.throwIfAborted()
        return {}
      },
      import: ({ collection: id, other: otherId }, { signal, report }) =>
        planImport(parts, viewer, { id, otherId }, { signal, report: ({ place: _, ...copy }) => report(copy) }),
      async importMetadata({ collection }, { signal, report }) {
        const row = collections.requireRight(viewer, collection, 'admin')
        requireCollectionsApart(parts.data, [row])
        const files: PlannedReadings['unreadable'] = []
        for await (const reading of planReading(parts, row, { signal, onUnreadable: file => void files.push(file) }))
          if (isShown(reading.item)) report(reading)
        // A metadata import is a scan, with the same safety stop.
        const request = { below: wholeCollection, full: true, acceptMissing: false, signal }
        const { stop, unreadable } = await forecast(db, row, request, () => {})
        if (stop !== null) throw new Failure('safetyStop', stop)
        return { unreadable: maySeeFileNames(db, viewer) ? [...unreadable, ...files] : [] }
      },
      async exportMetadata({ collection }, { signal, report }) {
        const { id } = collections.requireRight(viewer, collection, 'admin')
        for await (const write of planExport(parts, id, signal)) if (isShown(write.item)) report(write)
        return {}
      },
    }
  }

  return {
    as,
    /** Returns the planner of a user with the unlock value of their session. `userId` null means the terminal. */
    asUser(userId: number | null, unlockValue: string | null): Planner {
      const user = userId === null ? terminalViewer : viewerOfUser(db, rights, userId)
      if (user === null) throw notFound()
      return as({ ...user, unlockValue })
    },
    /** Also plans the import of a directory of this machine. */
    import: (viewer: Viewer, request: ImportRequest, options: Parameters<typeof planImport>[3]) =>
      planImport(parts, viewer, request, options),
  }
}
