/** Chooses the language and locale of the page. Pure. */

const rightToLeft = ['Arab', 'Hebr']

interface Choice {
  /** One of the available codes. */
  code: string
  /** For dates and numbers: the browser's own variant of the language, such as 'de-AT', if it has one. */
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

function isSame(a: Intl.Locale | null, b: Intl.Locale | null): boolean {
  return a !== null && b !== null && a.language === b.language && a.script === b.script
}

/** `chosen`: the user's choice, '' if there is none. `browser`: tags in the order of preference. English is the last. */
export function chooseLanguage(chosen: string, browser: readonly string[], available: readonly string[]): Choice {
  const codeOf = (tag: string) =>
    available.includes(tag) ? tag : available.find(code => isSame(fullForm(code), fullForm(tag)))
  const code = [chosen, ...browser].flatMap(tag => codeOf(tag) ?? [])[0] ?? 'en'
  const full = fullForm(code)
  return {
    code,
    locale: browser.find(tag => isSame(fullForm(tag), full)) ?? code,
    direction: rightToLeft.includes(full?.script ?? '') ? 'rtl' : 'ltr',
  }
}
