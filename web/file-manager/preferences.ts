/** Preferences of a file manager: list or grid, dark or light, full screen, language. Stored by its id. */
import { computed, signal } from '@preact/signals-react'
import { createRuns } from '../kit/time/runs.ts'
import { readPreferences, type StoredPreferences, writePreferences } from './stored.ts'
import { directionOf, filled, isLocale, loadTexts, localeNames, locales, translated } from './texts/catalogues.ts'
import { en, type TextKey, type Texts } from './texts/en.ts'

const isolated = (value: string): string => `\u{2068}${value}\u{2069}`

/** Stored texts, if they are complete and in that language; else the English ones. */
function textsOf({ translations: remembered, translationsOf }: StoredPreferences, locale: string): Texts {
  if (locale === 'en' || remembered === undefined || translationsOf !== locale) return en
  const isComplete = Object.keys(en).every(key => typeof remembered[key] === 'string')
  return isComplete ? { ...en, ...remembered } : en
}

export interface LanguageNotice {
  kind: 'set' | 'unknown'
  text: string
}

interface GivenPreferences {
  dark?: boolean | undefined
  locale?: string | undefined
  /** The texts of `locale`, if it is a language of the page only. */
  texts?: Readonly<Record<string, string>> | undefined
}

/** The languages to choose from: the file manager's own, and the page's. */
function languagesOf({ locale: pageLocale, texts }: GivenPreferences) {
  const ofPage: Texts | null = texts === undefined ? null : { ...en, ...texts }
  const isOfPage = (name: string) => ofPage !== null && name === pageLocale
  const choices: { code: string; name: string }[] = locales.map(code => ({ code, name: localeNames[code] }))
  if (ofPage !== null && pageLocale !== undefined && !isLocale(pageLocale))
    choices.push({ code: pageLocale, name: ofPage.languageName })
  return {
    choices,
    isKnown: (name: string) => isLocale(name) || isOfPage(name),
    nameOf: (code: string) => choices.find(choice => choice.code === code)?.name ?? code,
    /** The texts of a language that need not be loaded; else null. */
    initial: (name: string) => (isOfPage(name) ? ofPage : null),
    textsIn: async (name: string) => (isLocale(name) ? loadTexts(name) : (ofPage ?? en)),
  }
}

export function createPreferences(id: string, options: GivenPreferences) {
  const stored = readPreferences(id)
  const { initial, isKnown, choices, nameOf, textsIn } = languagesOf(options)
  const viewport = signal<'list' | 'grid'>(stored.viewport ?? 'grid')
  const optionDark = signal(options.dark ?? true)
  const ownDark = signal<boolean | undefined>(stored.darkMode)
  const dark = computed(() => ownDark.value ?? optionDark.value)
  const fullScreen = signal(stored.fullScreen ?? false)
  /** The language that the user has chosen, if any, and the one that the page's option names. */
  let [ownLocale, optionLocale] = [stored.locale, options.locale ?? 'en']
  const initialLocale = ownLocale ?? optionLocale
  const locale = signal(isKnown(initialLocale) ? initialLocale : 'en')
  const texts = signal<Texts>(initial(locale.peek()) ?? textsOf(stored, locale.peek()))
  const loads = createRuns()

  /** A path inside right-to-left text keeps its own direction. */
  const wrap = (value: string) => (directionOf(locale.value) === 'rtl' ? isolated(value) : value)
  const t = (key: TextKey, ...values: string[]): string => filled(texts.value[key], values.map(wrap))
  /** Formats sizes and counts with the digits of the language. */
  const formatFigure = (value: string) =>
    /^\d{1,15}$/.test(value) ? Number(value).toLocaleString(locale.value) : wrap(value)
  const translate = (message: string) => translated(message, texts.value, locale.value === 'en' ? wrap : formatFigure)

  async function load(next: string): Promise<boolean> {
    const run = loads.start()
    const loaded = await textsIn(next)
    if (run.aborted) return false
    texts.value = loaded
    locale.value = next
    writePreferences(id, { translations: loaded, translationsOf: next })
    return true
  }

  function setOwnLocale(next: string | undefined) {
    ownLocale = next
    writePreferences(id, { locale: next })
  }

  /** Loads a language. For an unknown one, loads English and returns a message. */
  async function loadLanguage(next: string): Promise<LanguageNotice | null> {
    await load(isKnown(next) ? next : 'en')
    return isKnown(next) ? null : { kind: 'unknown', text: en.languageUnknown }
  }

  return {
    viewport,
    dark,
    fullScreen,
    locale,
    choices,
    t,
    /** A message of the server in the current language. */
    localized: (message: string): string => translate(message) ?? message,
    /** The direction of a text: an untranslated one is English, whatever name it begins with. */
    directionOfMessage: (message: string) => (translate(message) === null ? 'ltr' : directionOf(locale.value)),
    /** Locale for Intl: the browser's if the language is English. */
    intl: computed(() => (locale.value === 'en' ? undefined : locale.value)),
    direction: computed(() => directionOf(locale.value)),

    setViewport(next: 'list' | 'grid') {
      viewport.value = next
      writePreferences(id, { viewport: next })
    },

    /** Sets the page's option, which applies unless the user has chosen. */
    setOptionDark(next: boolean) {
      optionDark.value = next
    },

    toggleDark() {
      const next = !dark.peek()
      ownDark.value = next === optionDark.peek() ? undefined : next
      writePreferences(id, { darkMode: ownDark.peek() })
    },

    toggleFullScreen() {
      fullScreen.value = !fullScreen.peek()
      writePreferences(id, { fullScreen: fullScreen.peek() })
    },

    /** Sets the page's option, which applies unless the user has chosen. */
    async setOptionLocale(next: string): Promise<LanguageNotice | null> {
      if (next === optionLocale) return null
      optionLocale = next
      return ownLocale === undefined ? loadLanguage(next) : null
    },

    /** Loads the initial language; forgets a stored one that no longer exists. Returns a message about it, if any. */
    async begin(): Promise<LanguageNotice | null> {
      if (ownLocale !== undefined && !isKnown(ownLocale)) setOwnLocale(undefined)
      return initialLocale === 'en' ? null : loadLanguage(initialLocale)
    },

    async setLocale(next: string): Promise<LanguageNotice | null> {
      if (!isKnown(next)) return loadLanguage(next)
      setOwnLocale(next)
      return (await load(next)) ? { kind: 'set', text: t('languageSet', nameOf(next)) } : null
    },
  }
}

export type Preferences = ReturnType<typeof createPreferences>
