/** Work on a whole collection: sort, metadata, import from another, CSV. */
import { addressOf, bytePaths } from '../../../schema/addresses.ts'
import type { Collection } from '../../../schema/api/collections.ts'
import type { Job } from '../../../schema/api/jobs.ts'
import { api, base, refusalAt } from '../../api.ts'
import { hiddenQuery, includeHidden } from '../../app/hidden.ts'
import { followJob } from '../../app/jobs/follow-job.ts'
import { receiveJob } from '../../app/jobs/jobs.ts'
import { attempt, attemptValue, report } from '../../app/messages.ts'
import { offerUndo } from '../../items/undo.ts'
import { saveAs } from '../../kit/save-as.ts'
import { collectionsTexts } from '../../texts/collections.ts'

/** Starts a job and loads its row, to show it at once even if no event arrives. Returns null on failure. */
async function startJob<Started extends { taskid: number }>(
  start: () => Promise<Started>,
  failure: string,
): Promise<Started | null> {
  return attemptValue(failure, async () => {
    const started = await start()
    await api.jobs.get({ params: { id: started.taskid } }).then(receiveJob, () => {})
    return started
  })
}

const tryStartJob = async (start: () => Promise<{ taskid: number }>, failure: string) =>
  (await startJob(start, failure)) !== null

export interface SortPlan {
  /** Paths relative to the collection. */
  moves: readonly { item: number; from: string; to: string }[]
  /** Items that are not moved, and why. */
  stays: readonly { item: number; from: string; reason: string }[]
}

/** The plan of a sort; null if it could not be made. */
export async function sortPlanOf(id: number, { guess }: { guess: boolean }): Promise<SortPlan | null> {
  return attemptValue(collectionsTexts.failedToSortCollection, async () => {
    const { moves } = await api.collections.sortPlan({
      params: { id },
      query: { ...(guess ? { guess } : {}), ...hiddenQuery() },
    })
    return {
      moves: moves.flatMap(({ item, from, to }) => (to === null ? [] : [{ item, from, to }])),
      stays: moves.flatMap(({ item, from, to, reason }) => (to === null ? [{ item, from, reason }] : [])),
    }
  })
}

/** Returns true if the sort has started; when it ends, Undo is offered. */
export async function sortCollection(id: number, { guess }: { guess: boolean }): Promise<boolean> {
  const query = guess ? { guess } : {}
  const started = await startJob(
    () => api.collections.sort({ params: { id }, query }),
    collectionsTexts.failedToSortCollection,
  )
  if (started === null) return false
  const offer = ({ counts: { moved = 0 } }: Job) => {
    if (moved > 0) offerUndo(collectionsTexts.itemSortedCount({ count: moved }), started.step)
  }
  followJob(started.taskid, () => {}).then(offer, error => report(error, collectionsTexts.failedToSortCollection))
  return true
}

export function importMetadata(id: number): Promise<boolean> {
  return tryStartJob(() => api.collections.importMetadata({ params: { id } }), collectionsTexts.failedToImportMetadata)
}

export function exportMetadata(id: number): Promise<boolean> {
  return tryStartJob(() => api.collections.exportMetadata({ params: { id } }), collectionsTexts.failedToExportMetadata)
}

export function importCollection(id: number, otherId: number): Promise<boolean> {
  return tryStartJob(
    () => api.collections.import({ params: { id, otherId } }),
    collectionsTexts.failedToImportCollection,
  )
}

/** Saves the metadata of the collection's items as `name.csv`. */
export async function exportCollection({ id, name }: Pick<Collection, 'id' | 'name'>): Promise<void> {
  const hidden = includeHidden.peek() || undefined
  const address = base.peek() + addressOf(bytePaths.exportCollection, { id }, { includeHidden: hidden })
  await attempt(collectionsTexts.failedToExportCollection, async () => {
    // Browsers do not say why a download failed, so the address is checked first.
    const refusal = await refusalAt(address)
    if (refusal !== null) throw refusal
    saveAs(address, `${name}.csv`)
  })
}
