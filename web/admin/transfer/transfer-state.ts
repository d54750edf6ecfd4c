/** Moves the selection into another collection: the target, and the job until its end. */

import { computed, signal } from '@preact/signals-react'
import { limits } from '../../../schema/limits.ts'
import { api } from '../../api.ts'
import { ownCollections } from '../../app/collections.ts'
import { filter } from '../../app/current-filter.ts'
import { followJob } from '../../app/jobs/follow-job.ts'
import { cancelJob } from '../../app/jobs/jobs.ts'
import { attempt, say } from '../../app/messages.ts'
import { reloadItemsAndWords } from '../../items/reload-items-and-words.ts'
import { deselect, selected } from '../../items/selection/selection.ts'
import { offerUndo } from '../../items/undo.ts'
import { adminTexts } from '../../texts/admin.ts'
import { filesTexts } from '../../texts/files.ts'
import { serverMessage } from '../../texts/language/server-message.ts'

/** The target; null until it is chosen. */
export const destinationId = signal<number | null>(null)

/** Collections that the user may add to. */
export const destinations = computed(() => ownCollections.value.filter(one => one.rights.create && !one.readonly))
export const destination = computed(() => destinations.value.find(({ id }) => id === destinationId.value) ?? null)

/** Items per page: 100 while only one collection is shown, else 10. */
export const transferPageSize = computed(() =>
  filter.value.collection === 0 ? limits.pageSize : limits.transferPageSize,
)

/** Why the transfer cannot start; '' if it can. */
export const transferFault = computed(() => {
  const count = selected.value.size
  if (count === 0) return adminTexts.selectItemsInTheTable
  if (destination.value === null) return filesTexts.chooseWhereTheyGo
  if (destination.value.id === filter.value.collection) return filesTexts.alreadyThere
  const fixed = ownCollections.value.find(
    ({ id, readonly }) => readonly && [...selected.value.values()].some(item => item.collection_id === id),
  )
  if (fixed !== undefined) return filesTexts.sourceIsReadOnly({ name: fixed.name })
  if (count > limits.maxTransferItems) return filesTexts.atMostItemsAtOnce({ most: limits.maxTransferItems })
  return ''
})

export interface TransferRun {
  /** Name of the target. */
  into: string
  done: number
  total: number
  /** Null until the server has accepted the job. */
  job: number | null
  stopping: boolean
}

/** The present run; it continues on other screens. */
export const transferRun = signal<TransferRun | null>(null)

function updateRun(change: Partial<TransferRun>): void {
  if (transferRun.value !== null) transferRun.value = { ...transferRun.value, ...change }
}

/** Transfers the selected items, waits until the job has ended, and deselects those that it has processed. */
export async function startTransfer(): Promise<void> {
  const into = destination.peek()
  if (into === null || transferFault.peek() !== '' || transferRun.peek() !== null) return
  const ids = [...selected.peek().keys()]
  transferRun.value = { into: into.name, done: 0, total: ids.length, job: null, stopping: false }
  await attempt(filesTexts.failedToStartTransferring, async () => {
    const { taskid, step } = await api.collections.transfer({ params: { id: into.id }, body: { items: ids } })
    updateRun({ job: taskid })
    const job = await followJob(taskid, ({ done }) => updateRun({ done }))
    const { moved = 0, failed = 0 } = job.counts
    // The job processes the items in this order.
    deselect(job.state === 'done' ? ids : ids.slice(0, job.done))
    const detail = [failed > 0 ? filesTexts.itemsCouldNotBeMoved({ count: failed }) : '', serverMessage(job.message)]
      .filter(text => text !== '')
      .join('. ')
    if (job.state === 'failed') say(filesTexts.transferFailed, serverMessage(job.error ?? ''))
    if (moved > 0) offerUndo(filesTexts.itemsMovedTo({ count: moved, name: into.name }), step, { detail })
    else if (job.state === 'done') say(filesTexts.nothingWasMoved, detail)
    await reloadItemsAndWords()
  })
  transferRun.value = null
}

export function stopTransfer(): void {
  const { job = null } = transferRun.peek() ?? {}
  if (job === null) return
  updateRun({ stopping: true })
  void cancelJob(job, filesTexts.failedToStopTheTransfer)
}
