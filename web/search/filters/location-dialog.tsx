/** The dialog of the location filter: a click on the map sets the place, a slider the radius. */

import { useSignals } from '@preact/signals-react/runtime'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { quantityText } from '../../../schema/figures.ts'
import { limits } from '../../../schema/limits.ts'
import { filter, setFilter } from '../../app/current-filter.ts'
import { closeDialog } from '../../app/dialogs.ts'
import { signedIn } from '../../app/session.ts'
import { coordinatesText } from '../../items/item-text.ts'
import { Button } from '../../kit/button.tsx'
import { Modal } from '../../kit/layers/modal.tsx'
import { Segmented } from '../../kit/segmented.tsx'
import { Slider } from '../../kit/slider.tsx'
import { createCircle, fitCircle } from '../../map/circle.ts'
import { type DrawnMap, LeafletMap } from '../../map/leaflet-map.tsx'
import { loadMapPlace, type MapPlace } from '../../map/map-place.ts'
import { PlaceSearch } from '../../map/place-search.tsx'
import { baseTexts } from '../../texts/base.ts'
import { mapTexts } from '../../texts/map.ts'
import { inMetres, inUnit, type RadiusUnit, radiusAt, sliderOf, unitNames, unitOf, units } from './radius.ts'

interface Position {
  latitude: number
  longitude: number
}

/** Filters by the place and radius, unless the filter has them already. */
function applyPlace(place: Position | null, metres: number): void {
  if (place === null) return
  const { near: now } = filter.peek()
  const next = { ...place, radius: metres }
  if (JSON.stringify(now) !== JSON.stringify(next)) setFilter({ near: next })
}

interface ChooserMapProps {
  start: MapPlace
  /** The filter's place and radius when the dialog was opened; null if it had none. */
  near: { latitude: number; longitude: number; radius: number } | null
  place: Position | null
  metres: number
  map: RefObject<DrawnMap | null>
  onChoose: (latitude: number, longitude: number) => void
}

/** A map with the circle; a click chooses the place. */
function ChooserMap({ start, near, place, metres, map, onChoose }: ChooserMapProps) {
  useSignals()
  const draw = useRef<ReturnType<typeof createCircle> | null>(null)
  useEffect(() => {
    if (place !== null) draw.current?.(place, metres)
  }, [place, metres])
  return (
    <div className="h-[min(380px,45dvh)] rounded-(--radius-box) overflow-hidden">
      <LeafletMap
        label={mapTexts.mapToChoosePlace}
        start={start}
        onReady={made => {
          map.current = made
          draw.current = createCircle(made)
          if (place !== null) draw.current(place, metres)
          if (near !== null) fitCircle(made, near, near.radius)
          made.getContainer().style.cursor = 'crosshair'
          made.on('click', ({ latlng }) => onChoose(latlng.lat, latlng.lng))
        }}
      >
        {signedIn.value && (
          <PlaceSearch
            onFound={found => {
              onChoose(found.latitude, found.longitude)
              map.current?.setView([found.latitude, found.longitude], limits.map.searchZoom)
            }}
          />
        )}
      </LeafletMap>
    </div>
  )
}

export function LocationDialog({ start }: { start: MapPlace | null }) {
  useSignals()
  const { near } = filter.value
  const [place, setPlace] = useState<Position | null>(near)
  const [unit, setUnit] = useState<RadiusUnit>(unitOf(near?.radius ?? limits.radiusMetres))
  const [value, setValue] = useState(inUnit(near?.radius ?? limits.radiusMetres, unit))
  const map = useRef<DrawnMap | null>(null)
  const metres = inMetres(value, unit)
  // Filters a moment after the last change, so that dragging the slider does not load a list at each step.
  useEffect(() => {
    if (place === null) return
    const timer = setTimeout(() => applyPlace(place, metres), limits.radiusDebounceMs)
    return () => clearTimeout(timer)
  }, [place, metres])
  const choose = (latitude: number, longitude: number) =>
    setPlace({
      latitude: Number(latitude.toFixed(6)),
      longitude: Number((((((longitude + 180) % 360) + 360) % 360) - 180).toFixed(6)),
    })
  return (
    <Modal title={mapTexts.locationFilter} onClose={closeDialog} width={720}>
      <div className="px-6 pt-3 pb-6 grid gap-4">
        <ChooserMap
          start={near === null ? (start ?? loadMapPlace()) : { ...near, zoom: limits.map.jumpZoom }}
          near={near}
          place={place}
          metres={metres}
          map={map}
          onChoose={choose}
        />
        <p className="soft text-xs -mt-2">
          {place === null ? mapTexts.clickTheMap : coordinatesText(place.latitude, place.longitude)}
          {place === null && (
            <Button
              className="underline underline-offset-3 ms-2"
              text={mapTexts.useTheCentre}
              onClick={() => {
                const center = map.current?.getCenter()
                if (center !== undefined) choose(center.lat, center.lng)
              }}
            />
          )}
        </p>
        <div className="flex items-end gap-6 flex-wrap">
          <div className="grow min-w-52">
            <Slider
              label={baseTexts.radius}
              value={sliderOf(value)}
              least={0}
              most={1000}
              text={quantityText(value, unit === 'Meters' ? 'meter' : 'kilometer')}
              onChange={step => setValue(radiusAt(step))}
            />
          </div>
          <Segmented
            label={baseTexts.unit}
            choices={units}
            value={unit}
            onChange={setUnit}
            text={one => unitNames[one]}
          />
        </div>
        <div className="flex gap-2 justify-end">
          <Button
            look="ghost"
            text={baseTexts.reset}
            onClick={() => {
              setUnit('Meters')
              setValue(limits.radiusReset)
            }}
          />
          <Button
            look="ghost"
            text={baseTexts.remove}
            disabled={filter.value.near === null}
            onClick={() => {
              setPlace(null)
              setFilter({ near: null })
              closeDialog()
            }}
          />
          <Button
            look="primary"
            text={baseTexts.done}
            onClick={() => {
              applyPlace(place, metres)
              closeDialog()
            }}
          />
        </div>
      </div>
    </Modal>
  )
}
