/** Drop zone of the gallery: shows where files would be added, and uploads dropped ones. */
import { useSignals } from '@preact/signals-react/runtime'
import { Ban, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { address } from '../app/address.ts'
import { currentCollection } from '../app/collections.ts'
import { signedIn } from '../app/session.ts'
import { openId } from '../items/open-item.ts'
import { hasFiles } from '../kit/dropped-tree.ts'
import { isAnyModalOpen } from '../kit/layers/native-dialog.ts'
import { routeOf } from '../routes.ts'
import { uploadsTexts } from '../texts/uploads.ts'
import { droppedFiles } from './dropped.ts'
import { mayUpload, uploadTarget } from './targets.ts'
import { uploadChosen } from './uploads.ts'

/** Whether files can be dropped now. At other times they are refused, so that the browser does not open them. */
function canDropFiles(): boolean {
  return signedIn.value && routeOf(address.value.path).name === 'Home' && openId.value === null && !isAnyModalOpen.value
}

function DropText() {
  useSignals()
  const target = uploadTarget.value
  if (!mayUpload.value || target === 'refused') {
    return (
      <div className="drop-frame" data-refused="true">
        <Ban size={40} strokeWidth={1.25} className="soft mb-2" aria-hidden="true" />
        <p className="text-xl font-semibold">{uploadsTexts.nothingCanBeAddedHere}</p>
        <p className="soft max-w-[340px] text-balance" dir="auto">
          {currentCollection.value === null
            ? uploadsTexts.youMayNotAdd
            : uploadsTexts.youMayNotAddPictures({ name: currentCollection.value.name })}
        </p>
      </div>
    )
  }
  return (
    <div className="drop-frame">
      <Upload size={40} strokeWidth={1.25} className="mb-2" aria-hidden="true" />
      <p className="text-xl font-semibold" dir="auto">
        {target === null ? uploadsTexts.dropToUpload : uploadsTexts.dropToUploadTo({ name: target.name })}
      </p>
      <p className="soft">
        {target === null ? uploadsTexts.youChooseTheCollectionNext : uploadsTexts.picturesVideosAndWholeFolders}
      </p>
    </div>
  )
}

export function DropZone() {
  useSignals()
  const [over, setOver] = useState(false)
  useEffect(() => {
    const hide = () => setOver(false)
    const onEnter = (event: DragEvent) => {
      if (!event.defaultPrevented && hasFiles(event.dataTransfer) && canDropFiles()) setOver(true)
    }
    // `relatedTarget` is null only when the drag leaves the window.
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) hide()
    }
    const onOver = (event: DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return
      event.preventDefault()
      const takes = canDropFiles() && mayUpload.peek() && uploadTarget.peek() !== 'refused'
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = takes ? 'copy' : 'none'
    }
    const onDrop = (event: DragEvent) => {
      hide()
      const { dataTransfer } = event
      if (event.defaultPrevented || dataTransfer === null || !hasFiles(dataTransfer)) return
      event.preventDefault()
      if (!canDropFiles() || !mayUpload.peek() || uploadTarget.peek() === 'refused') return
      void droppedFiles(dataTransfer).then(uploadChosen)
    }
    const stop = new AbortController()
    const { signal } = stop
    addEventListener('dragenter', onEnter, { signal })
    addEventListener('dragleave', onLeave, { signal })
    addEventListener('dragover', onOver, { signal })
    addEventListener('drop', onDrop, { signal })
    // No pointer events occur during a drag, so this one means that the drag has ended elsewhere or was cancelled.
    addEventListener('pointermove', hide, { signal })
    return () => stop.abort()
  }, [])
  if (!over) return null
  return (
    <div className="drop-ground" role="status">
      <DropText />
    </div>
  )
}
