/** A sheet beside the rail, from the bar to the bottom. */
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { baseTexts } from '../../texts/base.ts'
import { IconButton } from '../icon-button.tsx'
import { LayerDialog } from './layer-dialog.tsx'

export function SideSheet({
  label,
  head,
  onClose,
  children,
}: {
  label: string
  head?: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  return (
    <LayerDialog className="sheet-ground" aria-label={label} onClose={onClose}>
      <div className="side-sheet float">
        <header className="flex items-center gap-2 ps-2.5">
          <h2 className="text-base font-semibold">{label}</h2>
          {head}
          <IconButton
            icon={X}
            className={head === undefined ? 'ms-auto' : ''}
            aria-label={baseTexts.close}
            onClick={onClose}
          />
        </header>
        <div className="grid gap-6 content-start">{children}</div>
      </div>
    </LayerDialog>
  )
}
