/** Texts of the screen Jobs, and of the steps of the history, which terminals share. */
import type { HistoryStep } from '../../schema/api/history.ts'
import { messageKey } from '../../schema/figures.ts'
import { stepMessages } from '../../schema/history-words.ts'
import { baseTexts } from './base.ts'
import { texts } from './catalogue.ts'

export const jobsTexts = texts('jobs', {
  failedToLoadTheHistory: 'Failed to load the history',
  partlyUndone: 'Partly undone',
  undoHint: 'Undoing an earlier step keeps later changes.',
  history: 'History',
  change: 'Change',
  by: 'By',
  noChangesYetHint: 'Edits, deletions and moves are listed here, and can be undone.',
  noChangesYet: 'No changes yet',
  showMore: 'Show more',
  job: 'Job',
  started: 'Started',
  duration: 'Duration',
  result: 'Result',
  failedToStopTheJob: 'Failed to stop the job',
  noJobsHint: 'Running and finished jobs are listed here.',
  noJobs: 'No jobs',
  problemCount: {
    one: '{count} problem. The files were left as they are.',
    other: '{count} problems. The files were left as they are.',
  },
  problems: 'Problems',
  file: 'File',
  why: 'Why',
  found: 'Found',
  noProblemsHint: 'Every file could be read and shown.',
  noProblems: 'No problems',
  undoStep: 'Undo: {step}',
})

const steps = texts('steps', stepMessages)
export const stepParts = texts('stepParts', {
  something: 'something',
  withItems: '{step}, {items}',
  undid: 'Undid: {step}',
  thisMachine: 'This machine',
})

/** For example 'Changed tags of 612 items', or 'Undid: Moved 612 items'. */
export function stepName({ operation, items, is_undo }: HistoryStep): string {
  const message = steps[messageKey(steps, operation)]
  const count = items === 0 ? stepParts.something : baseTexts.itemCount({ count: items })
  const change = typeof message === 'string' ? message : message({ items: count })
  const text = typeof message === 'string' && items > 0 ? stepParts.withItems({ step: change, items: count }) : change
  return is_undo && operation !== 'undo' ? stepParts.undid({ step: text }) : text
}

/** The user's name; the machine's terminal has none. */
export const actorName = ({ username }: HistoryStep): string => username ?? stepParts.thisMachine
