/** The line of a job started on this screen: a bar while it runs, a notice when it has ended. */
import { useEffect, useState } from 'react'
import { figure, plural } from '../../schema/figures.ts'
import type { StartedJob } from '../items/item-actions.ts'
import type { Line } from '../line.ts'
import { isJobEvent, useLive } from '../live.ts'
import { type Ui, useUi } from '../ui.ts'
import { bar } from './bar.ts'

const endStates = new Set(['done', 'failed', 'cancelled', 'stopped'])

/** Whether the job changed nothing, so that the history has no step of it and `z` would undo another one. */
function hasChangedNothing({ session: { library, viewer, writes } }: Ui, started: StartedJob): boolean {
  const madeStep = writes.steps().find(({ job }) => job === started.id)
  return started.noUndo !== true && madeStep !== undefined && library.history.find(viewer, madeStep.step) === null
}

/** `line` shows the job that is followed (null for none); `begin` follows another job. */
export function useStartedJob(): { line: Line | null; begin(job: StartedJob): void } {
  const ui = useUi()
  const [started, setStarted] = useState<StartedJob | null>(null)
  const { value: job } = useLive(
    async () => (started === null ? null : ui.session.client.jobs.get({ params: { id: started.id } })),
    isJobEvent,
    String(started?.id ?? 0),
  )
  const isOver = job !== null && started !== null && job.id === started.id && endStates.has(job.state)
  useEffect(() => {
    if (!isOver || job === null || started === null) return
    setStarted(null)
    if (job.state === 'done') {
      const problemsText = job.problems === 0 ? '' : ` ${plural(job.problems, 'problem')}.`
      if (hasChangedNothing(ui, started)) ui.notice(`${started.doing}: nothing to change.${problemsText}`)
      else ui.notice(`${started.done}.${problemsText}${started.noUndo === true ? '' : ' z undoes it.'}`)
    } else if (job.state === 'cancelled') ui.notice(`${started.doing}: stopped. What was done is kept.`)
    else ui.notice(`${started.doing}: ${job.error ?? 'it failed'}`, 'failed')
  }, [isOver, job, started, ui])
  if (started === null) return { line: null, begin: setStarted }
  const { signs } = ui.terminal
  const current = job !== null && job.id === started.id ? job : null
  const total = current?.total ?? null
  const line: Line =
    current === null || total === null || total === 0
      ? [' ', started.doing, { text: current?.state === 'running' ? '' : '  waits', style: 'dim' }]
      : [
          ' ',
          `${started.doing}  `,
          ...bar(current.done / total, 20, signs),
          `  ${figure(current.done)} of ${figure(total)}`,
        ]
  return { line, begin: setStarted }
}
