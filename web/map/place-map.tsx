/** A map that shows one position, and sets it by a click or a place's name. */
import { useSignals } from '@preact/signals-react/runtime'
import L from 'leaflet'
import { useEffect, useRef } from 'react'
import { limits } from '../../schema/limits.ts'
import { signedIn } from '../app/session.ts'
import { mapTexts } from '../texts/map.ts'
import { LeafletMap } from './leaflet-map.tsx'
import { loadMapPlace } from './map-place.ts'
import { PlaceSearch } from './place-search.tsx'

export interface Spot {
  latitude: number
  longitude: number
}

const exact = (degrees: number) => Number(degrees.toFixed(6))

/** `onChoose` is null if the map is read-only. `name` is null if the position was clicked. */
export function PlaceMap({
  place,
  onChoose,
}: {
  place: Spot | null
  onChoose: ((spot: Spot, name: string | null) => void) | null
}) {
  useSignals()
  const map = useRef<L.Map | null>(null)
  const pin = useRef<L.CircleMarker | null>(null)
  const latest = useRef(onChoose)
  latest.current = onChoose
  useEffect(() => {
    if (map.current === null || pin.current === null) return
    if (place === null) pin.current.remove()
    else pin.current.setLatLng([place.latitude, place.longitude]).addTo(map.current)
  }, [place])
  return (
    <LeafletMap
      label={onChoose === null ? mapTexts.whereItWasTaken : mapTexts.mapToSetPlace}
      start={place === null ? loadMapPlace() : { ...place, zoom: limits.map.jumpZoom }}
      onReady={made => {
        map.current = made
        pin.current = L.circleMarker([0, 0], {
          radius: 8,
          weight: 3,
          className: 'map-circle',
          fillOpacity: 1,
          interactive: false,
        })
        if (place !== null) pin.current.setLatLng([place.latitude, place.longitude]).addTo(made)
        if (onChoose !== null) made.getContainer().style.cursor = 'crosshair'
        made.on('click', ({ latlng }) => {
          const { lat, lng } = latlng.wrap()
          latest.current?.({ latitude: exact(lat), longitude: exact(lng) }, null)
        })
      }}
    >
      {signedIn.value && onChoose !== null && (
        <PlaceSearch
          onFound={({ name, latitude, longitude }) => {
            latest.current?.({ latitude, longitude }, name)
            map.current?.setView([latitude, longitude], limits.map.jumpZoom)
          }}
        />
      )}
    </LeafletMap>
  )
}
