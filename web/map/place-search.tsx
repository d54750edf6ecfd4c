/** A place search: a field and its suggestions. */
import { MapPin, Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { createRuns } from '../kit/time/runs.ts'
import { baseTexts } from '../texts/base.ts'
import { mapTexts } from '../texts/map.ts'
import { countryName, type FoundPlace, findPlaces } from './places.ts'

const restFor = 200

/** The places for what is typed; null while it is too short. `onFound`: other ones are there. */
function useFound(typed: string, onFound: () => void): readonly FoundPlace[] | null {
  const [found, setFound] = useState<readonly FoundPlace[] | null>(null)
  const [runs] = useState(createRuns)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another text asks again
  useEffect(() => {
    const run = runs.start()
    if (typed.trim().length < 2) {
      setFound(null)
      return
    }
    const timer = setTimeout(async () => {
      const places = await findPlaces(typed)
      if (run.aborted) return
      setFound(places)
      onFound()
    }, restFor)
    return () => clearTimeout(timer)
  }, [typed])
  return found
}

export function PlaceSearch({ onFound }: { onFound: (place: FoundPlace) => void }) {
  const [typed, setTyped] = useState('')
  const [marked, setMarked] = useState(0)
  const [open, setOpen] = useState(false)
  const id = useId()
  const found = useFound(typed, () => {
    setMarked(0)
    setOpen(true)
  })
  const choose = (place: FoundPlace | undefined) => {
    if (place === undefined) return
    setOpen(false)
    onFound(place)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found !== null && found.length > 0) {
      event.preventDefault()
      setOpen(true)
      setMarked((marked + step + found.length) % found.length)
    } else if (event.key === 'Enter') choose(found?.[marked])
    else if (event.key === 'Escape' && (open || typed !== '')) {
      event.preventDefault()
      event.stopPropagation()
      if (open) setOpen(false)
      else setTyped('')
    }
  }
  const shown = open && found !== null
  return (
    <search className="map-search">
      <div className="map-field float">
        <Search size={18} className="soft shrink-0" aria-hidden="true" />
        <input
          type="text"
          role="combobox"
          className="grow min-w-0 bg-transparent outline-none search-input"
          placeholder={mapTexts.findAPlace}
          aria-label={mapTexts.findAPlace}
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-activedescendant={shown && found.length > 0 ? `${id}-${marked}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          value={typed}
          onChange={event => setTyped(event.target.value)}
          onKeyDown={onKey}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
        />
        {typed !== '' && (
          <button type="button" className="map-clear" aria-label={baseTexts.clear} onClick={() => setTyped('')}>
            <X size={16} />
          </button>
        )}
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={mapTexts.places}
        className={shown ? 'map-found float' : 'hidden'}
      >
        {found?.map((place, at) => (
          <div
            key={`${place.name} ${place.latitude} ${place.longitude}`}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === marked}
            className="map-found-place"
            // The field keeps the focus.
            onPointerDown={event => event.preventDefault()}
            onPointerEnter={() => setMarked(at)}
            onClick={() => choose(place)}
            onKeyDown={() => {}}
          >
            <MapPin size={16} className="soft shrink-0" aria-hidden="true" />
            <span className="truncate">{place.name}</span>
            <span className="soft text-xs ms-auto truncate">{countryName(place.country)}</span>
          </div>
        ))}
        {found?.length === 0 && <p className="soft px-3 py-2">{mapTexts.noMatchingPlace}</p>}
      </div>
    </search>
  )
}
