/** The slideshow builder: captions, and the progress. */
import { useSignals } from '@preact/signals-react/runtime'
import { type SyntheticEvent, useEffect, useState } from 'react'
import { figure, plural } from '../../schema/figures.ts'
import { product } from '../../schema/limits.ts'
import { closeDialog, endDialog } from '../app/dialogs.ts'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/form/field.tsx'
import { Modal } from '../kit/layers/modal.tsx'
import { ProgressBar } from '../kit/progress-bar.tsx'
import { building, buildSlideshow, cancelSlideshow, shownIds, slideshowFault, slideshowName } from './slideshow.ts'

const captions = [
  ['date', 'Date', 'Saturday, 3 August 2019'],
  ['names', 'Names', 'Who is on the picture'],
  ['keywords', 'Keywords', ''],
  ['category', 'Category', ''],
] as const

function Progress({ done, total }: { done: number; total: number }) {
  return (
    <div className="px-6 pt-2 pb-5 grid gap-5">
      <div>
        <p className="mb-3">
          Building the slideshow: {figure(done)} of {figure(total)}
        </p>
        <ProgressBar label="Slideshow" done={done} total={total} />
        <p className="soft text-xs mt-3">{slideshowName} is saved when it is ready, also when this is closed.</p>
      </div>
      <div className="flex justify-end gap-2">
        <Button look="ghost" text="Stop" onClick={() => void cancelSlideshow()} />
        <Button look="quiet" text="Close" data-autofocus onClick={closeDialog} />
      </div>
    </div>
  )
}

function countLine(total: number | null): string {
  if (total === null) return 'Counting'
  return slideshowFault(total) || `${plural(total, 'item')}, as a page that opens offline in any browser`
}

function Builder({ items, onBegun }: { items: readonly number[] | null; onBegun: () => void }) {
  const [ids, setIds] = useState(items)
  const [total, setTotal] = useState(items?.length ?? null)
  const [title, setTitle] = useState('')
  const [on, setOn] = useState({ date: true, names: true, keywords: false, category: false })
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  useEffect(() => {
    if (items !== null) return
    void shownIds().then(found => {
      if (found === null) return endDialog('slideshow')
      setIds(found.ids)
      setTotal(found.total)
    })
  }, [items])
  const fault = total === null ? '' : slideshowFault(total)
  const ready = total !== null && fault === '' && !busy
  const build = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (!ready || ids === null) return
    setBusy(true)
    setRefusal('')
    const wrong = await buildSlideshow(ids, title.trim() === '' ? on : { ...on, title: title.trim() })
    setBusy(false)
    if (wrong === '') onBegun()
    else setRefusal(wrong)
  }
  return (
    <form className="px-6 pt-1 pb-5 grid gap-4" onSubmit={event => void build(event)}>
      <p className={fault === '' ? 'soft' : 'text-error'} role="status">
        {countLine(total)}
      </p>
      <Field
        label="Title"
        hint="Shown above the pictures"
        fault={undefined}
        maxLength={200}
        dir="auto"
        placeholder={`${product} slideshow`}
        value={title}
        onChange={event => setTitle(event.target.value)}
      />
      <fieldset>
        <legend className="text-xs font-semibold">Under each picture</legend>
        {captions.map(([name, text, hint]) => (
          <label key={name} className="flex items-center gap-4 min-h-10 cursor-pointer">
            <span className="grow min-w-0">
              {text}
              {hint !== '' && <span className="soft text-xs ms-2">{hint}</span>}
            </span>
            <input
              type="checkbox"
              role="switch"
              className="toggle toggle-sm"
              aria-label={text}
              aria-checked={on[name]}
              checked={on[name]}
              onChange={event => setOn({ ...on, [name]: event.target.checked })}
            />
          </label>
        ))}
      </fieldset>
      <p className="text-error text-xs min-h-4" role="alert">
        {refusal}
      </p>
      <div className="flex justify-end gap-2">
        <Button look="ghost" text="Cancel" onClick={closeDialog} />
        <Button type="submit" look="primary" text="Build" disabled={!ready} />
      </div>
    </form>
  )
}

export function SlideshowDialog({ items }: { items: readonly number[] | null }) {
  useSignals()
  const now = building.value
  const [started, setBegun] = useState(now !== null)
  // The build has ended: the dialog closes.
  const over = started && now === null
  useEffect(() => {
    if (over) closeDialog()
  }, [over])
  return (
    <Modal title="Slideshow" onClose={closeDialog}>
      {now !== null ? (
        <Progress done={now.done} total={now.total} />
      ) : (
        <Builder items={items} onBegun={() => setBegun(true)} />
      )}
    </Modal>
  )
}
