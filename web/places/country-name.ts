/** Countries in the page's language. The server's places have their English names. */
import { ownLocale } from '../../schema/locale.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const codes = letters.flatMap(a => letters.map(b => a + b))

let ownNames: ReadonlyMap<string, string> | null = null

/** The names of all countries in a language, by their English names. */
export function ownNamesOfCountries(locale: string): ReadonlyMap<string, string> {
  const [english, own] = ['en', locale].map(
    language => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }),
  )
  return new Map(
    codes.flatMap(code => {
      const name = english?.of(code)
      return name === undefined ? [] : [[name, own?.of(code) ?? name] as const]
    }),
  )
}

/** The name of a country in the page's language, by its English name; any other text unchanged. */
export function ownCountryName(english: string): string {
  ownNames ??= ownNamesOfCountries(ownLocale)
  return ownNames.get(english) ?? english
}
