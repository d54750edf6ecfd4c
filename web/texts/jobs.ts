/** Texts of the screen Jobs. */
import { texts } from './catalogue.ts'

export const jobsTexts = texts({
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
