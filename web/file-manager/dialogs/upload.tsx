/** Uploads: files are chosen or dropped, listed with size and progress, and sent; each can be paused and retried. */
import { useSignals } from '@preact/signals-react/runtime'
import { FolderUp, Pause, Play, RotateCcw, X } from 'lucide-react'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import { fileWidget } from '../../../schema/limits.ts'
import { type Dropped, droppedTree, hasFiles, pickedFiles } from '../../kit/dropped-tree.ts'
import { IconButton } from '../../kit/icon-button.tsx'
import { ProgressBar } from '../../kit/progress-bar.tsx'
import { useController } from '../controller-context.ts'
import { sizeText } from '../list/sizes.ts'
import {
  isSending,
  isSentCompletely,
  pathInList,
  type UploadEntry,
  uploadEntryPercent,
  uploadsToSend,
} from '../upload/upload-list.ts'
import { createUploader, type Uploader } from '../upload/uploader.ts'
import { DialogFrame } from './frame.tsx'

/** Before the row with the focus is removed, moves the focus to another row or to the button that chooses files. */
function moveFocusFromRow(pressed: HTMLElement): void {
  const row = pressed.closest('li')
  const places = [row?.nextElementSibling, row?.previousElementSibling].flatMap(
    other => other?.querySelector<HTMLElement>('.fm-upload-last button, .fm-upload-buttons button') ?? [],
  )
  const next = places[0] ?? pressed.closest('form')?.querySelector<HTMLElement>('.fm-pick button')
  next?.focus()
}

/** Rendered only when the row changes, because there may be thousands. */
const UploadRow = memo(function UploadRow({ entry, uploader }: { entry: UploadEntry; uploader: Uploader }) {
  useSignals()
  const { t, localized, preferences } = useController()
  const { id, size, state, reason, isFolder } = entry
  const name = pathInList(entry)
  const percent = uploadEntryPercent(entry)
  const stateText = {
    waiting: t('waiting'),
    paused: t('paused'),
    done: t('uploadDone'),
    failed: localized(reason) || t('uploadFailed'),
    sending: '',
  }[state]
  // Pause, resume and retry are one button, so that it keeps the focus.
  const control = {
    waiting: null,
    done: null,
    sending: isSentCompletely(entry) ? null : { icon: Pause, word: 'pause' as const, act: () => uploader.pause(id) },
    paused: { icon: Play, word: 'resume' as const, act: () => uploader.resume(id) },
    failed: { icon: RotateCcw, word: 'retry' as const, act: () => uploader.resume(id) },
  }[state]
  const row = useRef<HTMLLIElement>(null)
  // If the row's control was removed while it had the focus, focus the dialog.
  const hasControl = control !== null
  useEffect(() => {
    if (!hasControl && document.activeElement === document.body) row.current?.closest('dialog')?.focus()
  }, [hasControl])
  return (
    <li ref={row} className="fm-upload" data-state={state}>
      <div className="fm-upload-words">
        <p className="fm-items-name" dir="auto" title={name}>
          {name}
        </p>
        <p className="soft">
          <span>{isFolder ? t('folder') : sizeText(size, preferences.intl.value)}</span>
          {stateText !== '' && <span> · {stateText}</span>}
        </p>
      </div>
      <span className="fm-percent">{(percent / 100).toLocaleString(preferences.intl.value, { style: 'percent' })}</span>
      <span className="fm-upload-buttons">
        {control !== null && (
          <IconButton icon={control.icon} label={`${t(control.word)}: ${name}`} onClick={control.act} />
        )}
        {state !== 'sending' && (
          <span className="fm-upload-last">
            <IconButton
              icon={X}
              label={`${t('remove')}: ${name}`}
              onClick={event => {
                moveFocusFromRow(event.currentTarget)
                uploader.remove(id)
              }}
            />
          </span>
        )}
      </span>
      <ProgressBar className="fm-bar" label={name} done={percent} />
    </li>
  )
})

/** Adds dropped files once they have been read. Ends all uploads when the dialog closes. */
function useDroppedFiles(uploader: Uploader, first: Promise<Dropped> | null) {
  const [reading, setReading] = useState(0)
  const isOpen = useRef(true)
  const addDropped = useCallback(
    async (dropped: Promise<Dropped>) => {
      setReading(count => count + 1)
      const found = await dropped
      if (!isOpen.current) return
      uploader.add(found)
      setReading(count => count - 1)
    },
    [uploader],
  )
  useEffect(() => {
    isOpen.current = true
    if (first !== null) void addDropped(first)
    return () => {
      isOpen.current = false
      uploader.end()
    }
  }, [uploader, first, addDropped])
  return { isReading: reading > 0, addDropped }
}

export function UploadDialog({ dropped, onClose }: { dropped: Promise<Dropped> | null; onClose: () => void }) {
  useSignals()
  const controller = useController()
  const { t, driver, path, preferences } = controller
  const limitText = sizeText(controller.sizeLimit, preferences.intl.value)
  const picker = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setDraggedOver] = useState(false)
  const [uploader] = useState(() =>
    createUploader({
      driver,
      path: path.peek(),
      limit: controller.sizeLimit,
      tooLarge: () => t('tooLarge', limitText),
      tooMany: () => t('droppedMost', fileWidget.droppedMost.toLocaleString(preferences.intl.peek())),
      unread: name => t('notRead', name),
      onDone: () => void controller.refresh(),
    }),
  )
  const { isReading, addDropped } = useDroppedFiles(uploader, dropped)
  const list = uploader.list.value
  const isUploading = isSending(list)
  return (
    <DialogFrame
      title={t('uploadTitle')}
      onClose={onClose}
      onSubmit={() => (uploadsToSend(list).length > 0 ? uploader.start() : picker.current?.click())}
      hasUnsaved={isUploading}
      fault={uploader.fault.value}
      onDismissFault={() => {
        uploader.fault.value = ''
      }}
      width={560}
      actions={
        <>
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="btn btn-primary" disabled={isUploading || list.length === 0}>
            {t('upload')}
          </button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same */}
      <div
        className="fm-pick"
        data-brings={isDraggedOver}
        onDragOver={event => {
          if (!hasFiles(event.dataTransfer)) return
          event.preventDefault()
          event.dataTransfer.dropEffect = 'copy'
          setDraggedOver(true)
        }}
        onDragLeave={() => setDraggedOver(false)}
        onDrop={event => {
          setDraggedOver(false)
          if (!hasFiles(event.dataTransfer)) return
          event.preventDefault()
          void addDropped(droppedTree(event.dataTransfer))
        }}
      >
        <button type="button" className="btn btn-quiet" onClick={() => picker.current?.click()}>
          <FolderUp size={18} aria-hidden="true" />
          {t('selectFiles')}
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={t('selectFiles')}
          onChange={event => {
            uploader.add(pickedFiles([...(event.target.files ?? [])]))
            // Reset, so that the same file can be chosen again.
            event.target.value = ''
          }}
        />
        <p className="soft" dir="auto">
          {t('uploadInto', path.peek())} {t('sizeLimit', limitText)}
        </p>
      </div>
      {list.length === 0 ? (
        <p className="soft fm-items-none" role={isReading ? 'status' : undefined}>
          {isReading ? t('loading') : t('noFiles')}
        </p>
      ) : (
        <ul className="fm-uploads">
          {list.map(entry => (
            <UploadRow key={entry.id} entry={entry} uploader={uploader} />
          ))}
        </ul>
      )}
    </DialogFrame>
  )
}
