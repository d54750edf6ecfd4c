/** Viewers of films, sounds, documents and other files. */
import { useEffect, useRef, useState } from 'react'
import { fileWidget } from '../../../schema/limits.ts'
import { useController } from '../controller-context.ts'
import { EntryIcon } from '../list/entry-icon.tsx'
import { useRequest } from '../use-request.ts'
import { usePreviewAddress, useRetriedAddress } from './use-preview-address.ts'
import type { ViewerProps } from './viewer-props.ts'

/** Attributes of a player. Its handlers also run for events that fired before the player was in the page. */
function usePlayer({ item, onLoaded, onFault }: Pick<ViewerProps, 'item' | 'onLoaded' | 'onFault'>) {
  const ref = useRef<HTMLMediaElement>(null)
  const { address, onLoad, onError } = useRetriedAddress(item, onFault)
  const come = () => {
    onLoad()
    onLoaded()
  }
  const latest = useRef({ come, onError })
  latest.current = { come, onError }
  useEffect(() => {
    const { current } = ref
    if (current === null) return
    if (current.error !== null) latest.current.onError()
    else if (current.readyState >= HTMLMediaElement.HAVE_METADATA) latest.current.come()
  }, [])
  return {
    set: (element: HTMLMediaElement | null) => {
      ref.current = element
    },
    src: address,
    onLoadedMetadata: come,
    onError: onError,
  }
}

export function VideoViewer(props: ViewerProps) {
  const { item } = props
  const { set, ...player } = usePlayer(props)
  return (
    <video
      ref={set}
      className="fm-video"
      controls
      playsInline
      preload="metadata"
      aria-label={item.basename}
      {...player}
    />
  )
}

export function AudioViewer(props: ViewerProps) {
  const { item } = props
  const { set, ...player } = usePlayer(props)
  return <audio ref={set} className="fm-audio" controls preload="metadata" aria-label={item.basename} {...player} />
}

/** If the browser has no viewer for an `object`, the frame inside it is shown. */
export function PdfViewer({ item, onLoaded, onFault }: ViewerProps) {
  const { driver } = useController()
  const address = usePreviewAddress(item)
  const [isAvailable, setAvailable] = useState(false)
  // Neither element reports reliably whether the file was loaded, so ask the server first.
  useRequest(item.path, signal => driver.requirePreview(item.path, signal), {
    onLoaded() {
      setAvailable(true)
      onLoaded()
    },
    onFault,
  })
  if (!isAvailable) return <div className="fm-pdf" style={{ height: fileWidget.pdfHeight }} />
  return (
    <object
      className="fm-pdf"
      style={{ height: fileWidget.pdfHeight }}
      data={address}
      type="application/pdf"
      aria-label={item.basename}
    >
      <iframe className="fm-pdf" style={{ height: fileWidget.pdfHeight }} src={address} title={item.basename} />
    </object>
  )
}

export function DefaultViewer({ item, onLoaded }: ViewerProps) {
  const latest = useRef(onLoaded)
  latest.current = onLoaded
  useEffect(() => latest.current(), [])
  return (
    <div className="fm-default">
      <EntryIcon node={item} size={48} thin />
      <p dir="auto">{item.basename}</p>
    </div>
  )
}
