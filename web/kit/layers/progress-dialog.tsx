/** Progress of work that the user has to wait for, with Cancel. Closes when the work has ended. */
import { useSignals } from '@preact/signals-react/runtime'
import { useId } from 'react'
import { baseTexts } from '../../texts/base.ts'
import { Button } from '../button.tsx'
import { ProgressBar } from '../progress-bar.tsx'
import { LayerDialog } from './layer-dialog.tsx'

export function ProgressDialog({
  title,
  done,
  total,
  stopping,
  onCancel,
}: {
  title: string
  done: number
  total: number
  /** True if the work was cancelled but has not ended yet. */
  stopping: boolean
  /** Null if the work cannot be cancelled yet. */
  onCancel: (() => void) | null
}) {
  useSignals()
  const id = useId()
  return (
    // Escape does not close this layer; only the end of its work does.
    <LayerDialog className="modal-ground" aria-labelledby={id} onClose={() => {}}>
      <div className="modal-sheet float px-6 pt-5 pb-5 grid gap-4" style={{ maxWidth: 440 }}>
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <ProgressBar className="grow" label={title} done={done} total={total} />
        <div className="flex items-center gap-4">
          <p className="soft" role="status">
            {stopping ? baseTexts.stopping : baseTexts.doneOfTotal({ done, total })}
          </p>
          <Button
            look="ghost"
            className="ms-auto"
            text={baseTexts.cancel}
            data-autofocus
            disabled={onCancel === null || stopping}
            onClick={onCancel ?? undefined}
          />
        </div>
      </div>
    </LayerDialog>
  )
}
