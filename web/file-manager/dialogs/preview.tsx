/** Previews a file with the viewer for its type; shows its size and time of last change. */
import { useSignals } from '@preact/signals-react/runtime'
import { Download } from 'lucide-react'
import { type ReactNode, Suspense, useCallback, useState } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { later } from '../../kit/later.tsx'
import { ignoreSecondPress } from '../../kit/layers/second-press.ts'
import { useController } from '../controller-context.ts'
import { download } from '../download.ts'
import { modifiedText } from '../list/dates.ts'
import { sizeText } from '../list/sizes.ts'
import { AudioViewer, DefaultViewer, PdfViewer, VideoViewer } from '../viewers/media-viewers.tsx'
import { TextViewer } from '../viewers/text-viewer.tsx'
import { isLink, viewerFor } from '../viewers/viewer-kinds.ts'
import type { ViewerProps, ViewerWork } from '../viewers/viewer-props.ts'
import { DialogFrame } from './frame.tsx'

const ImageViewer = later(async () => (await import('../viewers/image-viewer.tsx')).ImageViewer)

function Viewer(props: ViewerProps) {
  switch (viewerFor(props.item.mime_type)) {
    case 'text':
      return <TextViewer {...props} />
    case 'image':
      return <ImageViewer {...props} />
    case 'video':
      return <VideoViewer {...props} />
    case 'audio':
      return <AudioViewer {...props} />
    case 'pdf':
      return <PdfViewer {...props} />
    default:
      return <DefaultViewer {...props} />
  }
}

/** Unsaved changes are dropped only while the warning is shown, and not by the second click of a double click. */
function useUnsaved() {
  const [unsaved, setUnsaved] = useState(false)
  /** The button that a warning names, and that drops the changes when pressed again; '' without a warning. */
  const [warnedButton, setWarned] = useState('')
  const clearWarning = () => setWarned('')
  function warn(button: string) {
    if (warnedButton === button) return
    ignoreSecondPress()
    setWarned(button)
  }
  return {
    unsaved,
    warnedButton,
    clearWarning,
    warn,
    setUnsaved: useCallback((next: boolean) => {
      setUnsaved(next)
      // The text may have been saved meanwhile, or the viewer may be gone.
      if (!next) setWarned('')
    }, []),
    mayLose(button: string): boolean {
      if (!unsaved) return true
      if (warnedButton === button) return true
      warn(button)
      return false
    },
  }
}

export function PreviewDialog({ item, onClose }: { item: FileNode; onClose: () => void }) {
  useSignals()
  const controller = useController()
  const { t, preferences, listing } = controller
  const [loaded, setLoaded] = useState(false)
  const [fault, setFault] = useState('')
  const [tools, setTools] = useState<ReactNode>(null)
  const [work, setWork] = useState<ViewerWork>('')
  const { unsaved, warnedButton, setUnsaved, clearWarning, warn, mayLose } = useUnsaved()
  const close = () => {
    if (mayLose(t('close'))) onClose()
  }
  const isSaving = work === 'saving'
  const isLoading = !loaded || work === 'loading'
  const current = listing.value?.files.find(({ path }) => path === item.path) ?? item
  const intl = preferences.intl.value
  return (
    <DialogFrame
      title={item.basename}
      onClose={close}
      fault={warnedButton === '' ? fault : t('notSaved', warnedButton)}
      onDismissFault={() => {
        clearWarning()
        setFault('')
      }}
      width={760}
      busy={isSaving}
      hasUnsaved={unsaved}
      onCloseBlocked={() => warn(t('close'))}
      actions={
        <>
          <div className="fm-tools-of-viewer">
            {tools}
            {isSaving && (
              <p className="fm-saving soft" role="status">
                {t('saving')}
              </p>
            )}
          </div>
          <button type="button" className="btn btn-ghost" disabled={isSaving} onClick={close}>
            {t('close')}
          </button>
          <button
            type="button"
            className="btn btn-quiet"
            disabled={isLink(item)}
            onClick={() => void download(controller, item)}
          >
            <Download size={18} aria-hidden="true" />
            {t('download')}
          </button>
        </>
      }
    >
      <div className="fm-viewer" data-loaded={loaded} aria-busy={isLoading || isSaving}>
        <Suspense fallback={null}>
          <Viewer
            item={item}
            onLoaded={() => setLoaded(true)}
            onFault={message => {
              setLoaded(true)
              clearWarning()
              setFault(message)
            }}
            setTools={setTools}
            setUnsaved={setUnsaved}
            setWork={setWork}
            onDraft={clearWarning}
            confirmLoss={mayLose}
            onChanged={() => void controller.refresh()}
          />
        </Suspense>
        {isLoading && (
          <p className="fm-loading soft" role="status">
            {t('loading')}
          </p>
        )}
      </div>
      <dl className="fm-facts">
        <div>
          <dt>{t('fileSize')}</dt>
          <dd>{sizeText(current.file_size, intl)}</dd>
        </div>
        <div>
          <dt>{t('lastModified')}</dt>
          <dd>{modifiedText(current.last_modified, intl, true)}</dd>
        </div>
      </dl>
    </DialogFrame>
  )
}
