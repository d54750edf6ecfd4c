/** The locale of formatted numbers and dates: `lang` of the page, which `web/shell/first.ts` sets; terminals use English. */
const page = globalThis as { document?: { documentElement: { lang: string; dir: string } } }

export const ownLocale = page.document?.documentElement.lang || 'en-US'
export const isRightToLeft = page.document?.documentElement.dir === 'rtl'

let collator: Intl.Collator | null = null

/** The order of names; 'Album 2' comes before 'Album 10'. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator(ownLocale, { sensitivity: 'base', numeric: true })
  return collator.compare(a, b)
}
