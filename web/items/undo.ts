/** Undoes a step of the history, in toasts and wherever steps are listed. */

import { api } from '../api.ts'
import { followWork } from '../app/jobs/follow-job.ts'
import { report, say } from '../app/messages.ts'
import { baseTexts } from '../texts/base.ts'
import { reloadItemsAndWords } from './reload-items-and-words.ts'
import { leftText } from './undo-text.ts'

/** The text after an undo; `count`: how many entries were undone. */
type Words = (count: number) => string

/** Undoes a step and reports the result. Returns true if the undo was complete. */
export async function undoStep(step: string, words: Words = () => baseTexts.undone): Promise<boolean> {
  try {
    const { taskid } = await api.history.undo({ params: { step }, body: {} })
    const job = await followWork(taskid, { text: baseTexts.undoing, failure: baseTexts.failedToStopUndoing })
    const { undone = 0 } = job.counts
    const left = leftText(job.counts)
    await reloadItemsAndWords()
    if (job.state === 'failed') say(baseTexts.failedToUndo, job.error ?? '')
    else if (job.state === 'cancelled') say(baseTexts.undoingWasStopped, baseTexts.changeUndoneCount({ count: undone }))
    else if (undone > 0 || left === '') say(words(undone), left)
    else say(baseTexts.nothingCouldBeUndone, left)
    return job.state === 'done' && left === ''
  } catch (error) {
    report(error, baseTexts.failedToUndo)
    return false
  }
}

/** Shows what was done, with Undo. */
export function offerUndo(
  text: string,
  step: string,
  { detail = '', undone }: { detail?: string; undone?: Words } = {},
): void {
  say(text, detail, { text: baseTexts.undo, act: () => void undoStep(step, undone) })
}
