/** A map with only its base layer; `onReady` adds layers, and `children` are controls above it. */
import { effect } from '@preact/signals-react'
import L from 'leaflet'
import leafletStyle from 'leaflet/dist/leaflet.css' with { type: 'file' }
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { outage } from '../api.ts'
import { onRecovery } from '../app/loading/recovery.ts'
import { report } from '../app/messages.ts'
import { theme } from '../app/options.ts'
import { runtime } from '../app/runtime.ts'
import { loadStyle } from '../kit/load-style.ts'
import { prefersReducedMotion } from '../kit/viewport.ts'
import { mapTexts } from '../texts/map.ts'
import { addNames, Ground } from './base-map.ts'
import mapStyle from './map.css' with { type: 'file' }
import { groundColours, loadWorld } from './world.ts'

function addGround(map: L.Map, element: HTMLElement): void {
  const ground = runtime.peek()?.map
  if (ground !== undefined && ground.tiles !== '') {
    L.tileLayer(ground.tiles, { maxZoom: 19, detectRetina: !ground.tiles.includes('@2x') }).addTo(map)
    return
  }
  loadWorld().then(
    world => {
      // The map may have been removed meanwhile.
      if (!element.isConnected) return
      const layer = new Ground(world, () => groundColours(element)).addTo(map)
      addNames(map, world.countries)
      const stop = effect(() => {
        theme.value
        // The page has the new theme's colours only in the next frame.
        requestAnimationFrame(() => layer.redraw())
      })
      map.on('unload', stop)
    },
    (error: unknown) => {
      report(error, mapTexts.failedToLoadTheMap)
      const stop = onRecovery(() => {
        stop()
        if (element.isConnected) addGround(map, element)
      })
      outage.report()
    },
  )
}

export type DrawnMap = L.Map

interface Position {
  latitude: number
  longitude: number
  zoom: number
}

export interface MapProps {
  label: string
  start: Position
  /** Called once, when the map is ready. */
  onReady: (map: L.Map) => void
  children?: ReactNode
}

export function LeafletMap({ label, start, onReady, children }: MapProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [styled, setStyled] = useState(false)
  useEffect(() => {
    const load = () =>
      Promise.all([loadStyle(leafletStyle), loadStyle(mapStyle)]).then(() => setStyled(true), outage.report)
    void load()
    return onRecovery(() => void load())
  }, [])
  // The map is created once; its layers update themselves.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => {
    const { current } = ref
    if (!styled || current === null) return
    const map = L.map(current, {
      center: [start.latitude, start.longitude],
      zoom: start.zoom,
      minZoom: 2,
      maxZoom: 18,
      zoomControl: false,
      attributionControl: false,
      worldCopyJump: true,
      maxBounds: [
        [-88, -Infinity],
        [88, Infinity],
      ],
      maxBoundsViscosity: 1,
      zoomAnimation: !prefersReducedMotion(),
    })
    addGround(map, current)
    const observer = new ResizeObserver(() => map.invalidateSize({ pan: false }))
    observer.observe(current)
    onReady(map)
    return () => {
      observer.disconnect()
      map.remove()
    }
  }, [styled])
  return (
    <div className="map">
      {/* biome-ignore lint/a11y/useSemanticElements: a map is not a form */}
      <div ref={ref} className="map-canvas" role="group" aria-label={label} />
      {styled && children}
    </div>
  )
}
