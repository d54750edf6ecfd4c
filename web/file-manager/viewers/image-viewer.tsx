/** Shows a picture and, in crop mode, the frame around the part that replaces it. */
import { useSignals } from '@preact/signals-react/runtime'
import { Crop } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { fileWidget } from '../../../schema/limits.ts'
import { useBusy } from '../../kit/use-busy.ts'
import { useController } from '../controller-context.ts'
import { FileRefused, NoResponse } from '../driver.ts'
import { type Cropping, startCropping } from './cropping.ts'
import { EditTools } from './edit-tools.tsx'
import { useRetriedAddress } from './use-preview-address.ts'
import { canWritePicture } from './viewer-kinds.ts'
import type { ViewerProps } from './viewer-props.ts'

/** Pixels that an arrow key moves the frame, without and with Shift. */
const steps = { one: 1, many: 10 }

/** Handles a key of the frame: arrows move it, + and - change its size. Returns whether it was handled. */
function moveFrameByKey({ key, shiftKey }: { key: string; shiftKey: boolean }, cropping: Cropping): boolean {
  const by = shiftKey ? steps.many : steps.one
  const way = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[key]
  if (way !== undefined) cropping.move(way[0] ?? 0, way[1] ?? 0)
  else if (key === '+' || key === '=') cropping.grow(steps.many)
  else if (key === '-' || key === '_') cropping.grow(-steps.many)
  else return false
  return true
}

interface CroppingEvents {
  fail: () => void
  refuse: (message: string) => void
  onDraft: () => void
}

/** Shows the frame while `isCropping` is true; reads the picture again, so that only this version is replaced. */
function useCropping(item: FileNode, isCropping: boolean, events: CroppingEvents) {
  const { driver, viewMode: mode } = useController()
  const [hasFrame, setHasFrame] = useState(false)
  const [moved, setMoved] = useState(false)
  const room = useRef<HTMLDivElement>(null)
  const cropping = useRef<Cropping | null>(null)
  /** The version to be replaced; '' for any, if the result of an earlier attempt is unknown. */
  const version = useRef('')
  const latest = useRef(events)
  latest.current = events
  useEffect(() => {
    const { current: container } = room
    if (!isCropping || container === null) return
    const stop = new AbortController()
    async function begin(into: HTMLElement) {
      const { bytes, version: read } = await driver.read(item.path, stop.signal)
      const onMoved = () => {
        setMoved(true)
        latest.current.onDraft()
      }
      const started = await startCropping(new Blob([bytes], { type: item.mime_type }), into, { mode, onMoved })
      if (stop.signal.aborted) return started.end()
      version.current = read
      cropping.current = started
      setHasFrame(true)
      into.focus({ preventScroll: true })
    }
    begin(container).catch((error: unknown) => {
      if (stop.signal.aborted) return
      if (error instanceof FileRefused) latest.current.refuse(error.message)
      else latest.current.fail()
    })
    return () => {
      stop.abort()
      cropping.current?.end()
      cropping.current = null
      setHasFrame(false)
      setMoved(false)
      container.replaceChildren()
    }
  }, [isCropping, mode, driver, item.path, item.mime_type])
  return { room, cropping, version, hasFrame, moved }
}

interface CropFrameProps {
  room: RefObject<HTMLDivElement | null>
  cropping: RefObject<Cropping | null>
  shown: boolean
}

function CropFrame({ room, cropping, shown }: CropFrameProps) {
  useSignals()
  const { t } = useController()
  return (
    <>
      <div
        ref={room}
        className="fm-crop"
        dir="ltr"
        role="application"
        aria-label={t('crop')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the frame inside is moved by keys
        tabIndex={0}
        hidden={!shown}
        style={{ height: fileWidget.maxImage }}
        onKeyDown={event => {
          if (cropping.current === null || event.ctrlKey || event.metaKey || event.altKey) return
          if (moveFrameByKey(event, cropping.current)) event.preventDefault()
        }}
      />
      {shown && (
        <p className="fm-crop-size" dir="ltr">
          {fileWidget.crop.width} × {fileWidget.crop.height}
        </p>
      )}
    </>
  )
}

export function ImageViewer(viewer: ViewerProps) {
  const { item, onLoaded, onFault, setTools, setUnsaved, setWork, onDraft, confirmLoss, onChanged } = viewer
  useSignals()
  const controller = useController()
  const { t, showToast, messageOf } = controller
  const [isCropping, setCropping] = useState(false)
  const { busy, run } = useBusy()
  /** A picture that could not be loaded cannot be cropped. */
  const [shown, setShown] = useState(false)
  /** Hides the browser's own icon, which would repeat the message. */
  const [broken, setBroken] = useState(false)
  const { address, onLoad, onError } = useRetriedAddress(item, onFault)
  const fail = () => {
    setShown(false)
    setBroken(true)
    setCropping(false)
    onError()
  }
  const { room, cropping, version, hasFrame, moved } = useCropping(item, isCropping, {
    fail,
    onDraft,
    refuse(message) {
      setCropping(false)
      onFault(message)
    },
  })

  async function crop() {
    if (cropping.current === null) return
    // The button is disabled meanwhile, so focus the frame.
    room.current?.focus({ preventScroll: true })
    onFault('')
    try {
      await controller.replace(item, await cropping.current.picture(item.mime_type), version.current)
      setCropping(false)
      showToast(t('updated'))
      onChanged()
    } catch (error) {
      if (error instanceof NoResponse) version.current = ''
      onFault(messageOf(error))
    }
  }
  const latest = useRef({ crop, confirmLoss })
  latest.current = { crop, confirmLoss }

  // A moved frame counts as unsaved, so that it is not lost by accident.
  const isUnsaved = isCropping && moved
  useLayoutEffect(() => setUnsaved(isUnsaved), [isUnsaved, setUnsaved])
  const work = busy ? 'saving' : isCropping && !hasFrame ? 'loading' : ''
  useLayoutEffect(() => setWork(work), [work, setWork])

  const mayCrop = canWritePicture(item.mime_type)
  useEffect(() => {
    setTools(
      <EditTools
        isEditing={isCropping}
        busy={busy}
        toggleDisabled={busy || !mayCrop || !shown}
        toggleTitle={mayCrop ? undefined : t('cannotCrop')}
        onToggle={() => {
          if (!isCropping) setCropping(true)
          else if (latest.current.confirmLoss(t('cancel'))) setCropping(false)
        }}
        canSave={hasFrame}
        onSave={() => void run(latest.current.crop)}
        saveLabel={
          <>
            <Crop size={18} aria-hidden="true" />
            {t('crop')}
          </>
        }
      />,
    )
    return () => setTools(null)
  }, [isCropping, busy, shown, hasFrame, mayCrop, t, setTools, run])

  const maxSize = fileWidget.maxImage
  return (
    <div className="fm-stage" data-theme="keepsake-dark">
      <img
        src={address}
        alt={item.basename}
        style={{ maxWidth: `min(100%, ${maxSize})`, maxHeight: maxSize }}
        hidden={isCropping || broken}
        onLoad={() => {
          onLoad()
          setShown(true)
          setBroken(false)
          onLoaded()
        }}
        onError={fail}
      />
      <CropFrame room={room} cropping={cropping} shown={isCropping} />
    </div>
  )
}
