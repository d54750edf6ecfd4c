/** Tagging the selection: the forms of both tabs, the run and its result. */
import { computed, signal } from '@preact/signals-react'
import { api } from '../../api.ts'
import { hiddenQuery } from '../../app/hidden.ts'
import { followJob } from '../../app/jobs/follow-job.ts'
import { cancelJob } from '../../app/jobs/jobs.ts'
import { report, say } from '../../app/messages.ts'
import { mayUpdateAll } from '../../app/rights.ts'
import { reloadItemsAndWords } from '../../items/reload-items-and-words.ts'
import { deselect, selected } from '../../items/selection/selection.ts'
import { offerUndo } from '../../items/undo.ts'
import { taggingTexts } from '../../texts/admin/tagging.ts'
import {
  type BulkField,
  type BulkForm,
  type BulkTag,
  bulkChanges,
  emptyBulkForm,
  type Replacement,
  replaceChanges,
  replaceCounts,
  replaceFault,
  type TagChange,
  taggedText,
} from './tag-plan.ts'

export const bulkForm = signal<BulkForm>(emptyBulkForm)
export const replacement = signal<Replacement>({ from: [], to: [], category: true, keywords: true })

/** Whether the selection contains an item that the user may not change. */
const hasForbiddenItem = computed(() => !mayUpdateAll([...selected.value.values()]))
const forbiddenText = taggingTexts.mayNotChangeAll

export const bulkFault = computed(() => {
  if (selected.value.size === 0) return taggingTexts.selectItems
  if (hasForbiddenItem.value) return forbiddenText
  return bulkChanges(bulkForm.value).length === 0 ? taggingTexts.chooseChanges : ''
})
export const replacementFault = computed(
  () => replaceFault(replacement.value, selected.value.size) || (hasForbiddenItem.value ? forbiddenText : ''),
)
export const replacementCounts = computed(() => replaceCounts(selected.value.values(), replacement.value))

export function setBulkField(tag: BulkTag, change: Partial<BulkField>): void {
  bulkForm.value = { ...bulkForm.value, [tag]: { ...bulkForm.value[tag], ...change } }
}

export function setReplacement(change: Partial<Replacement>): void {
  replacement.value = { ...replacement.value, ...change }
}

export interface TagRun {
  title: string
  done: number
  total: number
  /** Null until the server has accepted the job. */
  job: number | null
  stopping: boolean
}

/** The present run; null if none. */
export const tagRun = signal<TagRun | null>(null)

function updateRun(change: Partial<TagRun>): void {
  if (tagRun.value !== null) tagRun.value = { ...tagRun.value, ...change }
}

/** Changes the selected items, and deselects each when it is done. Returns true if all of them were processed. */
async function runChanges(title: string, changes: readonly TagChange[]): Promise<boolean> {
  const ids = [...selected.peek().keys()]
  if (ids.length === 0 || tagRun.peek() !== null) return false
  tagRun.value = { title, done: 0, total: ids.length, job: null, stopping: false }
  let deselected = 0
  const deselectUpTo = (done: number) => {
    if (done <= deselected) return
    deselect(ids.slice(deselected, done))
    deselected = done
  }
  try {
    const { taskid, step } = await api.tags.bulk({
      query: hiddenQuery(),
      body: { items: ids, changes: [...changes] },
    })
    updateRun({ job: taskid })
    const job = await followJob(taskid, ({ done }) => {
      deselectUpTo(done)
      updateRun({ done })
    })
    deselectUpTo(job.state === 'done' ? ids.length : job.done)
    const { text, detail } = taggedText(job.counts)
    if (job.state === 'failed') say(taggingTexts.failedToTagItems, job.error ?? '')
    if ((job.counts.changed ?? 0) > 0) offerUndo(text, step, { detail })
    else if (job.state === 'done') say(text, detail)
    await reloadItemsAndWords()
    return job.state === 'done'
  } catch (error) {
    report(error, taggingTexts.failedToTagItems)
    return false
  } finally {
    tagRun.value = null
  }
}

export function stopTagging(): void {
  const { job = null } = tagRun.peek() ?? {}
  if (job === null) return
  updateRun({ stopping: true })
  void cancelJob(job, taggingTexts.failedToStopTagging)
}

/** Starts bulk tagging; keeps the form, because the next items often get the same tags. */
export async function startBulkTag(): Promise<void> {
  if (bulkFault.peek() === '') await runChanges(taggingTexts.taggingPleaseStandBy, bulkChanges(bulkForm.peek()))
}

export async function startReplacing(): Promise<void> {
  if (replacementFault.peek() === '')
    await runChanges(taggingTexts.reTaggingPleaseStandBy, replaceChanges(replacement.peek()))
}
