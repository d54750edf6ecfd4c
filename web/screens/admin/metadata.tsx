/** Item Metadata: what is known of a picture, to be put right; several are gone through in a row. */
import { useSignals } from '@preact/signals-react/runtime'
import { ImageOff, Pencil, RotateCcw, RotateCw } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { pictureOf } from '../../api.ts'
import { Field } from '../../parts/field.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { WordsField } from '../../parts/words-field.tsx'
import { plural } from '../../state/dates.ts'
import {
  choose,
  edit,
  editedId,
  editedIds,
  editedItem,
  faulty,
  form,
  leaveEditor,
  loadEdited,
  pending,
  revert,
  saveAndNext,
  saveEdited,
  saving,
} from '../../state/item-editor.ts'
import { dateFault } from '../../state/item-form.ts'
import { mayUpdate } from '../../state/rights.ts'
import { rotateItem } from '../../state/rotate.ts'
import { signedIn } from '../../state/session.ts'

const PlaceMap = lazy(async () => ({ default: (await import('../../map/place-map.tsx')).PlaceMap }))

function Stage() {
  useSignals()
  const item = editedItem.value
  const [broken, setBroken] = useState<number | null>(null)
  if (item === null) return <div className="editor-stage" />
  const fault = item.problem ?? (broken === item.id ? 'The picture could not be loaded' : null)
  const turn = async (direction: 'left' | 'right') => {
    if (await rotateItem(item, direction)) await loadEdited()
  }
  return (
    <div className="editor-stage" data-theme="keepsake-dark">
      {fault === null ? (
        <img
          key={item.reloads}
          src={pictureOf(item, 'large')}
          alt={item.name}
          draggable={false}
          onError={() => setBroken(item.id)}
        />
      ) : (
        <div className="grid justify-items-center gap-3 text-white/80">
          <ImageOff size={40} strokeWidth={1.25} aria-hidden="true" />
          <p>{fault}</p>
        </div>
      )}
      {mayUpdate(item) && item.type === 'image' && fault === null && (
        <div className="editor-tools">
          <button
            type="button"
            className="on-pic"
            aria-label="Rotate left"
            title="Rotate left"
            onClick={() => void turn('left')}
          >
            <RotateCcw size={18} />
          </button>
          <button
            type="button"
            className="on-pic"
            aria-label="Rotate right"
            title="Rotate right"
            onClick={() => void turn('right')}
          >
            <RotateCw size={18} />
          </button>
        </div>
      )}
    </div>
  )
}

/** The row of items that are gone through. */
function Row() {
  useSignals()
  const ids = editedIds.value
  if (ids.length < 2) return null
  return (
    <nav className="editor-row" aria-label="Items to edit">
      {ids.slice(0, 500).map((id, at) => (
        <button
          key={id}
          type="button"
          aria-current={id === editedId.value ? 'true' : undefined}
          aria-label={`Item ${at + 1} of ${ids.length}`}
          onClick={() => choose(id)}
        >
          <img src={pictureOf({ id, reloads: '' }, 'tiny')} alt="" loading="lazy" draggable={false} />
        </button>
      ))}
    </nav>
  )
}

function Details({ locked }: { locked: boolean }) {
  useSignals()
  const now = form.value
  if (now === null) return null
  return (
    <fieldset disabled={locked} className="grid gap-4 min-w-0">
      <Field
        label="Date taken"
        placeholder="2019-08-03 14:05:00"
        hint="Year-month-day hours:minutes:seconds"
        value={now.date}
        fault={dateFault(now.date) ?? undefined}
        onChange={event => edit({ date: event.target.value })}
      />
      <label className="field">
        <span>Description</span>
        <textarea
          className="textarea input h-auto py-2 min-h-24 leading-5"
          dir="auto"
          rows={4}
          value={now.description}
          onChange={event => edit({ description: event.target.value })}
        />
      </label>
      <WordsField label="Category" tag="Category" words={now.category} onChange={category => edit({ category })} />
      <WordsField label="Keywords" tag="Keywords" words={now.keywords} onChange={keywords => edit({ keywords })} />
      <WordsField label="Author" tag="Author" words={now.author} onChange={author => edit({ author })} />
    </fieldset>
  )
}

function Location({ locked }: { locked: boolean }) {
  useSignals()
  const now = form.value
  if (now === null) return null
  const { place } = now
  return (
    <div className="grid gap-4">
      <div className="h-[330px] rounded-(--radius-box) overflow-hidden">
        <Suspense fallback={null}>
          <PlaceMap
            key={editedId.value}
            place={
              place.latitude === null || place.longitude === null
                ? null
                : { latitude: place.latitude, longitude: place.longitude }
            }
            onChoose={
              locked ? null : (chosen, name) => edit({ place: { ...chosen, placeName: name ?? place.placeName } })
            }
          />
        </Suspense>
      </div>
      <Field
        label="Place name"
        value={place.placeName}
        maxLength={500}
        dir="auto"
        disabled={locked}
        fault={undefined}
        onChange={event => edit({ place: { ...place, placeName: event.target.value } })}
      />
      <p className="soft text-xs flex items-center gap-2 -mt-3">
        {place.latitude === null || place.longitude === null
          ? 'Click the map to say where it was taken.'
          : `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}`}
        {place.latitude !== null && !locked && (
          <button
            type="button"
            className="underline underline-offset-3"
            onClick={() => edit({ place: { latitude: null, longitude: null, placeName: '' } })}
          >
            Remove the location
          </button>
        )}
      </p>
    </div>
  )
}

const tabs = ['Details', 'Location'] as const

export function ItemMetadata() {
  useSignals()
  const [tab, setTab] = useState<(typeof tabs)[number]>('Details')
  const [id, signed] = [editedId.value, signedIn.value]
  // biome-ignore lint/correctness/useExhaustiveDependencies: another item, or another person, is loaded anew
  useEffect(() => void loadEdited(), [id, signed])
  const item = editedItem.value
  if (id === null) {
    return (
      <div className="page-screen grid place-items-center text-center">
        <div className="grid justify-items-center gap-3">
          <Pencil size={40} strokeWidth={1.25} className="soft" aria-hidden="true" />
          <h1 className="text-xl font-semibold">Item Metadata</h1>
          <p className="soft max-w-[360px] text-balance">
            Select pictures in the gallery, or choose Edit Metadata in a picture’s menu. They are edited here one by
            one.
          </p>
        </div>
      </div>
    )
  }
  const locked = item === null || !mayUpdate(item)
  const count = pending.value.length
  const more = editedIds.value.indexOf(id) < editedIds.value.length - 1
  return (
    <div className="editor">
      <div className="editor-left">
        <Stage />
        <Row />
      </div>
      <form
        className="editor-form"
        onSubmit={event => {
          event.preventDefault()
          void saveEdited()
        }}
      >
        <div className="editor-fields">
          <h1 className="text-base font-semibold truncate mb-3" dir="auto" title={item?.path}>
            {item?.name ?? ' '}
          </h1>
          {item !== null && locked && <p className="soft mb-4">You may look at this item, but not change it.</p>}
          <Tabs label="Metadata" names={tabs} value={tab} onChange={setTab}>
            {tab === 'Details' ? <Details locked={locked} /> : <Location locked={locked} />}
          </Tabs>
        </div>
        <footer className="editor-foot">
          <button type="button" className="btn btn-ghost -ms-3" onClick={leaveEditor}>
            Close
          </button>
          <span className="soft text-xs ms-auto" role="status">
            {count === 0 ? '' : plural(count, 'change')}
          </span>
          <button type="button" className="btn btn-ghost" disabled={count === 0} onClick={revert}>
            Revert
          </button>
          <button
            type="submit"
            className="btn btn-quiet"
            disabled={locked || count === 0 || faulty.value || saving.value}
          >
            Save
          </button>
          {more && (
            <button
              type="button"
              className="btn btn-primary"
              disabled={locked || faulty.value || saving.value}
              onClick={() => void saveAndNext()}
            >
              Save and next
            </button>
          )}
        </footer>
      </form>
    </div>
  )
}
