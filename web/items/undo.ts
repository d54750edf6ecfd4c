/** Undoing a step of the history: offered in the toast that tells what was done, and wherever steps are listed. */

import { plural } from '../../schema/figures.ts'
import { api } from '../api.ts'
import { followWork } from '../app/jobs/follow-job.ts'
import { report, say } from '../app/messages.ts'
import { reloadEverything } from './reload-everything.ts'
import { leftText } from './undo-text.ts'

/** What is said when it is undone; `count`: entries of the step that were. */
type Words = (count: number) => string

/** Undoes a step and tells how it ended. True when nothing of it is left. */
export async function undoStep(step: string, words: Words = () => 'Undone'): Promise<boolean> {
  try {
    const { taskid } = await api.history.undo({ params: { step }, body: {} })
    const job = await followWork(taskid, { text: 'Undoing', failure: 'Failed to stop undoing' })
    const { undone = 0 } = job.counts
    const left = leftText(job.counts)
    await reloadEverything()
    if (job.state === 'failed') say('Failed to undo', job.error ?? '')
    else if (job.state === 'cancelled') say('Undoing was stopped', `${plural(undone, 'change')} undone`)
    else if (undone > 0 || left === '') say(words(undone), left)
    else say('Nothing could be undone', left)
    return job.state === 'done' && left === ''
  } catch (error) {
    report(error, 'Failed to undo')
    return false
  }
}

/** Tells what was done, and offers the way back. */
export function offerUndo(
  text: string,
  step: string,
  { detail = '', undone }: { detail?: string; undone?: Words } = {},
): void {
  say(text, detail, { text: 'Undo', act: () => void undoStep(step, undone) })
}
