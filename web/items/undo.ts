/** Undoes a step of the history, and offers that in a toast. */
import { api } from '../api.ts'
import { followWork } from '../app/jobs/follow-job.ts'
import { report, say } from '../app/messages.ts'
import { baseTexts } from '../texts/base.ts'
import { reloadItemsAndWords } from './reload-items-and-words.ts'
import { notUndoneText } from './undo-text.ts'

/** Returns the text to show after an undo. `count`: how many entries were undone. */
type UndoneText = (count: number) => string

/** Undoes a step and reports the result. Returns true if the undo was complete. */
export async function undoStep(step: string, undoneText: UndoneText = () => baseTexts.undone): Promise<boolean> {
  try {
    const { taskid } = await api.history.undo({ params: { step }, body: {} })
    const job = await followWork(taskid, { text: baseTexts.undoing, failure: baseTexts.failedToStopUndoing })
    const { undone = 0 } = job.counts
    const notUndone = notUndoneText(job.counts)
    await reloadItemsAndWords()
    if (job.state === 'failed') say(baseTexts.failedToUndo, job.error ?? '')
    else if (job.state === 'cancelled') say(baseTexts.undoingWasStopped, baseTexts.changeUndoneCount({ count: undone }))
    else if (undone > 0 || notUndone === '') say(undoneText(undone), notUndone)
    else say(baseTexts.nothingCouldBeUndone, notUndone)
    return job.state === 'done' && notUndone === ''
  } catch (error) {
    report(error, baseTexts.failedToUndo)
    return false
  }
}

/** Shows what was done, with the button Undo. `undone` returns the text to show after the undo. */
export function offerUndo(
  text: string,
  step: string,
  { detail = '', undone }: { detail?: string; undone?: UndoneText } = {},
): void {
  say(text, detail, { text: baseTexts.undo, act: () => void undoStep(step, undone) })
}
