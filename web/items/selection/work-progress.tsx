/** Progress of work on many items, with a Stop button. */
import { useSignals } from '@preact/signals-react/runtime'
import { runningWork, type Work } from '../../app/jobs/work.ts'
import { Button } from '../../kit/button.tsx'
import { ProgressBar } from '../../kit/progress-bar.tsx'
import { baseTexts } from '../../texts/base.ts'
import { selectionTexts } from '../../texts/selection.ts'
import { gathering, stopGathering } from './selection.ts'

/** Progress of selecting or changing many items; null if nothing runs. */
export function currentWork(): Work | null {
  const now = gathering.value
  if (now !== null) return { text: selectionTexts.selecting, ...now, cancel: stopGathering }
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
