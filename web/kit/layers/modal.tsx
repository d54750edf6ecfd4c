/** A dialog over the page: title, content, actions. */
import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { baseTexts } from '../../texts/base.ts'
import { IconButton } from '../icon-button.tsx'
import { LayerDialog } from './layer-dialog.tsx'

export function Modal({
  title,
  onClose,
  children,
  width = 440,
  busy = false,
}: {
  title: string
  onClose: () => void
  children: ReactNode
  /** Pixels. */
  width?: number
  /** It is saving: it stays open until that is done, so that an error can be shown in it. */
  busy?: boolean
}) {
  const titleId = useId()
  const close = () => {
    if (!busy) onClose()
  }
  return (
    <LayerDialog className="modal-ground" aria-labelledby={titleId} onClose={close} keeps>
      <div className="modal-sheet float" style={{ maxWidth: width }}>
        <header className="flex items-center gap-4 px-6 pt-5 pb-1">
          <h2 id={titleId} className="text-base font-semibold min-w-0 truncate">
            {title}
          </h2>
          <IconButton icon={X} aria-label={baseTexts.close} className="ms-auto -me-2" onClick={close} />
        </header>
        {children}
      </div>
    </LayerDialog>
  )
}
