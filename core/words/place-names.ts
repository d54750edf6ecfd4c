/** Names of places by country, region and town. Pure. */

/** The parts of a name, as far as it has them; '' for the others. */
export interface PlaceParts {
  country: string
  region: string
  town: string
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const languages = ['en', 'de', 'fr', 'es', 'tr', 'fa', 'ru', 'zh-Hans']

/** The English name of each country by its names in these languages, long and short ('USA'), in lower case. */
const englishNames = new Map<string, string>()
/** The names of each country in these languages, by its English name. */
const namesOfCountries = new Map<string, ReadonlySet<string>>()
const namers = languages.flatMap(language =>
  (['long', 'short'] as const).map(
    style => new Intl.DisplayNames([language], { type: 'region', fallback: 'none', style }),
  ),
)
const english = namers[0]
for (const code of letters.flatMap(a => letters.map(b => a + b))) {
  const name = english?.of(code)
  if (name === undefined) continue
  const names = new Set(namers.map(namer => namer.of(code) ?? name))
  namesOfCountries.set(name, names)
  for (const one of names) {
    const key = one.toLowerCase()
    if (!englishNames.has(key)) englishNames.set(key, name)
  }
}

/** The English name of a country whose name is written in one of the languages; any other text unchanged. */
export function englishCountry(name: string): string {
  return englishNames.get(name.toLowerCase()) ?? name
}

/**
 * Splits a name whose parts go from small to large, as files and the built-in table have them: 'Kiel, Germany' or
 * 'Old Town, Kiel, Schleswig-Holstein, Germany'. A name of one part is a country if one has this name, else a town.
 * Countries get their English names, so that 'Kiel, Deutschland' is in the same country as 'Kiel, Germany'.
 */
export function partsOfPlace(name: string): PlaceParts {
  const parts = name
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
  const last = parts.at(-1) ?? ''
  const country = englishCountry(last)
  if (parts.length < 2) {
    return englishNames.has(last.toLowerCase())
      ? { country, region: '', town: '' }
      : { country: '', region: '', town: last }
  }
  const region = parts.length > 2 ? (parts.at(-2) ?? '') : ''
  return { country, region, town: parts.at(region === '' ? -2 : -3) ?? '' }
}

/** The end of the names of all items in a place: 'Kiel, Schleswig-Holstein, Germany'. */
export function textOfPlace({ country, region, town }: PlaceParts): string {
  return [town, region, country].filter(part => part !== '').join(', ')
}

/**
 * The texts by which a search finds a place: its name as it is, with the country in English, without the region
 * ('Kiel, Germany'), since names of other programs leave it out, and the country in each language.
 */
export function searchTextsOfPlace(name: string): string[] {
  const { country, town } = partsOfPlace(name)
  const parts = name.split(',').map(part => part.trim())
  const inEnglish = [...parts.slice(0, -1), country].join(', ')
  const countryNames = namesOfCountries.get(country) ?? []
  const others = country === '' ? [] : [inEnglish, textOfPlace({ country, region: '', town }), ...countryNames]
  return [...new Set([name, ...others])]
}
