/** A text viewer with an edit mode. */
import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { limits } from '../../../schema/limits.ts'
import { useBusy } from '../../kit/use-busy.ts'
import { useController } from '../controller-context.ts'
import type { Driver, FileBytes } from '../driver.ts'
import { useRequest } from '../use-request.ts'
import { EditTools } from './edit-tools.tsx'
import { type DecodedText, decodeText, textForFile } from './text-bytes.ts'
import type { ViewerProps } from './viewer-props.ts'

/** Maximum size in bytes; a text field with more is slow in every browser. */
const maxTextBytes = Math.min(limits.fileTextBytes, 2 * 1024 ** 2)

/** A text, and the version of its file. */
interface VersionedText extends DecodedText {
  version: string
}

const versioned = ({ bytes, version }: FileBytes): VersionedText => ({ ...decodeText(bytes), version })

/** Returns a function that saves a text, even after an attempt without a response. */
function useSaving(driver: Driver, path: string) {
  /** Texts that were sent since the last success; each of them may have been saved. */
  const maybeSaved = useRef(new Set<string>())

  /** Saves a text; returns it with its version, as read again. */
  async function send(content: string, before: VersionedText): Promise<VersionedText> {
    let { version } = before
    if (maybeSaved.current.size > 0) {
      const current = versioned(await driver.read(path))
      // Nobody else has changed the file: its text is one that was sent before.
      if (maybeSaved.current.has(textForFile(current.text, current))) version = current.version
    }
    maybeSaved.current.add(content)
    await driver.save(path, content, version)
    const now = versioned(await driver.read(path))
    maybeSaved.current.clear()
    return now
  }
  return send
}

/** The read file; null until it is loaded. */
function useText({ item, onLoaded, onFault }: ViewerProps, isTooLong: boolean) {
  const { driver } = useController()
  const [read, setRead] = useState<VersionedText | null>(null)
  useRequest(item.path, async signal => (isTooLong ? null : driver.read(item.path, signal)), {
    onLoaded(file) {
      if (file !== null) setRead(versioned(file))
      onLoaded()
    },
    onFault,
  })
  return [read, setRead] as const
}

export function TextViewer(viewer: ViewerProps) {
  const { item, onFault, setTools, setUnsaved, setWork, onDraft, confirmLoss, onChanged } = viewer
  useSignals()
  const controller = useController()
  const { driver, t, messageOf, showToast } = controller
  /** The edited text; null outside the edit mode. */
  const [draft, setDraft] = useState<string | null>(null)
  const { busy, run } = useBusy()
  const isTooLong = item.file_size > maxTextBytes
  const [read, setRead] = useText(viewer, isTooLong)
  const area = useRef<HTMLTextAreaElement>(null)
  const isEditing = draft !== null
  useEffect(() => {
    if (isEditing) area.current?.focus()
  }, [isEditing])

  const isUnsaved = draft !== null && draft !== read?.text
  // Synchronous, because the next key may be Escape.
  useLayoutEffect(() => setUnsaved(isUnsaved), [isUnsaved, setUnsaved])
  useLayoutEffect(() => setWork(busy ? 'saving' : ''), [busy, setWork])

  const send = useSaving(driver, item.path)

  async function save() {
    if (read === null || draft === null) return
    // The button disappears, so focus the text.
    area.current?.focus({ preventScroll: true })
    onFault('')
    try {
      setRead(await send(textForFile(draft, read), read))
      setDraft(null)
      showToast(t('updated'))
      onChanged()
    } catch (error) {
      onFault(messageOf(error))
    }
  }
  const latest = useRef({ save, confirmLoss })
  latest.current = { save, confirmLoss }

  const mayEdit = read?.isUtf8 === true
  const text = read?.text ?? ''
  useEffect(() => {
    if (!mayEdit) return setTools(null)
    setTools(
      <EditTools
        isEditing={isEditing}
        busy={busy}
        onToggle={() => {
          if (!isEditing) setDraft(text)
          else if (latest.current.confirmLoss(t('cancel'))) setDraft(null)
        }}
        onSave={() => void run(latest.current.save)}
        saveLabel={t('save')}
      />,
    )
  }, [mayEdit, isEditing, busy, text, t, setTools, run])

  if (isTooLong) return <p className="fm-default soft">{t('tooLongText')}</p>
  if (read === null) return null
  return (
    <>
      {!read.isUtf8 && <p className="soft">{t('notUtf8')}</p>}
      {isEditing && read.isMixed && <p className="soft">{t('mixedLines')}</p>}
      <textarea
        ref={area}
        className="fm-text"
        dir="auto"
        spellCheck={false}
        aria-label={t('content', item.basename)}
        // Read-only while saving, because text typed then would be lost.
        readOnly={!isEditing || busy}
        value={draft ?? read.text}
        onChange={event => {
          setDraft(event.target.value)
          onDraft()
        }}
      />
    </>
  )
}
