/** Progress of work on many items, with a Stop button. */
import { useSignals } from '@preact/signals-react/runtime'
import { runningWork, type Work } from '../../app/jobs/work.ts'
import { Button } from '../../kit/button.tsx'
import { ProgressBar } from '../../kit/progress-bar.tsx'
import { baseTexts } from '../../texts/base.ts'
import { selectionTexts } from '../../texts/selection.ts'
import { selectProgress, stopSelecting } from './selection.ts'

/** The work that is in progress: selecting or changing many items; null if there is none. */
export function currentWork(): Work | null {
  const selectWork = selectProgress.value
  if (selectWork !== null) return { text: selectionTexts.selecting, ...selectWork, cancel: stopSelecting }
  return runningWork.value
}

export function WorkProgress({ text, done, total, cancel }: Work) {
  useSignals()
  return (
    <>
      <span className="whitespace-nowrap">
        {text} {baseTexts.doneOfTotal({ done, total })}
      </span>
      <ProgressBar className="grow" label={text} done={done} total={total} />
      <Button look="ghost" small text={baseTexts.stop} onClick={cancel} />
    </>
  )
}
