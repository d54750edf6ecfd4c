/** Asks before leaving while this program runs jobs, which would pause, or writes exports, which would be lost. */

import { plural } from '../schema/figures.ts'
import type { ForegroundWork } from './foreground-work.ts'
import type { ChooseRequest, Ui } from './ui.ts'

/** Milliseconds between checks whether the awaited work has ended. */
const pollMs = 200

function exportsQuestion(exports: readonly ForegroundWork[]): ChooseRequest {
  return {
    title: `${plural(exports.length, 'export is', 'exports are')} being written by this program.`,
    choices: [
      { id: 'wait', key: 'w', label: 'Wait', about: 'stay until everything is written, then leave' },
      {
        id: 'stop',
        key: 's',
        label: exports.length === 1 ? 'Stop it' : 'Stop them',
        about: 'no partial file is left',
      },
    ],
  }
}

function jobsQuestion(running: number): ChooseRequest {
  return {
    title: `${plural(running, 'job runs', 'jobs run')} in this program.`,
    choices: [
      { id: 'wait', key: 'w', label: 'Wait', about: 'stay until everything is done, then leave' },
      { id: 'later', key: 'l', label: 'Leave for later', about: 'a server, or the next start, continues them' },
      { id: 'stop', key: 's', label: 'Stop them', about: 'finished work is kept' },
    ],
  }
}

/**
 * Returns false if the program stays open: the user wants to stay, or an export failed. Asks everything before it waits
 * for or stops anything.
 */
export async function prepareToLeave(ui: Ui): Promise<boolean> {
  const { jobs } = ui.session
  const { foregroundWork: exports } = ui.get()
  const exportsAnswer = exports.length === 0 ? 'none' : await ui.choose(exportsQuestion(exports))
  if (exportsAnswer === null) return false
  const running = jobs.running().length
  const jobsAnswer = running === 0 ? 'none' : await ui.choose(jobsQuestion(running))
  if (jobsAnswer === null) return false
  if (exportsAnswer === 'stop') for (const { stop } of exports) stop()
  const waitsFor = { exports: exportsAnswer === 'wait' ? exports : [], jobs: jobsAnswer === 'wait' }
  if ((waitsFor.exports.length > 0 || waitsFor.jobs) && !(await waitForWork(ui, waitsFor))) return false
  if (jobsAnswer === 'stop') {
    ui.notice('Stopping …')
    await jobs.close({ cancel: true })
  }
  // Stopped work ends only after its incomplete files are removed.
  await Promise.all(exports.map(({ ended }) => ended))
  return true
}

/**
 * Waits for the work; returns true if it has ended and no export failed. A failed export keeps the program open, to
 * show why. Meanwhile a question is open, so that users start nothing else; answering it keeps the program open.
 */
async function waitForWork(
  ui: Ui,
  { exports, jobs }: { exports: readonly ForegroundWork[]; jobs: boolean },
): Promise<boolean> {
  const workEnded = new AbortController()
  let pending = exports.length
  let hasSucceeded = true
  for (const { ended } of exports)
    void ended.then(isDone => {
      pending--
      hasSucceeded &&= isDone
    })
  const timer = setInterval(() => {
    if (pending === 0 && (!jobs || ui.session.jobs.running().length === 0)) workEnded.abort()
  }, pollMs)
  const what = [jobs ? 'the jobs are done' : '', exports.length > 0 ? 'everything is written' : '']
  const title = `Leaving when ${what.filter(words => words !== '').join(' and ')}.`
  const stay = { id: 'stay', label: 'Stay', about: 'work goes on' }
  try {
    await ui.choose({ title, choices: [stay] }, workEnded.signal)
    return workEnded.signal.aborted && hasSucceeded
  } finally {
    clearInterval(timer)
  }
}
