/** The languages; filling in texts, and translating messages of the server. */
import { en, type TextKey, type Texts } from './en.ts'

export const locales = ['en', 'fa', 'ru', 'tr'] as const
export type Locale = (typeof locales)[number]

export const localeNames: Record<Locale, string> = { en: 'English', fa: 'فارسی', ru: 'Русский', tr: 'Türkçe' }

export function isLocale(name: string): name is Locale {
  return locales.some(known => known === name)
}

export const directionOf = (locale: string): 'rtl' | 'ltr' => (locale === 'fa' ? 'rtl' : 'ltr')

const loaders: Record<Locale, () => Promise<Texts>> = {
  en: async () => en,
  fa: async () => (await import('./fa.ts')).fa,
  ru: async () => (await import('./ru.ts')).ru,
  tr: async () => (await import('./tr.ts')).tr,
}

export const loadTexts = (locale: Locale): Promise<Texts> => loaders[locale]()

/** Fills in the `%s` of a text, in order. */
export function filled(text: string, values: readonly string[]): string {
  let at = 0
  return text.replace(/%s/g, () => values[at++] ?? '')
}

function isKey(key: string): key is TextKey {
  return key in en
}

const patterns = Object.entries(en).flatMap(([key, text]) => {
  if (!isKey(key)) return []
  const source = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%s', '([\\s\\S]+)')
  return [{ key, pattern: new RegExp(`^${source}$`) }]
})

/** Texts that contain another message. */
const nested: readonly TextKey[] = [
  'serverMovedOne',
  'serverMovedSome',
  'serverNotMoved',
  'serverZipDamaged',
  'serverZipName',
]

/** The translation of an English message; null for unknown ones. `wrap`: applied to the names inside. */
export function translated(message: string, texts: Texts, wrap = (value: string) => value): string | null {
  // The first pattern that matches counts, in the order of the texts.
  for (const { key, pattern } of patterns) {
    const match = pattern.exec(message)
    if (match === null) continue
    const inner = (value: string) => (nested.includes(key) ? translated(value, texts, wrap) : null) ?? wrap(value)
    return filled(texts[key], match.slice(1).map(inner))
  }
  return null
}
