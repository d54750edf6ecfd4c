/** Changes many items as one step, which can be undone. */
import type { Item } from '../../../schema/api/items.ts'
import { api } from '../../api.ts'
import { hiddenQuery } from '../../app/hidden.ts'
import { followWork } from '../../app/jobs/follow-job.ts'
import { attempt, attemptValue, say } from '../../app/messages.ts'
import { reloadItemsAndWords } from '../../items/reload-items-and-words.ts'
import { deselect } from '../../items/selection/selection.ts'
import { offerUndo } from '../../items/undo.ts'
import { adminTexts } from '../../texts/admin.ts'
import { manyTexts } from '../../texts/many-items.ts'
import { taggedText } from '../tagging/tag-plan.ts'

export interface ManyChange {
  tagName: 'Keywords' | 'Category' | 'People' | 'Rating' | 'Description' | 'DateTimeOriginal' | 'Locations'
  mode: 'set' | 'add' | 'remove' | 'shift'
  data: unknown
}

interface ChangeTexts {
  /** Shown when the change fails. */
  failure: string
  /** The text of the toast with Undo; `count`: how many items were changed. */
  done: (count: number) => string
}

async function followChange(
  { taskid, step }: { taskid: number; step: string },
  ids: readonly number[],
  { failure, done }: ChangeTexts,
): Promise<void> {
  const how = { text: manyTexts.changing, failure: manyTexts.failedToStop, total: ids.length }
  const job = await followWork(taskid, how)
  // The selection keeps copies of the items with their old tags, so deselect them, as Bulk Tag does.
  deselect(job.state === 'done' ? ids : ids.slice(0, job.done))
  const { changed = 0 } = job.counts
  const { detail } = taggedText(job.counts)
  if (job.state === 'failed') say(failure, job.error ?? '')
  if (changed > 0) offerUndo(done(changed), step, { detail })
  else if (job.state === 'done') say(adminTexts.nothingChanged, detail)
  await reloadItemsAndWords()
}

/** Starts a change; its end is shown as a toast. Returns false if the server refused it, which is reported. */
export async function changeMany(
  items: readonly Item[],
  changes: readonly ManyChange[],
  words: ChangeTexts,
): Promise<boolean> {
  const ids = items.map(({ id }) => id)
  const started = await attemptValue(words.failure, () =>
    api.tags.bulk({ query: hiddenQuery(), body: { items: ids, changes: [...changes] } }),
  )
  if (started === null) return false
  void attempt(words.failure, () => followChange(started, ids, words))
  return true
}
