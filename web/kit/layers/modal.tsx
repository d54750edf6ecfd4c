/** A dialog over the page: title, content, actions. */
import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { baseTexts } from '../../texts/base.ts'
import { IconButton } from '../icon-button.tsx'
import { LayerDialog } from './layer-dialog.tsx'
import type { LayerFrame } from './layer-frame.ts'

export function Modal({
  title,
  onClose,
  onDismiss,
  children,
  beside,
  width = 440,
  busy = false,
  className = '',
  frame,
  returnTo,
}: {
  title: string
  onClose: () => void
  /** Called for Escape, Back or a press beside the dialog, even after the user has typed; default: `onClose`. */
  onDismiss?: () => void
  children: ReactNode
  /** Shown over the dialog, outside its sheet. */
  beside?: ReactNode
  /** Pixels. */
  width?: number
  /** True while saving: the dialog cannot be closed meanwhile, so that it can show an error. */
  busy?: boolean
  className?: string
  frame?: LayerFrame
  returnTo?: () => HTMLElement | null
}) {
  const titleId = useId()
  const unlessBusy = (act: () => void) => () => {
    if (!busy) act()
  }
  return (
    <LayerDialog
      className={`modal-ground ${className}`}
      aria-labelledby={titleId}
      onClose={unlessBusy(onDismiss ?? onClose)}
      keeps
      keepsTyped={onDismiss === undefined}
      frame={frame}
      returnTo={returnTo}
    >
      <div className="modal-sheet float" style={{ maxWidth: width }}>
        <header className="flex items-center gap-4 px-6 pt-5 pb-1">
          <h2 id={titleId} className="text-base font-semibold min-w-0 line-clamp-2 wrap-anywhere" dir="auto">
            {title}
          </h2>
          <IconButton
            icon={X}
            aria-label={frame?.closeText ?? baseTexts.close}
            className="ms-auto -me-2"
            onClick={unlessBusy(onClose)}
          />
        </header>
        {children}
      </div>
      {beside}
    </LayerDialog>
  )
}
