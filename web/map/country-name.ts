/** Countries in the page's language. The server's places and the built-in map have English names. */
import { ownLocale } from '../../schema/locale.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** English names that `Intl` does not have in every browser, or that the map shortens. */
const otherNames: Readonly<Record<string, string>> = {
  'Bosnia and Herz.': 'BA',
  'Cabo Verde': 'CV',
  'Central African Rep.': 'CF',
  Congo: 'CG',
  "Côte d'Ivoire": 'CI',
  'Dem. Rep. Congo': 'CD',
  'Dominican Rep.': 'DO',
  'Eq. Guinea': 'GQ',
  'Falkland Is.': 'FK',
  'Falkland Islands': 'FK',
  'Fr. Polynesia': 'PF',
  'Hong Kong': 'HK',
  'Hong Kong SAR China': 'HK',
  Macao: 'MO',
  'Macao SAR China': 'MO',
  Macedonia: 'MK',
  Myanmar: 'MM',
  Palestine: 'PS',
  'Palestinian Territories': 'PS',
  'S. Sudan': 'SS',
  'Solomon Is.': 'SB',
  'Trinidad and Tobago': 'TT',
  Turkey: 'TR',
  'United States of America': 'US',
  Vatican: 'VA',
  'W. Sahara': 'EH',
  eSwatini: 'SZ',
}

let codes: ReadonlyMap<string, string> | null = null

/** Codes of countries by English name. */
function codesByName(): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const all = letters.flatMap(a => letters.map(b => a + b))
  return new Map([
    ...all.flatMap(code => (english.of(code) ? [[english.of(code) ?? '', code] as const] : [])),
    ...Object.entries(otherNames),
  ])
}

/** The name of a country in the page's language, by its English name; any other text, and English, unchanged. */
export function ownCountryName(english: string, locale = ownLocale): string {
  if (locale.startsWith('en')) return english
  codes ??= codesByName()
  const code = codes.get(english)
  return code === undefined ? english : (new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? english)
}
