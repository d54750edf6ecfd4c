/** Steps of the history, newest first, as many as have been loaded. */
import type { HistoryStep } from '../../../schema/api/history.ts'
import { api } from '../../api.ts'
import { createLoading, type LoadOptions } from '../../app/loading/resource.ts'
import { attemptValue } from '../../app/messages.ts'
import { userSignal } from '../../app/user-data.ts'
import { jobsTexts } from '../../texts/jobs.ts'

export interface LoadedSteps {
  collection: number
  steps: readonly HistoryStep[]
  /** Cursor for older steps; null if all are loaded. */
  next: number | null
}

export const history = userSignal<LoadedSteps | null>(null)
const loading = createLoading(jobsTexts.failedToLoadTheHistory)
export const historyFailed = loading.failed

function request(collection: number, before: number | null) {
  return api.history.list({ params: { collectionId: collection }, query: before === null ? {} : { before } })
}

/** Loads the newest steps, as many as were shown before, so that the list does not get shorter. */
export async function loadHistory(collection: number, how?: LoadOptions): Promise<void> {
  const { value: known } = history
  const minCount = known?.collection === collection ? known.steps.length : 0
  await loading.load(
    async () => {
      let { steps, next } = await request(collection, null)
      while (next !== null && steps.length < minCount) {
        const older = await request(collection, next)
        steps = [...steps, ...older.steps]
        next = older.next
      }
      return { collection, steps, next }
    },
    loaded => {
      history.value = loaded
    },
    how,
  )
}

export async function loadMoreHistory(): Promise<void> {
  const { value: known } = history
  if (known === null || known.next === null) return
  const older = await attemptValue(jobsTexts.failedToLoadTheHistory, () => request(known.collection, known.next))
  if (older !== null && history.value === known) {
    history.value = { ...known, steps: [...known.steps, ...older.steps], next: older.next }
  }
}
