/** The screen 'Places': countries with their regions, a country, or a region with its towns. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronRight, Map as MapIcon, MapPin } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import type { ItemPlace, PlacesOverview } from '../../schema/api/map.ts'
import { figure } from '../../schema/figures.ts'
import { api } from '../api.ts'
import { address } from '../app/address.ts'
import { hiddenQuery, includeHidden } from '../app/hidden.ts'
import { createResource } from '../app/loading/resource.ts'
import { versionOf } from '../app/loading/stale.ts'
import { signedIn, user } from '../app/session.ts'
import { rotationOf } from '../items/item-text.ts'
import { TablePicture } from '../items/pictures/table-picture.tsx'
import { placeholderUrl } from '../items/pictures/thumbhash.ts'
import { yearOf, yearText } from '../kit/dates.ts'
import { Empty } from '../kit/empty.tsx'
import { OutOfReach } from '../kit/out-of-reach.tsx'
import { useSlow } from '../kit/time/use-slow.ts'
import { listText } from '../kit/words.ts'
import { ownCountryName } from '../map/country-name.ts'
import { baseTexts } from '../texts/base.ts'
import { mapTexts } from '../texts/map.ts'
import { addressOfCountry, addressOfItems, addressOfMap, placesIn } from './place-address.ts'

type Section = PlacesOverview['sections'][number]

const overview = createResource(mapTexts.placesCouldNotBeLoaded, async () => {
  const { path } = address.peek()
  return { path, ...(await api.map.visited({ query: { ...placesIn(path), ...hiddenQuery() } })) }
})

/** What the address asks for, as far as it is loaded; loaded again when something has changed. */
function useOverview() {
  useSignals()
  const { path } = address.value
  const version = `${versionOf('items')} ${user.value?.id ?? 0} ${includeHidden.value}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when any of these changes
  useEffect(() => {
    void overview.load()
  }, [path, version])
  const { value } = overview.value
  return value?.path === path ? value : null
}

/** '2,306 items, 1998–2024'. */
function lineOf({ count, from, to }: Pick<Section, 'count' | 'from' | 'to'>): string {
  const [first, last] = [yearOf(from), yearOf(to)]
  const years = first === last ? yearText(first) : `${yearText(first)}–${yearText(last)}`
  return mapTexts.itemsInYears({ items: baseTexts.itemCount({ count }), years })
}

function Cover({ item }: { item: ItemPlace['cover'] }) {
  const stand = item === null ? null : placeholderUrl(item.thumbhash, rotationOf(item))
  return (
    <span className="place-cover" style={stand === null ? undefined : { backgroundImage: `url(${stand})` }}>
      {item !== null && <TablePicture key={item.reloads} item={item} size="small" className="" />}
    </span>
  )
}

/** A region or a town: its cover, its name, and the two most frequent towns of a region. */
function PlaceTile({ place, country }: { place: ItemPlace; country: string }) {
  const { name, text, count, cover, top, inside } = place
  const to = inside === 0 ? addressOfItems(text) : addressOfCountry(country, name)
  const rest = count - top.reduce((sum, one) => sum + one.count, 0)
  return (
    <li className="place-tile">
      <Link href={to}>
        <Cover item={cover} />
        <span className="place-name">
          <b dir="auto" title={name}>
            {name}
          </b>
          <span className="text-xs soft">{figure(count)}</span>
        </span>
      </Link>
      {inside > 0 && (
        <p className="place-towns">
          {top.map(town => (
            <span key={town.text}>
              <Link href={addressOfItems(town.text)} dir="auto" title={town.name}>
                {town.name}
              </Link>
              <span className="soft">{figure(town.count)}</span>
            </span>
          ))}
          {inside > top.length && (
            <span>
              <Link href={to}>{mapTexts.moreTowns({ count: inside - top.length })}</Link>
              <span className="soft">{figure(rest)}</span>
            </span>
          )}
        </p>
      )}
    </li>
  )
}

function PlaceSection({ section, country, isOnly }: { section: Section; country: string; isOnly: boolean }) {
  const { name, text, places, inside } = section
  const title = name === '' ? mapTexts.otherPlaces : ownCountryName(name)
  return (
    <section className="place-section">
      <header>
        {isOnly ? (
          <h1 className="text-xl font-semibold truncate" dir="auto">
            {title}
          </h1>
        ) : (
          <h2 className="text-base font-semibold truncate" dir="auto" title={title}>
            {places.length === 0 ? <Link href={addressOfItems(text)}>{title}</Link> : title}
          </h2>
        )}
        <p className="text-xs soft me-auto">{lineOf(section)}</p>
        {isOnly && name !== '' && (
          <>
            <Link href={addressOfMap(text)} className="place-link">
              {mapTexts.onTheMap}
            </Link>
            <Link href={addressOfItems(text)} className="place-link">
              {mapTexts.showItems}
            </Link>
          </>
        )}
        {inside > places.length && (
          <Link href={addressOfCountry(name)} className="place-link">
            {mapTexts.showAllPlaces({ count: inside })}
          </Link>
        )}
      </header>
      <ul className="place-grid">
        {places.map(place => (
          <PlaceTile key={place.text} place={place} country={country} />
        ))}
      </ul>
    </section>
  )
}

/** The way back from a country or a region. */
function Path({ country, region }: ReturnType<typeof placesIn>) {
  if (country === undefined) return null
  return (
    <nav className="place-path" aria-label={baseTexts.places}>
      <Link href="/places">{baseTexts.places}</Link>
      {region !== undefined && (
        <>
          <ChevronRight size={14} className="soft shrink-0" aria-hidden="true" />
          <Link href={addressOfCountry(country)} dir="auto">
            {ownCountryName(country)}
          </Link>
        </>
      )}
    </nav>
  )
}

function NoPlaces() {
  useSignals()
  return (
    <Empty icon={MapPin} title={mapTexts.noPlacesYet}>
      {signedIn.value ? mapTexts.noPlacesYetHint : mapTexts.noPlacesForVisitors}
    </Empty>
  )
}

export function PlacesScreen() {
  useSignals()
  const shown = useOverview()
  const isSlow = useSlow(shown === null)
  if (shown === null) {
    if (overview.failed.value) return <OutOfReach again={how => overview.load(how)} />
    return isSlow ? <div className="places" aria-busy="true" /> : null
  }
  const { country, region } = placesIn(shown.path)
  const { sections, countries, towns, unnamed, nowhere } = shown
  if (sections.length === 0) {
    if (country === undefined) return <NoPlaces />
    return (
      <Empty
        icon={MapPin}
        title={mapTexts.nothingThere}
        actions={
          <Link href="/places" className="btn btn-primary">
            {mapTexts.allPlaces}
          </Link>
        }
      />
    )
  }
  return (
    <div className="places" key={shown.path}>
      <Path {...(country === undefined ? {} : { country })} {...(region === undefined ? {} : { region })} />
      {country === undefined && (
        <header className="places-head">
          <h1 className="text-xl font-semibold">{baseTexts.places}</h1>
          <p className="soft me-auto">
            {listText([mapTexts.countryCount({ count: countries }), mapTexts.townCount({ count: towns })])}
          </p>
          <Link href="/world-map" className="btn btn-ghost btn-sm">
            <MapIcon size={18} aria-hidden="true" />
            {mapTexts.onTheMap}
          </Link>
        </header>
      )}
      {sections.map(section => (
        <PlaceSection
          key={section.text}
          section={section}
          country={country ?? section.name}
          isOnly={country !== undefined}
        />
      ))}
      {country === undefined && unnamed + nowhere > 0 && (
        <footer className="places-foot soft">
          {unnamed > 0 && <p>{mapTexts.unnamedCount({ count: unnamed })}</p>}
          {nowhere > 0 && <p>{mapTexts.nowhereCount({ count: nowhere })}</p>}
        </footer>
      )}
    </div>
  )
}
