/** The language of the page, which `web/shell/first.ts` chooses before any text is used. */

/** A text with a number in its plural forms, named as in `Intl.PluralRules`. */
type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>
export type Message = string | Plural

/** The texts of a language, as the page gets them. */
export interface LoadedTexts {
  /** By area, in the order of the English texts; null for a text that is shown in English. */
  areas: Readonly<Record<string, readonly (Message | null)[]>>
  /** By the English pattern. */
  server: Readonly<Record<string, string>>
  /** By key; absent in languages that the file manager has itself. */
  fileManager?: Readonly<Record<string, string>> | undefined
}

export interface PageLanguage {
  /** The chosen language, such as 'zh-Hans'. */
  code: string
  /** The codes of all languages that can be chosen. */
  codes: readonly string[]
  /** Absent for English, which is in the code. */
  texts?: LoadedTexts
}

declare global {
  var pageLanguage: PageLanguage | undefined
}

export const language: PageLanguage = globalThis.pageLanguage ?? { code: 'en', codes: ['en'] }
