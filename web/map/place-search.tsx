/** A place search: a field and its suggestions. */
import { MapPin, Search, X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { createLoading } from '../app/loading/resource.ts'
import { Combo } from '../kit/form/combo.tsx'
import { baseTexts } from '../texts/base.ts'
import { mapTexts } from '../texts/map.ts'
import { countryName, type FoundPlace, findPlaces } from './places.ts'

const searchDelayMs = 200

/** Places for the typed text; null if it is too short, before the first response, or if that failed. */
function useFoundPlaces(typed: string, setOpen: (open: boolean) => void): readonly FoundPlace[] | null {
  const [found, setFound] = useState<readonly FoundPlace[] | null>(null)
  const [{ load, cancel }] = useState(() => createLoading(mapTexts.failedToFindPlaces))
  useEffect(() => {
    if (typed.trim().length < 2) return setFound(null)
    const take = (places: readonly FoundPlace[]) => {
      setFound(places)
      setOpen(true)
    }
    const timer = setTimeout(() => void load(() => findPlaces(typed), take), searchDelayMs)
    return () => {
      clearTimeout(timer)
      cancel()
    }
  }, [typed, setOpen, load, cancel])
  return found
}

export function PlaceSearch({ onFound }: { onFound: (place: FoundPlace) => void }) {
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const id = useId()
  const found = useFoundPlaces(typed, setOpen)
  const shown = open && found !== null ? found : []
  const clear = () => setTyped('')
  return (
    <search className="map-search" onFocus={() => setOpen(true)}>
      <Combo
        id={id}
        label={mapTexts.findAPlace}
        listLabel={baseTexts.places}
        placeholder={mapTexts.findAPlace}
        typed={typed}
        firstMarked
        choices={shown.map((place, at) => ({
          key: `${at} ${place.name}`,
          name: place.name,
          from: 0,
          to: 0,
          note: countryName(place.country),
          icon: MapPin,
          more: countryName(place.country),
        }))}
        lead={<Search size={18} className="soft shrink-0 self-center mx-1" aria-hidden="true" />}
        trail={
          typed !== '' && (
            <button type="button" className="map-clear" aria-label={mapTexts.clear} onClick={clear}>
              <X size={16} />
            </button>
          )
        }
        onTyped={setTyped}
        onPick={({ key }) => {
          const place = shown[Number.parseInt(key, 10)]
          setOpen(false)
          if (place !== undefined) onFound(place)
        }}
        onKey={({ key }) => key === 'ArrowDown' && setOpen(true)}
        onLeave={() => setOpen(false)}
        onEscape={shown.length > 0 ? () => setOpen(false) : typed !== '' ? clear : undefined}
      />
      {open && found?.length === 0 && (
        <p className="combo-list float soft" role="status">
          {mapTexts.noMatchingPlace}
        </p>
      )}
    </search>
  )
}
