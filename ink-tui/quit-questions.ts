/** Asks before leaving while this program runs jobs, which would pause, or writes exports, which would be lost. */

import { plural } from '../schema/figures.ts'
import type { ChooseRequest, Ui } from './ui.ts'
import type { Work } from './works.ts'

/** Milliseconds between checks whether the awaited work has ended. */
const pollMs = 200

function aboutExports(works: readonly Work[]): ChooseRequest {
  return {
    title: `${plural(works.length, 'export is', 'exports are')} being written by this program.`,
    choices: [
      { id: 'wait', key: 'w', label: 'Wait', about: 'stay until everything is written, then leave' },
      {
        id: 'stop',
        key: 's',
        label: works.length === 1 ? 'Stop it' : 'Stop them',
        about: 'no partial file is left',
      },
    ],
  }
}

function aboutJobs(running: number): ChooseRequest {
  return {
    title: `${plural(running, 'job runs', 'jobs run')} in this program.`,
    choices: [
      { id: 'wait', key: 'w', label: 'Wait', about: 'stay until everything is done, then leave' },
      { id: 'later', key: 'l', label: 'Leave for later', about: 'a server, or the next start, continues them' },
      { id: 'stop', key: 's', label: 'Stop them', about: 'finished work is kept' },
    ],
  }
}

/** Returns false if the user wants to stay. Asks everything before it waits for or stops anything. */
export async function prepareToLeave(ui: Ui): Promise<boolean> {
  const { jobs } = ui.session
  const { works } = ui.get()
  const exportsAnswer = works.length === 0 ? 'none' : await ui.choose(aboutExports(works))
  if (exportsAnswer === null) return false
  const running = jobs.running().length
  const jobsAnswer = running === 0 ? 'none' : await ui.choose(aboutJobs(running))
  if (jobsAnswer === null) return false
  if (exportsAnswer === 'stop') for (const { stop } of works) stop()
  const waitsFor = { works: exportsAnswer === 'wait' ? works : [], jobs: jobsAnswer === 'wait' }
  if ((waitsFor.works.length > 0 || waitsFor.jobs) && !(await waitForWork(ui, waitsFor))) return false
  if (jobsAnswer === 'stop') {
    ui.notice('Stopping …')
    await jobs.close({ cancel: true })
  }
  // Stopped works end only after their incomplete files are removed.
  await Promise.all(works.map(({ ended }) => ended))
  return true
}

/**
 * Waits for the work; returns true if it has ended and no export failed. A failed export keeps the program open, to
 * show why. Meanwhile a question is open, so that users start nothing else; answering it keeps the program open.
 */
async function waitForWork(ui: Ui, { works, jobs }: { works: readonly Work[]; jobs: boolean }): Promise<boolean> {
  const over = new AbortController()
  let left = works.length
  let isWhole = true
  for (const { ended } of works)
    void ended.then(isDone => {
      left--
      isWhole &&= isDone
    })
  const timer = setInterval(() => {
    if (left === 0 && (!jobs || ui.session.jobs.running().length === 0)) over.abort()
  }, pollMs)
  const what = [jobs ? 'the jobs are done' : '', works.length > 0 ? 'everything is written' : '']
  const title = `Leaving when ${what.filter(words => words !== '').join(' and ')}.`
  const stay = { id: 'stay', label: 'Stay', about: 'work goes on' }
  try {
    await ui.choose({ title, choices: [stay] }, over.signal)
    return over.signal.aborted && isWhole
  } finally {
    clearInterval(timer)
  }
}
