/** Draws markers on the map, updating only those that have changed. */

import L from 'leaflet'
import { figure } from '../../schema/figures.ts'
import { baseTexts } from '../texts/base.ts'
import type { Cluster, MapArea } from './cluster-index.ts'
import { rankOf } from './cluster-rank.ts'

/** Diameter of a cluster by its rank, in pixels. */
const diameters = { 1: 30, 2: 38, 3: 50 } as const

function iconOf(
  { count, id, reloads }: Cluster,
  thumbnail: (item: { id: number; reloads: string }) => string,
): L.DivIcon {
  if (id !== null) {
    const image = document.createElement('img')
    image.src = thumbnail({ id, reloads })
    image.alt = ''
    image.draggable = false
    // Without its picture, the marker is a dot.
    image.addEventListener('error', () => {
      image.hidden = true
    })
    image.addEventListener('load', () => {
      image.hidden = false
    })
    return L.divIcon({ className: 'map-item', html: image, iconSize: [38, 38] })
  }
  const rank = rankOf(count)
  const number = document.createElement('span')
  number.textContent = figure(count)
  return L.divIcon({
    className: `map-cluster map-cluster-${rank}`,
    html: number,
    // A long number needs more room than the cluster's rank gives it.
    iconSize: [Math.max(diameters[rank], 14 + 8 * number.textContent.length), diameters[rank]],
  })
}

/** The visible part of the world, extended on each side by `margin`, a share of its size. */
export function visibleArea(map: L.Map, margin = 0.15): MapArea {
  const bounds = map.getBounds().pad(margin)
  return [bounds.getWest(), Math.max(-90, bounds.getSouth()), bounds.getEast(), Math.min(90, bounds.getNorth())]
}

export function createMarkers(
  map: L.Map,
  {
    thumbnail,
    onOpen,
  }: { thumbnail: (item: { id: number; reloads: string }) => string; onOpen: (cluster: Cluster) => void },
) {
  const shown = new Map<string, { marker: L.Marker; count: number }>()
  let open: string | null = null

  function highlight(key: string | null): void {
    for (const name of [open, key]) {
      if (name !== null)
        shown
          .get(name)
          ?.marker.getElement()
          ?.classList.toggle('map-open', name === key)
    }
    open = key
  }

  function add(cluster: Cluster): void {
    const label = cluster.id === null ? baseTexts.itemCount({ count: cluster.count }) : baseTexts.oneItem
    const marker = L.marker([cluster.latitude, cluster.longitude], {
      icon: iconOf(cluster, thumbnail),
      title: label,
      alt: label,
      riseOnHover: true,
    })
    marker.on('click', () => onOpen(cluster))
    marker.on('keydown', ({ originalEvent }: L.LeafletKeyboardEvent) => {
      if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return
      originalEvent.preventDefault()
      onOpen(cluster)
    })
    marker.addTo(map)
    const element = marker.getElement()
    element?.setAttribute('aria-label', label)
    shown.set(cluster.key, { marker, count: cluster.count })
  }

  return {
    show(clusters: readonly Cluster[]): void {
      const wanted = new Map(clusters.map(cluster => [cluster.key, cluster]))
      for (const [key, { marker, count }] of shown) {
        if (wanted.get(key)?.count === count) continue
        marker.remove()
        shown.delete(key)
      }
      for (const [key, cluster] of wanted) if (!shown.has(key)) add(cluster)
      if (open !== null) highlight(open)
    },
    /** Highlights the marker of the open popup; null for none. */
    highlight,
  }
}

export type Markers = ReturnType<typeof createMarkers>
