/** What is shown of uploads over all screens: the drop zone, and the panel of running uploads. */
import { useSignals } from '@preact/signals-react/runtime'
import { signedIn } from '../app/session.ts'
import { openId } from '../items/open-item.ts'
import { DropZone } from './drop-zone.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { uploads } from './uploads.ts'

export function Uploads() {
  useSignals()
  return (
    <>
      <DropZone />
      {uploads.value.length > 0 && signedIn.value && openId.value === null && <UploadPanel />}
    </>
  )
}
