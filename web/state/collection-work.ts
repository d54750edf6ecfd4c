/** What is done to a collection as a whole: sorted, its metadata read and written, filled from another, told as CSV. */
import { byteRoutes } from '../../schema/api/bytes.ts'
import type { Collection } from '../../schema/api/collections.ts'
import { api, base, refusalAt } from '../api.ts'
import { saveAs } from './download.ts'
import { includeHidden } from './hidden.ts'
import { heardJob } from './jobs.ts'
import { report } from './messages.ts'

/** Starts a job; true when it has begun. Its row is shown at once, also to those whom no message reaches. */
async function begin(start: () => Promise<{ taskid: number }>, failure: string): Promise<boolean> {
  try {
    const { taskid } = await start()
    await api.jobs.get({ params: { id: taskid } }).then(heardJob, () => {})
    return true
  } catch (error) {
    report(error, failure)
    return false
  }
}

export interface SortPlan {
  /** From where to where, relative to the collection. */
  moves: readonly { item: number; from: string; to: string }[]
  /** What stays where it is, and why. */
  stays: readonly { item: number; from: string; reason: string }[]
}

/** What a sort would do; null when that could not be found out. */
export async function sortPlanOf(id: number, { guess }: { guess: boolean }): Promise<SortPlan | null> {
  const hidden = includeHidden.peek()
  try {
    const { moves } = await api.collections.sortPlan({
      params: { id },
      query: { ...(guess ? { guess } : {}), ...(hidden === '' ? {} : { includeHidden: hidden }) },
    })
    return {
      moves: moves.flatMap(({ item, from, to }) => (to === null ? [] : [{ item, from, to }])),
      stays: moves.flatMap(({ item, from, to, reason }) => (to === null ? [{ item, from, reason }] : [])),
    }
  } catch (error) {
    report(error, 'Failed to sort collection')
    return null
  }
}

export function sortCollection(id: number, { guess }: { guess: boolean }): Promise<boolean> {
  const query = guess ? { guess } : {}
  return begin(() => api.collections.sort({ params: { id }, query }), 'Failed to sort collection')
}

export function importMetadata(id: number): Promise<boolean> {
  return begin(() => api.collections.importMetadata({ params: { id } }), 'Failed to import metadata for collection')
}

export function exportMetadata(id: number): Promise<boolean> {
  return begin(() => api.collections.exportMetadata({ params: { id } }), 'Failed to export metadata for collection')
}

/** Copies into a collection what it lacks of another one. */
export function importCollection(id: number, otherId: number): Promise<boolean> {
  return begin(() => api.collections.import({ params: { id, otherId } }), 'Failed to import collection')
}

/** Saves all that is known of its items as `name.csv`. */
export async function exportCollection({ id, name }: Pick<Collection, 'id' | 'name'>): Promise<void> {
  const hidden = includeHidden.peek()
  const query = hidden === '' ? '' : `?${new URLSearchParams({ includeHidden: hidden })}`
  const address = base.peek() + byteRoutes.exportCollection.path.replace(':id', String(id)) + query
  try {
    // Browsers tell nobody why a download failed: it is asked for once before it begins.
    const refusal = await refusalAt(address)
    if (refusal !== null) throw refusal
    saveAs(address, `${name}.csv`)
  } catch (error) {
    report(error, 'Failed to export collection')
  }
}
