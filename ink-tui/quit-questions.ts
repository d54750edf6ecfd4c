/** Asks on leaving while jobs run here or an export is written, because these would end with the program. */

import { plural } from '../schema/figures.ts'
import type { ChooseRequest, Stage } from './stage.ts'
import type { Work } from './works.ts'

/** Milliseconds between checks whether the awaited work has ended. */
const pollMs = 200

function aboutWorks(works: readonly Work[]): ChooseRequest {
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

/** Returns false to stay. Asks everything before it waits for or stops anything. */
export async function mayLeave(stage: Stage): Promise<boolean> {
  const { jobs } = stage.session
  const { works } = stage.get()
  const withWorks = works.length === 0 ? 'none' : await stage.choose(aboutWorks(works))
  if (withWorks === null) return false
  const running = jobs.running().length
  const withJobs = running === 0 ? 'none' : await stage.choose(aboutJobs(running))
  if (withJobs === null) return false
  if (withWorks === 'stop') for (const { stop } of works) stop()
  const waitsFor = { works: withWorks === 'wait' ? works : [], jobs: withJobs === 'wait' }
  if ((waitsFor.works.length > 0 || waitsFor.jobs) && !(await waitForWork(stage, waitsFor))) return false
  if (withJobs === 'stop') {
    stage.notice('Stopping …')
    await jobs.close({ cancel: true })
  }
  // Stopped works end only after their incomplete files are removed.
  await Promise.all(works.map(({ ended }) => ended))
  return true
}

/**
 * Waits for the work; returns true if it has ended and no export failed. A failed export keeps the program open, to
 * show why. A question meanwhile keeps users from starting anything else; any answer to it makes the program stay.
 */
async function waitForWork(stage: Stage, { works, jobs }: { works: readonly Work[]; jobs: boolean }): Promise<boolean> {
  const over = new AbortController()
  let left = works.length
  let isWhole = true
  for (const { ended } of works)
    void ended.then(isDone => {
      left--
      isWhole &&= isDone
    })
  const timer = setInterval(() => {
    if (left === 0 && (!jobs || stage.session.jobs.running().length === 0)) over.abort()
  }, pollMs)
  const what = [jobs ? 'the jobs are done' : '', works.length > 0 ? 'everything is written' : '']
  const title = `Leaving when ${what.filter(words => words !== '').join(' and ')}.`
  const stay = { id: 'stay', label: 'Stay', about: 'nothing is stopped' }
  try {
    await stage.choose({ title, choices: [stay] }, over.signal)
    return over.signal.aborted && isWhole
  } finally {
    clearInterval(timer)
  }
}
