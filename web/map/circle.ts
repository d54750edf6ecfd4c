/** A place on a map with its radius, for the location filter. */
import L from 'leaflet'
import type { DrawnMap } from './leaflet-map.tsx'

interface Point {
  latitude: number
  longitude: number
}

/** Returns a function that draws the place and its radius, or removes both for null. */
export function createCircle(map: DrawnMap) {
  const pin = L.circleMarker([0, 0], {
    radius: 7,
    weight: 3,
    className: 'map-circle',
    fillOpacity: 1,
    interactive: false,
  })
  const circle = L.circle([0, 0], {
    radius: 1,
    weight: 2,
    className: 'map-circle',
    fillOpacity: 0.14,
    interactive: false,
  })
  return (place: Point | null, metres: number) => {
    for (const layer of [circle, pin]) {
      if (place === null) {
        layer.remove()
        continue
      }
      layer.setLatLng([place.latitude, place.longitude])
      if (!map.hasLayer(layer)) layer.addTo(map)
    }
    circle.setRadius(metres)
  }
}

export function fitCircle(map: DrawnMap, { latitude, longitude }: Point, metres: number): void {
  map.fitBounds(L.latLng(latitude, longitude).toBounds(metres * 2.4), { animate: false })
}
