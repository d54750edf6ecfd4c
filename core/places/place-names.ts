/** Names of places by country, region and town. Pure. */

/** The parts of a name, as far as it has them; '' for the others. */
export interface PlaceParts {
  country: string
  region: string
  town: string
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
const countryNames = new Set(letters.flatMap(a => letters.flatMap(b => regionNames.of(a + b) ?? [])))

/**
 * Splits a name whose parts go from small to large, as files and the built-in table have them: 'Kiel, Germany' or
 * 'Old Town, Kiel, Schleswig-Holstein, Germany'. A name of one part is a country if one has this name, else a town.
 */
export function partsOfPlace(name: string): PlaceParts {
  const parts = name
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
  const last = parts.at(-1) ?? ''
  if (parts.length < 2) {
    return countryNames.has(last) ? { country: last, region: '', town: '' } : { country: '', region: '', town: last }
  }
  const region = parts.length > 2 ? (parts.at(-2) ?? '') : ''
  return { country: last, region, town: parts.at(region === '' ? -2 : -3) ?? '' }
}

/** The end of the names of all items in a place: 'Kiel, Schleswig-Holstein, Germany'. */
export function textOfPlace({ country, region, town }: PlaceParts): string {
  return [town, region, country].filter(part => part !== '').join(', ')
}
