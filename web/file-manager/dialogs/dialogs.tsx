/** The open dialog; the code of large dialogs is loaded when they first open. */
import { useSignals } from '@preact/signals-react/runtime'
import { Suspense } from 'react'
import { later } from '../../kit/later.tsx'
import { useController } from '../controller-context.ts'
import { DeleteDialog } from './delete.tsx'
import { MessageDialog } from './message.tsx'
import { MoveDialog } from './move.tsx'
import { ArchiveDialog, NewDialog, RenameDialog } from './name.tsx'
import { UnarchiveDialog } from './unarchive.tsx'

const UploadDialog = later(async () => (await import('./upload.tsx')).UploadDialog)
const PreviewDialog = later(async () => (await import('./preview.tsx')).PreviewDialog)

function OpenDialog() {
  useSignals()
  const { dialog } = useController()
  const open = dialog.value
  const onClose = () => {
    if (dialog.peek() === open) dialog.value = null
  }
  switch (open?.kind) {
    case 'delete':
      return <DeleteDialog items={open.items} onClose={onClose} />
    case 'archive':
      return <ArchiveDialog items={open.items} onClose={onClose} />
    case 'rename':
      return <RenameDialog item={open.item} onClose={onClose} />
    case 'unarchive':
      return <UnarchiveDialog item={open.item} onClose={onClose} />
    case 'preview':
      return <PreviewDialog item={open.item} onClose={onClose} />
    case 'new-folder':
    case 'new-file':
      return <NewDialog kind={open.kind} onClose={onClose} />
    case 'move':
      return <MoveDialog items={open.items} target={open.target} onClose={onClose} />
    case 'upload':
      return <UploadDialog dropped={open.dropped} onClose={onClose} />
    case 'message':
      return <MessageDialog text={open.text} onClose={onClose} />
    default:
      return null
  }
}

export function Dialogs() {
  return (
    <Suspense fallback={null}>
      <OpenDialog />
    </Suspense>
  )
}
