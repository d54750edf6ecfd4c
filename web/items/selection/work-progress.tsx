/** Progress of work on many items, with a Stop button. */
import { useSignals } from '@preact/signals-react/runtime'
import { type Work, work } from '../../app/jobs/work.ts'
import { Button } from '../../kit/button.tsx'
import { ProgressBar } from '../../kit/progress-bar.tsx'
import { baseTexts } from '../../texts/base.ts'
import { selectionTexts } from '../../texts/selection.ts'
import { selectProgress, stopSelecting } from './selection.ts'

/** The work that is in progress: selecting or changing many items; null if there is none. */
export function currentWork(): Work | null {
  const selectWork = selectProgress.value
  if (selectWork !== null) return { text: selectionTexts.selecting, ...selectWork, stop: stopSelecting }
  return work.value
}

export function WorkProgress({ text, done, total, stop }: Work) {
  useSignals()
  return (
    <>
      <span className="whitespace-nowrap">
        {text} {baseTexts.doneOfTotal({ done, total })}
      </span>
      <ProgressBar className="grow" label={text} done={done} total={total} />
      <Button look="ghost" small text={baseTexts.stop} onClick={stop} />
    </>
  )
}
