/** Looks at a file with the viewer for its kind, and says its size and when it was last changed. */
import { useSignals } from '@preact/signals-react/runtime'
import { Download } from 'lucide-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { later } from '../../parts/later.tsx'
import { useDesk } from '../desk-context.ts'
import { download } from '../download.ts'
import { dateText } from '../entry.tsx'
import { sizeText } from '../sizes.ts'
import { isLink, viewerFor } from '../viewers.ts'
import { Frame } from './frame.tsx'
import { AudioViewer, DefaultViewer, PdfViewer, VideoViewer } from './media-viewers.tsx'
import { TextViewer } from './text-viewer.tsx'

const ImageViewer = later(async () => (await import('./image-viewer.tsx')).ImageViewer)

export interface ViewerProps {
  item: FileNode
  /** It has come, or will not come. */
  onLoaded: () => void
  /** '' once it is tried again. */
  onFault: (message: string) => void
  /** Buttons at the start of the dialog's foot. */
  setTools: (tools: ReactNode) => void
  /** Something is written that is not saved. */
  setUnsaved: (unsaved: boolean) => void
  /** What was saved changed the file. */
  onChanged: () => void
}

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

/** Milliseconds: the longest double click. */
const slipMs = 500

export function PreviewDialog({ item, onClose }: { item: FileNode; onClose: () => void }) {
  useSignals()
  const desk = useDesk()
  const { t, preferences, listing } = desk
  const [loaded, setLoaded] = useState(false)
  const [fault, setFault] = useState('')
  const [unsaved, setUnsaved] = useState(false)
  const [tools, setTools] = useState<ReactNode>(null)
  // It may have been saved meanwhile.
  const warning = t('notSaved', t('close'))
  const isWarned = fault === warning
  const warnedAt = useRef(0)
  /** What is not saved goes only while that is said, and not by the second half of a double click. */
  const close = () => {
    if (!unsaved) return onClose()
    if (isWarned) {
      if (performance.now() - warnedAt.current > slipMs) onClose()
      return
    }
    warnedAt.current = performance.now()
    setFault(warning)
  }
  const now = listing.value?.files.find(({ path }) => path === item.path) ?? item
  const intl = preferences.intl.value
  return (
    <Frame
      title={item.basename}
      onClose={close}
      fault={fault}
      onDismiss={() => setFault('')}
      width={760}
      stays={unsaved}
      actions={
        <>
          <div className="fm-tools-of-viewer">{tools}</div>
          <button type="button" className="btn btn-ghost" onClick={close}>
            {t('close')}
          </button>
          <button
            type="button"
            className="btn btn-quiet"
            disabled={isLink(item)}
            onClick={() => void download(desk, item)}
          >
            <Download size={18} aria-hidden="true" />
            {t('download')}
          </button>
        </>
      }
    >
      {/* Whoever goes on writing has to be told again. */}
      <div
        className="fm-viewer"
        data-loaded={loaded}
        aria-busy={!loaded}
        onInput={() => {
          if (isWarned) setFault('')
        }}
      >
        <Suspense fallback={null}>
          <Viewer
            item={item}
            onLoaded={() => setLoaded(true)}
            onFault={message => {
              setLoaded(true)
              setFault(message)
            }}
            setTools={setTools}
            setUnsaved={setUnsaved}
            onChanged={() => void desk.refresh()}
          />
        </Suspense>
        {!loaded && (
          <p className="fm-loading soft" role="status">
            {t('loading')}
          </p>
        )}
      </div>
      <dl className="fm-facts">
        <div>
          <dt>{t('fileSize')}</dt>
          <dd>{sizeText(now.file_size, intl)}</dd>
        </div>
        <div>
          <dt>{t('lastModified')}</dt>
          <dd>{dateText(now.last_modified, intl, true)}</dd>
        </div>
      </dl>
    </Frame>
  )
}
