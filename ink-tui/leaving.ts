/** What is asked when one leaves while jobs run here: they would end with the program. */
import type { Stage } from './stage.ts'
import { plural } from './text.ts'

/** False: stay. */
export async function mayLeave(stage: Stage): Promise<boolean> {
  const { jobs } = stage.session
  const running = jobs.running().length
  if (running === 0) return true
  const answer = await stage.choose({
    title: `${plural(running, 'job runs', 'jobs run')} in this program.`,
    choices: [
      { id: 'wait', key: 'w', label: 'Wait', about: 'stay until everything is done, then leave' },
      { id: 'later', key: 'l', label: 'Leave for later', about: 'a server, or the next start, goes on where they are' },
      { id: 'stop', key: 's', label: 'Stop them', about: 'what is done stays' },
    ],
  })
  if (answer === null) return false
  if (answer === 'later') return true
  if (answer === 'stop') {
    stage.notice('Stopping …')
    await jobs.close({ cancel: true })
    return true
  }
  stage.notice('Leaving when the jobs are done.')
  while (jobs.running().length > 0) await Bun.sleep(200)
  return true
}
