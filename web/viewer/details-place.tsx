/** Where the open picture was taken: a small map that leads to the world map, the place's name and its position. */
import { useSignals } from '@preact/signals-react/runtime'
import { Fragment, useEffect } from 'react'
import { Link } from 'wouter'
import type { Item } from '../../schema/api/items.ts'
import { createPart } from '../app/loading/part.ts'
import { coordinatesText } from '../items/item-text.ts'
import { ownCountryName } from '../map/country-name.ts'
import { addressOfItems, partsOfPlace } from '../places/place-address.ts'
import { viewerTexts } from '../texts/viewer.ts'
import { Part } from './details-part.tsx'

const { part: smallMap, load: loadMap } = createPart(async () => (await import('../map/small-map.tsx')).loadSmallMap())

function PlaceMap({ id, latitude, longitude }: { id: number; latitude: number; longitude: number }) {
  useSignals()
  useEffect(loadMap, [])
  const Shown = smallMap.value
  return (
    <Link
      className="details-map"
      href={`/world-map/${id}`}
      aria-label={viewerTexts.showOnTheMap}
      title={viewerTexts.showOnTheMap}
    >
      {Shown !== null && <Shown latitude={latitude} longitude={longitude} />}
    </Link>
  )
}

export function Place({ item }: { item: Item }) {
  const place = item.tags.Locations?.data
  if (place === undefined) return null
  const { placeName, latitude, longitude } = place
  const hasPosition = latitude !== null && longitude !== null
  if (placeName === '' && !hasPosition) return null
  return (
    <Part title={viewerTexts.place}>
      {hasPosition && <PlaceMap id={item.id} latitude={latitude} longitude={longitude} />}
      {placeName !== '' && (
        <p>
          <bdi>
            {partsOfPlace(placeName).map(({ name, text }, at, parts) => (
              <Fragment key={text}>
                {at > 0 && ', '}
                <Link className="details-link" href={addressOfItems(text)}>
                  {at === parts.length - 1 ? ownCountryName(name) : name}
                </Link>
              </Fragment>
            ))}
          </bdi>
        </p>
      )}
      {hasPosition && <p className="text-xs soft">{coordinatesText(latitude, longitude)}</p>}
    </Part>
  )
}
