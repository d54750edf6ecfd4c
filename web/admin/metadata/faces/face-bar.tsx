/** Below the picture: progress and results of finding faces, and its settings. */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleAlert, SlidersHorizontal, X } from 'lucide-react'
import { type FocusEvent, useEffect, useRef } from 'react'
import { limits } from '../../../../schema/limits.ts'
import { editedId, editedIds } from '../../../items/edited-items.ts'
import { Button } from '../../../kit/button.tsx'
import { IconButton } from '../../../kit/icon-button.tsx'
import { Popover } from '../../../kit/layers/popover.tsx'
import { ProgressBar } from '../../../kit/progress-bar.tsx'
import { Slider } from '../../../kit/slider.tsx'
import { Switch } from '../../../kit/switch.tsx'
import { baseTexts } from '../../../texts/base.ts'
import { metadataTexts } from '../../../texts/metadata.ts'
import { unsavedIds } from '../item-editor.ts'
import { saveAll } from '../item-save.ts'
import { closeFaceRun, type FaceRun, faceRun, findFaces, releaseFaces, stopFaceRun } from './face-recognition.ts'
import { faceSettings, setFaceSettings } from './face-settings.ts'
import { faultTexts, resultText } from './face-text.ts'

function findAgain(): void {
  const id = editedId.peek()
  if (id !== null) void findFaces([id])
}

/** The settings for finding faces, and the button that starts it, labelled `lookText`. */
export function FaceSettings({ lookText, onLook }: { lookText: string; onLook: () => void }) {
  useSignals()
  const { confidence, nameSure } = faceSettings.value
  return (
    <Popover
      label={metadataTexts.faceSearchSettings}
      icon={<SlidersHorizontal size={20} />}
      buttonClassName="icon-button"
      className="face-settings"
    >
      {close => (
        <div className="grid gap-4 p-4">
          <Slider
            label={metadataTexts.confidence}
            value={confidence}
            least={limits.faces.minSlider}
            most={limits.faces.maxSlider}
            text={String(confidence)}
            onChange={value => setFaceSettings({ confidence: value })}
          />
          <p className="hint -mt-2">{metadataTexts.higherValuesFindFewer}</p>
          <Switch
            label={metadataTexts.namePeopleAutomatically}
            hint={metadataTexts.autoNameHint({ number: limits.faces.matchesForName })}
            checked={nameSure}
            onChange={checked => setFaceSettings({ nameSure: checked })}
          />
          <Button
            look="quiet"
            text={lookText}
            onClick={() => {
              close()
              onLook()
            }}
          />
        </div>
      )}
    </Popover>
  )
}

function RunProgress({ run }: { run: FaceRun }) {
  const total = run.ids.length
  const text =
    run.state === 'loading'
      ? metadataTexts.loadingFaceRecognition
      : total === 1
        ? metadataTexts.lookingForFaces
        : metadataTexts.lookingForFacesOf({ number: Math.min(run.done + 1, total), total })
  return (
    <>
      <span role="status" className="whitespace-nowrap">
        {text}
      </span>
      {total > 1 ? (
        <ProgressBar className="grow" label={metadataTexts.lookingForFaces} done={run.done} total={total} />
      ) : (
        <span className="grow" />
      )}
      <Button look="ghost" small text={baseTexts.cancel} onClick={stopFaceRun} />
    </>
  )
}

function RunResult({ run }: { run: FaceRun }) {
  useSignals()
  const ids = editedIds.value
  const fault = run.state === 'failed' && run.fault !== null ? faultTexts[run.fault] : null
  const toSave = unsavedIds.value.size
  return (
    <>
      {fault === null ? (
        <span role="status" className="grow min-w-0">
          {resultText(run)}
        </span>
      ) : (
        <span role="alert" className="grow min-w-0 flex gap-2">
          <CircleAlert size={20} className="shrink-0" aria-hidden="true" />
          <span>
            {fault.text} <span className="soft">{fault.detail}</span>
          </span>
        </span>
      )}
      {fault !== null && run.fault !== 'browser' && (
        <Button look="quiet" small text={baseTexts.tryAgain} onClick={() => void findFaces(run.ids)} />
      )}
      {fault === null && ids.length > 1 && run.ids.length === 1 && (
        <Button
          look="quiet"
          small
          text={metadataTexts.lookAtAll({ count: ids.length })}
          onClick={() => void findFaces(ids)}
        />
      )}
      {fault === null && run.ids.length > 1 && toSave > 1 && (
        <Button look="quiet" small text={metadataTexts.saveAll({ count: toSave })} onClick={() => void saveAll()} />
      )}
      {fault === null && <FaceSettings lookText={metadataTexts.lookAgain} onLook={findAgain} />}
      <IconButton icon={X} label={baseTexts.close} onClick={closeFaceRun} />
    </>
  )
}

/** Keeps the focus inside the bar when its buttons change; when the bar closes, returns the focus. */
function useBarFocus(open: boolean) {
  const ref = useRef<HTMLElement>(null)
  const opener = useRef<Element | null>(null)
  const last = useRef<Element | null>(null)
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (open) {
      opener.current ??= isLost ? null : document.activeElement
      if (isLost && last.current?.isConnected === false) ref.current?.focus({ preventScroll: true })
      return
    }
    if (isLost && last.current !== null && opener.current instanceof HTMLElement) opener.current.focus()
    opener.current = null
    last.current = null
  })
  return {
    ref,
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      last.current = target
    },
    onBlur: ({ relatedTarget }: FocusEvent<HTMLElement>) => {
      if (relatedTarget !== null && ref.current?.contains(relatedTarget) !== true) last.current = null
    },
  }
}

export function FaceBar() {
  useSignals()
  useEffect(() => releaseFaces, [])
  const id = editedId.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: the results of one picture are not announced on the next
  useEffect(() => {
    const run = faceRun.peek()
    if (run !== null && run.ids.length === 1 && run.ids[0] !== editedId.peek()) closeFaceRun()
  }, [id])
  const run = faceRun.value
  // Render after each save: the button 'Save all' may disappear, and then `useBarFocus` moves the focus.
  void unsavedIds.value
  const focus = useBarFocus(run !== null)
  if (run === null) return null
  return (
    <section {...focus} className="face-bar float" aria-label={metadataTexts.faceRecognition} tabIndex={-1}>
      {run.state === 'loading' || run.state === 'looking' ? <RunProgress run={run} /> : <RunResult run={run} />}
    </section>
  )
}
