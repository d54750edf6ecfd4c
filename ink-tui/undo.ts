/** Undo: `z` undoes this program's steps; in the jobs screen, users choose any step of the history. */
import type { HistoryStep } from '../schema/api/history.ts'
import { figure } from '../schema/figures.ts'
import { actorText, stepText } from '../schema/history-words.ts'
import type { Line } from './line.ts'
import { dayAndTime } from './text.ts'
import type { Ui } from './ui.ts'

/** Maximum number of a step's items that are named. */
const maxNamed = 3
/** Maximum number of steps to choose from. */
const maxChoices = 12

/** Steps that were undone here. `z` does not try them again, even if later changes prevented a part of the undo. */
const undoneSteps = new Set<string>()

/** 'Changed tags of beach.jpg', 'Deleted 612 items'. */
function stepWords(step: HistoryStep): string {
  const words = stepText(step)
  return step.items === 1 && step.item_name !== null ? words.replace(/\b1 item\b/, step.item_name) : words
}

/** Names of the step's items; none for a single item, which the title names. */
function itemLines(ui: Ui, step: HistoryStep): Line[] {
  if (step.items < 2) return []
  const { library, viewer } = ui.session
  const names = library.history.namesOf(viewer, step.step, maxNamed)
  if (names.length === 0) return []
  const more = step.items - names.length
  return [...names.map((name): Line => [name]), ...(more > 0 ? [[`… ${figure(more)} more`]] : [])]
}

async function undoStep(ui: Ui, step: HistoryStep, by: Line[]): Promise<void> {
  const title = `Undo: ${stepWords(step)}?`
  if (!(await ui.confirm({ title, lines: [...by, ...itemLines(ui, step)], yes: 'undo' }))) return
  await ui.session.client.history.undo({ params: { step: step.step } })
  undoneSteps.add(step.step)
  ui.notice('Undone, except what has been changed since; see Jobs.')
}

/** Undoes the newest undoable step of this program; steps of other processes are ignored. */
export async function undoOwn(ui: Ui): Promise<void> {
  const { library, viewer, client, writes } = ui.session
  for (const { step, job } of writes.steps()) {
    if (undoneSteps.has(step)) continue
    const found = library.history.find(viewer, step)
    if (job !== null) {
      const { state } = await client.jobs.get({ params: { id: job } })
      if (state === 'queued' || state === 'running')
        return ui.notice('The last change is still running: press z when it has ended, or stop it in Jobs.')
    }
    if (found?.undoable === true) return undoStep(ui, found, [])
  }
  ui.notice('No change made here can be undone. For other steps: u in Jobs.')
}

/** Lets the user choose any step that can be undone, of any user, and undoes it. */
export async function undoAny(ui: Ui): Promise<void> {
  const { client, library } = ui.session
  const { steps } = await client.history.list({ params: { collectionId: 0 }, query: {} })
  const found = steps.filter(({ undoable }) => undoable)
  if (found.length === 0) return ui.notice('There is nothing to undo.')
  const now = library.clock.now()
  const timeOf = ({ at }: HistoryStep) => dayAndTime(at, now)
  const chosen = await ui.choose({
    title: 'Undo which step?',
    choices: found
      .slice(0, maxChoices)
      .map(step => ({ id: step.step, label: stepWords(step), about: `${actorText(step)}, ${timeOf(step)}` })),
  })
  const step = found.find(one => one.step === chosen)
  if (step !== undefined) await undoStep(ui, step, [[`By ${actorText(step)}, ${timeOf(step)}.`]])
}
