/** The line of a job that was begun on this screen: a bar while it runs, a notice when it has ended. */
import { useEffect, useState } from 'react'
import { figure, plural } from '../../schema/figures.ts'
import type { Begun } from '../items/item-actions.ts'
import type { Line } from '../line.ts'
import { ofJobs, useLive } from '../live.ts'
import { type Stage, useStage } from '../stage.ts'
import { bar } from './bar.ts'

const ended = new Set(['done', 'failed', 'cancelled', 'stopped'])

/** What changed nothing has no step of the history, and `z` would take back another one. */
function leftNoStep({ session: { library, viewer, writes } }: Stage, begun: Begun): boolean {
  const own = writes.steps().find(({ job }) => job === begun.id)
  return begun.noUndo !== true && own !== undefined && library.history.find(viewer, own.step) === null
}

/** The job that is followed, its line (null: there is none), and what begins to follow another. */
export function useBegunJob(): { line: Line | null; begin(job: Begun): void } {
  const stage = useStage()
  const [begun, setBegun] = useState<Begun | null>(null)
  const { value: job } = useLive(
    async () => (begun === null ? null : stage.session.client.jobs.get({ params: { id: begun.id } })),
    ofJobs,
    String(begun?.id ?? 0),
  )
  const isOver = job !== null && begun !== null && job.id === begun.id && ended.has(job.state)
  useEffect(() => {
    if (!isOver || job === null || begun === null) return
    setBegun(null)
    if (job.state === 'done') {
      const troubled = job.problems === 0 ? '' : ` ${plural(job.problems, 'problem')}.`
      if (leftNoStep(stage, begun)) stage.notice(`${begun.doing}: nothing had to be changed.${troubled}`)
      else stage.notice(`${begun.done}.${troubled}${begun.noUndo === true ? '' : ' z undoes it.'}`)
    } else if (job.state === 'cancelled') stage.notice(`${begun.doing}: stopped. What was done stays.`)
    else stage.notice(`${begun.doing}: ${job.error ?? 'it failed'}`, 'failed')
  }, [isOver, job, begun, stage])
  if (begun === null) return { line: null, begin: setBegun }
  const { signs } = stage.terminal
  const known = job !== null && job.id === begun.id ? job : null
  const total = known?.total ?? null
  const line: Line =
    known === null || total === null || total === 0
      ? [' ', begun.doing, { text: known?.state === 'running' ? '' : '  waits', style: 'dim' }]
      : [' ', `${begun.doing}  `, ...bar(known.done / total, 20, signs), `  ${figure(known.done)} of ${figure(total)}`]
  return { line, begin: setBegun }
}
