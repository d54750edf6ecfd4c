/** Undoing a step of the history: offered in the toast that tells what was done, and wherever steps are listed. */
import { api } from '../api.ts'
import { plural } from './dates.ts'
import { everythingAnew } from './everything-anew.ts'
import { followJob } from './follow-job.ts'
import { cancelJob } from './jobs.ts'
import { report, say } from './messages.ts'
import { leftText } from './undo-text.ts'
import { type Work, work } from './work.ts'

/** What is said when it is undone; `count`: entries of the step that were. */
type Words = (count: number) => string

/** Undoes a step and tells how it ended. True when nothing of it is left. */
export async function undoStep(step: string, words: Words = () => 'Undone'): Promise<boolean> {
  let shown: Work | null = null
  try {
    const { taskid } = await api.history.undo({ params: { step }, body: {} })
    const stop = () => void cancelJob(taskid, 'Failed to stop undoing')
    const job = await followJob(taskid, ({ done, total }) => {
      if (total === null || total < 2) return
      shown = { text: 'Undoing', done, total, stop }
      work.value = shown
    })
    const { undone = 0 } = job.counts
    const left = leftText(job.counts)
    await everythingAnew()
    if (job.state === 'failed') say('Failed to undo', job.error ?? '')
    else if (job.state === 'cancelled') say('Undoing was stopped', `${plural(undone, 'change')} undone`)
    else if (undone > 0 || left === '') say(words(undone), left)
    else say('Nothing could be undone', left)
    return job.state === 'done' && left === ''
  } catch (error) {
    report(error, 'Failed to undo')
    return false
  } finally {
    if (shown !== null && work.peek() === shown) work.value = null
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
