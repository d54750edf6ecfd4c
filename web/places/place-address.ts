/** Addresses of places: '/places/Spain/Andalusia', and the gallery for what has no places within. Pure. */
import { emptyFilter, writeFilter } from '../app/filter.ts'

/** In an address, the section of places that belong to no country. */
const noCountry = '-'

/** The country and region in a path; undefined if it has none. */
export function placesIn(path: string): { country?: string; region?: string } {
  const [, , country, region] = path.split('/').map(part => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
  return {
    ...(country === undefined || country === '' ? {} : { country: country === noCountry ? '' : country }),
    ...(region === undefined || region === '' ? {} : { region }),
  }
}

export function addressOfCountry(country: string, region?: string): string {
  const parts = [country === '' ? noCountry : country, ...(region === undefined ? [] : [region])]
  return `/places/${parts.map(encodeURIComponent).join('/')}`
}

/** 'Málaga, Andalusia, Spain' as town, region and country, each with the end of the name that finds its items. */
export function partsOfPlace(place: string): { name: string; text: string }[] {
  const names = place.split(', ')
  return names.map((name, at) => ({ name, text: names.slice(at).join(', ') }))
}

/** The gallery with the items of a place; `text`: the end of its items' names. */
export function addressOfItems(text: string): string {
  return `/${filterOf(text)}`
}

/** The world map with the items of a place. */
export function addressOfMap(text: string): string {
  return `/world-map${filterOf(text)}`
}

function filterOf(text: string): string {
  return writeFilter({ ...emptyFilter, q: `place:"${text.replaceAll('"', '""')}"` })
}
