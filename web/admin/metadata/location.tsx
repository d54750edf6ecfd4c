/** The location tab: the place, set by a click on the map, by name or by coordinates. */
import { useSignals } from '@preact/signals-react/runtime'
import { CopyCheck, History, MapPinOff } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { editedId } from '../../items/edited-items.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/form/field.tsx'
import { later } from '../../kit/later.tsx'
import { metadataTexts } from '../../texts/metadata.ts'
import { copyPlaceToOthers, othersInRow } from './copy-place.ts'
import { draft, edit } from './item-editor.ts'
import { degreesOf, type FormPlace, noPlace, placeFault } from './item-form.ts'
import { lastPlace } from './item-save.ts'

const PlaceMap = later(async () => (await import('../../map/place-map.tsx')).PlaceMap)

/** A field that keeps the degrees as typed, so that an invalid number stays visible. */
function DegreesField({
  label,
  value,
  fault,
  disabled,
  onChange,
}: {
  label: string
  value: number | null
  fault: string | undefined
  disabled: boolean
  onChange: (degrees: number | null) => void
}) {
  const [typed, setTyped] = useState('')
  useEffect(() => {
    setTyped(known => {
      const same = Object.is(degreesOf(known), value)
      return same ? known : value === null ? '' : Number.isNaN(value) ? known : String(value)
    })
  }, [value])
  return (
    <Field
      label={label}
      inputMode="decimal"
      dir="ltr"
      value={typed}
      fault={fault}
      disabled={disabled}
      onChange={event => {
        setTyped(event.target.value)
        onChange(degreesOf(event.target.value))
      }}
    />
  )
}

function isPlaced(place: FormPlace): boolean {
  return place.latitude !== null && place.longitude !== null && Object.keys(placeFault(place)).length === 0
}

/** The place: by a click on the map, by name or by coordinates. `shown`: identifies what the map shows. */
export function PlaceFields({
  shown,
  place,
  locked = false,
  onChange,
}: {
  shown: number | string | null
  place: FormPlace
  locked?: boolean
  onChange: (place: FormPlace) => void
}) {
  const faults = placeFault(place)
  const { latitude, longitude } = place
  const placed = isPlaced(place)
  const change = (change: Partial<FormPlace>) => onChange({ ...place, ...change })
  // A name that the server found does not fit the new position, so the server finds another.
  const moveTo = (to: { latitude: number | null; longitude: number | null }) =>
    change({ ...to, ...(place.guessed ? { placeName: '', guessed: false } : {}) })
  return (
    <>
      <div className="h-[min(330px,38dvh)] rounded-(--radius-box) overflow-hidden">
        <Suspense fallback={null}>
          <PlaceMap
            key={shown}
            place={placed && latitude !== null && longitude !== null ? { latitude, longitude } : null}
            onChoose={
              locked
                ? null
                : (chosen, name) =>
                    name === null ? moveTo(chosen) : change({ ...chosen, placeName: name, guessed: false })
            }
          />
        </Suspense>
      </div>
      <Field
        label={metadataTexts.placeName}
        value={place.placeName}
        maxLength={500}
        dir="auto"
        disabled={locked}
        hint={place.guessed ? metadataTexts.placeNameHint : placed || locked ? '' : metadataTexts.mapHint}
        onChange={event => change({ placeName: event.target.value, guessed: false })}
      />
      <div className="grid grid-cols-2 gap-3">
        <DegreesField
          label={metadataTexts.latitude}
          value={latitude}
          fault={faults.latitude}
          disabled={locked}
          onChange={degrees => moveTo({ latitude: degrees, longitude })}
        />
        <DegreesField
          label={metadataTexts.longitude}
          value={longitude}
          fault={faults.longitude}
          disabled={locked}
          onChange={degrees => moveTo({ latitude, longitude: degrees })}
        />
      </div>
    </>
  )
}

export function Location({ locked }: { locked: boolean }) {
  useSignals()
  const now = draft.value
  if (now === null) return null
  const { place } = now.form
  const { latitude, longitude } = place
  const placed = isPlaced(place)
  const last = lastPlace.value
  const others = othersInRow().length
  return (
    <div className="grid gap-4">
      <PlaceFields shown={editedId.value} place={place} locked={locked} onChange={next => edit({ place: next })} />
      {!locked && (
        <div className="grid -mx-2.5 -mt-2">
          {placed && latitude !== null && others > 0 && (
            <Button
              className="menu-entry"
              icon={CopyCheck}
              iconSize={20}
              text={metadataTexts.placeForOthers({ count: others })}
              onClick={() => void copyPlaceToOthers(place)}
            />
          )}
          {last !== null && (last.latitude !== latitude || last.longitude !== longitude) && (
            <button type="button" className="menu-entry" onClick={() => edit({ place: last })}>
              <History size={20} aria-hidden="true" />
              <span className="truncate">
                {last.placeName === ''
                  ? metadataTexts.lastPlace
                  : metadataTexts.lastPlaceNamed({ name: last.placeName })}
              </span>
            </button>
          )}
          {(latitude !== null || longitude !== null || place.placeName !== '') && (
            <Button
              className="menu-entry"
              icon={MapPinOff}
              iconSize={20}
              text={metadataTexts.removeThePlace}
              onClick={() => edit({ place: noPlace })}
            />
          )}
        </div>
      )}
    </div>
  )
}
