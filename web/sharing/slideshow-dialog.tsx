/** The slideshow builder: captions, and the progress. */
import { useSignals } from '@preact/signals-react/runtime'
import { type SyntheticEvent, useEffect, useState } from 'react'
import { product } from '../../schema/limits.ts'
import { closeDialog, closeDialogIf } from '../app/dialogs.ts'
import { Button } from '../kit/button.tsx'
import { longDate } from '../kit/dates.ts'
import { Field } from '../kit/form/field.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { ProgressBar } from '../kit/progress-bar.tsx'
import { Toggle } from '../kit/switch.tsx'
import { useBusy } from '../kit/use-busy.ts'
import { baseTexts } from '../texts/base.ts'
import { sharingTexts } from '../texts/sharing.ts'
import { building, buildSlideshow, cancelSlideshow, loadShownIds, slideshowFault, slideshowName } from './slideshow.ts'

const captions = [
  ['date', baseTexts.date, longDate(Date.UTC(2019, 7, 3) / 1000)],
  ['names', sharingTexts.names, sharingTexts.whoIsOnThePicture],
  ['keywords', baseTexts.keywords, ''],
  ['category', baseTexts.category, ''],
] as const

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <div className="px-6 pt-2 pb-5 grid gap-5">
      <div>
        <p className="mb-3">{sharingTexts.buildingProgress({ done, total })}</p>
        <ProgressBar label={baseTexts.downloadAsSlideshow} done={done} total={total} />
        <p className="soft text-xs mt-3">{sharingTexts.savedWhenReady({ name: slideshowName })}</p>
      </div>
      <div className="flex justify-end gap-2">
        <Button look="ghost" text={baseTexts.stop} onClick={() => void cancelSlideshow()} />
        <Button look="quiet" text={baseTexts.close} data-autofocus onClick={closeDialog} />
      </div>
    </div>
  )
}

function countLine(total: number | null): string {
  if (total === null) return sharingTexts.counting
  return slideshowFault(total) || sharingTexts.itemsAsAPage({ count: total })
}

function Builder({ items, onStarted }: { items: readonly number[] | null; onStarted: () => void }) {
  const [ids, setIds] = useState(items)
  const [total, setTotal] = useState(items?.length ?? null)
  const [title, setTitle] = useState('')
  const [on, setOn] = useState({ date: true, names: true, keywords: false, category: false })
  const { busy, run } = useBusy()
  const [refusal, setRefusal] = useState('')
  useEffect(() => {
    if (items !== null) return
    void loadShownIds().then(found => {
      if (found === null) return closeDialogIf('slideshow')
      setIds(found.ids)
      setTotal(found.total)
    })
  }, [items])
  const fault = total === null ? '' : slideshowFault(total)
  const ready = total !== null && fault === '' && !busy
  const build = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (!ready || ids === null) return
    setRefusal('')
    const wrong = await run(() => buildSlideshow(ids, title.trim() === '' ? on : { ...on, title: title.trim() }))
    if (wrong === '') onStarted()
    else if (wrong !== undefined) setRefusal(wrong)
  }
  return (
    <form className="px-6 pt-1 pb-5 grid gap-4" onSubmit={event => void build(event)}>
      <p className={fault === '' ? 'soft' : 'text-error'} role="status">
        {countLine(total)}
      </p>
      <Field
        label={sharingTexts.title}
        hint={sharingTexts.shownAboveThePictures}
        maxLength={200}
        dir="auto"
        placeholder={sharingTexts.slideshow({ product })}
        value={title}
        onChange={event => setTitle(event.target.value)}
      />
      <fieldset>
        <legend className="text-xs font-semibold">{sharingTexts.underEachPicture}</legend>
        {captions.map(([name, text, hint]) => (
          <label key={name} className="flex items-center gap-4 min-h-10 cursor-pointer">
            <span className="grow min-w-0">
              {text}
              {hint !== '' && <span className="soft text-xs ms-2">{hint}</span>}
            </span>
            <Toggle label={text} checked={on[name]} onChange={checked => setOn({ ...on, [name]: checked })} />
          </label>
        ))}
      </fieldset>
      <p className="text-error text-xs min-h-4" role="alert">
        {refusal}
      </p>
      <div className="flex justify-end gap-2">
        <Button look="ghost" text={baseTexts.cancel} onClick={closeDialog} />
        <Button type="submit" look="primary" text={sharingTexts.build} disabled={!ready} />
      </div>
    </form>
  )
}

export function SlideshowDialog({ items }: { items: readonly number[] | null }) {
  useSignals()
  const now = building.value
  const [started, setStarted] = useState(now !== null)
  const hasEnded = started && now === null
  useEffect(() => {
    if (hasEnded) closeDialog()
  }, [hasEnded])
  return (
    <Modal title={baseTexts.downloadAsSlideshow} onClose={closeDialog}>
      {now !== null ? (
        <Progress done={now.done} total={now.total} />
      ) : (
        <Builder items={items} onStarted={() => setStarted(true)} />
      )}
    </Modal>
  )
}
