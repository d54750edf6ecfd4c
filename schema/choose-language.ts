/** Chooses the language and locale of a page. Pure. */

const rightToLeft = ['Arab', 'Hebr']

interface Choice {
  /** One of the available codes. */
  code: string
  /** For dates and numbers: the browser's variant of the language, such as 'de-AT', or else the code. */
  locale: string
  direction: 'ltr' | 'rtl'
}

/** The full form of a tag; 'zh-TW' is Chinese in traditional script. null if the tag is not well-formed. */
function fullForm(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return null
  }
}

export const isLanguageTag = (tag: string): boolean => fullForm(tag) !== null

function isSame(a: Intl.Locale | null, b: Intl.Locale | null): boolean {
  return a !== null && b !== null && a.language === b.language && a.script === b.script
}

/** The direction in which a language is written; 'ltr' for a tag that is not well-formed. */
export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  rightToLeft.includes(fullForm(tag)?.script ?? '') ? 'rtl' : 'ltr'

/** `chosen`: the user's choice, '' if there is none. `browser`: tags in the order of preference. The default is English. */
export function chooseLanguage(chosen: string, browser: readonly string[], available: readonly string[]): Choice {
  const codeOf = (tag: string) =>
    available.includes(tag) ? tag : available.find(code => isSame(fullForm(code), fullForm(tag)))
  const code = [chosen, ...browser].flatMap(tag => codeOf(tag) ?? [])[0] ?? 'en'
  return {
    code,
    locale: browser.find(tag => isSame(fullForm(tag), fullForm(code))) ?? code,
    direction: directionOf(code),
  }
}
