/** The world map of the present filter's items. */

import { useSignals } from '@preact/signals-react/runtime'
import { CircleDashed, Minus, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { figure } from '../../schema/figures.ts'
import { limits } from '../../schema/limits.ts'
import { pictureOf } from '../api.ts'
import { address } from '../app/address.ts'
import { clearFilter, filter, filtered, filterQuery } from '../app/current-filter.ts'
import { openLocation } from '../app/dialogs.ts'
import { onRecovery } from '../app/loading/recovery.ts'
import { createLoading, type LoadOptions } from '../app/loading/resource.ts'
import { say } from '../app/messages.ts'
import { runtime } from '../app/runtime.ts'
import { globalAdmin, signedIn, user } from '../app/session.ts'
import { onItemsChanged } from '../items/item-changes.ts'
import { list } from '../items/items.ts'
import { Button } from '../kit/button.tsx'
import { throttle } from '../kit/time/throttle.ts'
import { TryAgain } from '../kit/try-again.tsx'
import { narrow } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'
import { mapTexts } from '../texts/map.ts'
import { createCircle } from './circle.ts'
import type { Cluster, MapArea } from './cluster-index.ts'
import { type Clusters, startClusters } from './clusters.ts'
import { type DrawnMap, LeafletMap } from './leaflet-map.tsx'
import { setBaseMap } from './map-ground.ts'
import { closeItems, loadMapItem, openedItems, openItems } from './map-items.ts'
import { loadMapPlace, saveMapPlace } from './map-place.ts'
import { createMarkers, type Markers, visibleArea } from './markers.ts'
import { PlaceSearch } from './place-search.tsx'
import { Popup } from './popup.tsx'
import { popupPlace } from './popup-place.ts'
import { loadPositions } from './positions.ts'

interface MapParts {
  map: DrawnMap
  clusters: Clusters
  markers: Markers
  show: () => Promise<void>
}

function createMapParts(map: DrawnMap): MapParts {
  const clusters = startClusters()
  const open = async (cluster: Cluster) => {
    const { key, latitude, longitude } = cluster
    if (cluster.id !== null) {
      openItems({ key, latitude, longitude, ids: [cluster.id], at: 0 })
      return
    }
    const inside = cluster.cluster === null ? null : await clusters.open(cluster.cluster)
    if (inside === null) return
    // Zoom into large clusters, if that splits them.
    if (cluster.count >= limits.map.clusterColours[0] && inside.opensAt <= limits.map.clusterMaxZoom) {
      map.flyTo([latitude, longitude], inside.opensAt, { duration: 0.5 })
      return
    }
    openItems({ key, latitude, longitude, ids: inside.items, at: 0 })
  }
  const markers = createMarkers(map, {
    thumbnail: item => pictureOf(item, 'tiny'),
    onOpen: cluster => void open(cluster),
  })
  const show = async () => {
    const zoom = map.getZoom()
    const found = await clusters.within(visibleArea(map), zoom)
    if (map.getZoom() === zoom) markers.show(found)
  }
  map.on('moveend', () => void show())
  return { map, clusters, markers, show }
}

interface Loaded {
  /** Number of positions on the map. */
  loadedCount: number
  /** Number of positions that match the filter, in the loaded part of the world. */
  total: number
}

const { failed, load: loadLatest, cancel } = createLoading(mapTexts.failedToLoadGeojsonFeatures)

/** Loads the filter's positions, or only those of the visible part if there are more than the map can hold. */
function usePositions(made: MapParts | null): { loaded: Loaded | null; load: (how?: LoadOptions) => void } {
  useSignals()
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [part, setPart] = useState<{ of: string; part: MapArea } | null>(null)
  const key = JSON.stringify([user.value?.id ?? 0, filter.value.collection, filterQuery.value])
  // For another filter, start with the whole world.
  const shownPart = part?.of === key ? part.part : null
  const load = (how?: LoadOptions) => {
    if (made === null) return
    let loadedCount = 0
    const take = (points: Parameters<Clusters['add']>[0], total: number) => {
      if (loadedCount === 0) made.clusters.clear()
      loadedCount += points.length
      made.clusters.add(points)
      setLoaded({ loadedCount, total })
      void made.show()
    }
    const request = { collection: filter.peek().collection, query: filterQuery.peek(), part: shownPart }
    return loadLatest(
      signal => loadPositions(request, take, signal),
      () => {},
      how,
    )
  }
  const latest = useRef(load)
  latest.current = load
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads for another filter or part of the world
  useEffect(() => void load(), [made, key, shownPart])
  useEffect(() => cancel, [])
  // When items are added, changed or removed, reload all positions, but not too often.
  useEffect(() => onItemsChanged(throttle(() => void latest.current(), limits.reloadAfterChangeMs / 4)), [])
  const tooMany = loaded !== null && (loaded.total > limits.map.maxPoints || shownPart !== null)
  useEffect(() => {
    if (made === null || !tooMany) return
    const follow = () => {
      const [west, south, east, north] = visibleArea(made.map, 0.5)
      const isWhole = made.map.getZoom() < 4 || east - west >= 360
      setPart(isWhole ? null : { of: key, part: [wrapLongitude(west), south, wrapLongitude(east), north] })
    }
    made.map.on('moveend', follow)
    return () => {
      made.map.off('moveend', follow)
    }
  }, [made, tooMany, key])
  return { loaded, load }
}

/** Degrees between -180 and 180. */
function wrapLongitude(longitude: number): number {
  return ((((longitude + 180) % 360) + 360) % 360) - 180
}

/** Draws the filter's place and radius. */
function useLocationCircle(made: MapParts | null): void {
  useSignals()
  const { near } = filter.value
  const draw = useRef<ReturnType<typeof createCircle> | null>(null)
  useEffect(() => {
    draw.current = made === null ? null : createCircle(made.map)
  }, [made])
  // biome-ignore lint/correctness/useExhaustiveDependencies: redraws on another map
  useEffect(() => {
    draw.current?.(near, near?.radius ?? 1)
  }, [made, near?.latitude, near?.longitude, near?.radius])
}

/** Moves the map to the item in the address and opens its popup. */
function useAddressedItem(made: MapParts | null): void {
  useSignals()
  const id = Number(/^\/world-map\/([1-9]\d{0,14})\/?$/.exec(address.value.path)?.[1] ?? 0)
  useEffect(() => {
    if (made === null || id === 0) return
    let isLoaded = false
    const open = async () => {
      const item = isLoaded ? null : await loadMapItem(id)
      if (item === null) return
      isLoaded = true
      const { latitude = null, longitude = null } = item.tags.Locations?.data ?? {}
      if (latitude === null || longitude === null) return say(mapTexts.thisItemHasNoPlace)
      made.map.setView([latitude, longitude], limits.map.jumpZoom)
      openItems({ key: '', latitude, longitude, ids: [id], at: 0 })
    }
    void open()
    return onRecovery(open)
  }, [made, id])
}

/** Keeps the popup at its marker while the map moves. */
function usePopupStyle(made: MapParts | null) {
  useSignals()
  const now = openedItems.value
  const [, moved] = useState(0)
  useEffect(() => {
    if (made === null) return
    const move = () => moved(count => count + 1)
    made.map.on('move zoom resize', move)
    return () => {
      made.map.off('move zoom resize', move)
    }
  }, [made])
  const key = now?.key ?? null
  useEffect(() => made?.markers.highlight(key), [made, key])
  if (made === null || now === null) return {}
  const { x, y } = made.map.latLngToContainerPoint([now.latitude, now.longitude])
  const size = made.map.getSize()
  return popupPlace({ x, y }, { width: size.x, height: size.y })
}

function Controls({ map }: { map: DrawnMap }) {
  useSignals()
  const [zoom, setZoom] = useState(map.getZoom())
  useEffect(() => {
    const follow = () => setZoom(map.getZoom())
    map.on('zoomend', follow)
    return () => {
      map.off('zoomend', follow)
    }
  }, [map])
  return (
    <div className="map-controls">
      <div className="float">
        <button
          type="button"
          aria-label={baseTexts.zoomIn}
          title={baseTexts.zoomIn}
          disabled={zoom >= map.getMaxZoom()}
          onClick={() => map.zoomIn()}
        >
          <Plus size={20} />
        </button>
        <button
          type="button"
          aria-label={baseTexts.zoomOut}
          title={baseTexts.zoomOut}
          disabled={zoom <= map.getMinZoom()}
          onClick={() => map.zoomOut()}
        >
          <Minus size={20} />
        </button>
      </div>
      <div className="float">
        <button
          type="button"
          aria-label={mapTexts.locationFilter}
          title={mapTexts.locationFilter}
          aria-pressed={filter.value.near != null}
          onClick={() => {
            const { lat, lng } = map.getCenter()
            openLocation({ latitude: lat, longitude: wrapLongitude(lng), zoom: map.getZoom() })
          }}
        >
          <CircleDashed size={20} />
        </button>
      </div>
    </div>
  )
}

function Foot({ loaded, load }: ReturnType<typeof usePositions>) {
  useSignals()
  const ground = runtime.value?.map
  const items = list.value?.total ?? null
  const strong = (count: number) => <b className="font-semibold">{figure(count)}</b>
  return (
    <div className="map-foot">
      <p className="float" role="status">
        {failed.value ? (
          <>
            {mapTexts.placesCouldNotBeLoaded}
            <TryAgain className="" again={load} />
          </>
        ) : loaded === null ? (
          mapTexts.lookingForPlaces
        ) : loaded.total === 0 && filtered.value ? (
          <>
            {mapTexts.noMatchingItemHasAPlace}
            <Button text={baseTexts.clearTheFilter} onClick={clearFilter} />
          </>
        ) : loaded.loadedCount < Math.min(loaded.total, limits.map.maxPoints) ? (
          mapTexts.placesShown({ number: strong(loaded.loadedCount), total: loaded.total })
        ) : loaded.total > limits.map.maxPoints ? (
          mapTexts.placesShownZoomIn({ number: strong(loaded.loadedCount), total: loaded.total })
        ) : items === null ? (
          mapTexts.itemsHavePlaces({ number: strong(loaded.total) })
        ) : (
          mapTexts.itemsOfTotalHavePlaces({ number: strong(loaded.total), total: Math.max(items, loaded.total) })
        )}
      </p>
      <p className="float">
        <span className="soft">{ground?.attribution}</span>
        {globalAdmin.value && ground?.open === true && !narrow.value && (
          <Button
            text={ground.source === 'builtin' ? mapTexts.useOpenStreetMapTiles : mapTexts.useTheBuiltInMap}
            onClick={() => void setBaseMap(ground.source === 'builtin' ? 'openstreetmap' : 'builtin')}
          />
        )}
      </p>
    </div>
  )
}

export function WorldMap() {
  useSignals()
  const [made, setMade] = useState<MapParts | null>(null)
  const positions = usePositions(made)
  useAddressedItem(made)
  useLocationCircle(made)
  const style = usePopupStyle(made)
  useEffect(() => closeItems, [])
  useEffect(() => () => made?.clusters.close(), [made])
  return (
    <>
      <h1 className="sr-only">{baseTexts.worldMap}</h1>
      <LeafletMap
        label={mapTexts.worldMap}
        start={loadMapPlace()}
        onReady={map => {
          map.on('moveend', () => {
            const { lat, lng } = map.getCenter()
            saveMapPlace({ latitude: lat, longitude: lng, zoom: map.getZoom() })
          })
          map.on('click', closeItems)
          setMade(createMapParts(map))
        }}
      >
        {signedIn.value && (
          <PlaceSearch
            onFound={({ latitude, longitude }) => made?.map.setView([latitude, longitude], limits.map.searchZoom)}
          />
        )}
        {made !== null && <Controls map={made.map} />}
        <Foot {...positions} />
        {openedItems.value !== null && (
          <Popup style={narrow.value ? {} : style} className={narrow.value ? 'map-sheet' : ''} />
        )}
      </LeafletMap>
    </>
  )
}
