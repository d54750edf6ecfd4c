import { describe, expect, test } from 'bun:test'
import { englishTexts, languageCodes, languageScript, translationOf } from '../build/languages.ts'
import { chooseLanguage } from '../schema/choose-language.ts'
import { en } from '../web/file-manager/texts/en.ts'
import type { Message } from '../web/texts/language/language.ts'
import { serverMessages } from '../web/texts/language/server-messages.ts'

/** Languages that the file manager has itself. */
const ofFileManager = ['fa', 'ru', 'tr']

// Another test file of the same process has an area of its own.
const { sample: _, ...englishOfPages } = await englishTexts()

/** Every English text, by area and key. */
const all: Record<string, Record<string, Message>> = {
  ...englishOfPages,
  server: Object.fromEntries(serverMessages.map(message => [message, message])),
  fileManager: en,
}

const formsOf = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message))
/** The placeholders of a text, sorted; `%s` is one of the file manager's. */
const placeholders = (text: string): string => [...text.matchAll(/\{\w+\}|%s/g)].map(String).sort().join(' ')

for (const code of languageCodes()) {
  describe(`the translation '${code}'`, async () => {
    const translation = await translationOf(code)
    const areas = Object.keys(all).filter(area => area !== 'fileManager' || !ofFileManager.includes(code))
    const given = (area: string) => Object.entries(translation[area] ?? {})

    test('is complete', () => {
      const missing = areas.flatMap(area =>
        Object.keys(all[area] ?? {}).flatMap(key => (translation[area]?.[key] === undefined ? `${area}.${key}` : [])),
      )
      expect(missing).toEqual([])
    })

    test('has no text that English lacks', () => {
      const unknown = Object.keys(translation).flatMap(area =>
        given(area).flatMap(([key]) => (all[area]?.[key] === undefined ? `${area}.${key}` : [])),
      )
      expect(unknown).toEqual([])
    })

    test('has the placeholders of the English texts', () => {
      const wrong = areas.flatMap(area =>
        given(area).flatMap(([key, message]) => {
          const source = all[area]?.[key] ?? ''
          const wanted = placeholders(typeof source === 'string' ? source : source.other)
          // A plural form for one or two may spell the number out.
          const isRight = (text: string, form: string) =>
            placeholders(text) === wanted ||
            (['zero', 'one', 'two'].includes(form) && placeholders(text) === wanted.replace(/ ?\{count\}/, '').trim())
          const forms = typeof message === 'string' ? { other: message } : message
          return Object.entries(forms).flatMap(([form, text]) =>
            isRight(text, form) ? [] : `${area}.${key}: ${text} (${wanted})`,
          )
        }),
      )
      expect(wrong).toEqual([])
    })

    test('has the plural forms of the language', () => {
      const categories = new Intl.PluralRules(code).resolvedOptions().pluralCategories
      const wrong = areas.flatMap(area =>
        given(area).flatMap(([key, message]) => {
          const source = all[area]?.[key] ?? ''
          if (typeof source === 'string')
            return typeof message === 'string' ? [] : `${area}.${key}: no plural in English`
          if (typeof message === 'string') return `${area}.${key}: one text for all numbers`
          const lacking = categories.filter(name => name !== 'many' && message[name] === undefined)
          return lacking.length === 0 && (code !== 'ru' || message.many !== undefined)
            ? []
            : `${area}.${key}: ${lacking.join(', ') || 'many'}`
        }),
      )
      expect(wrong).toEqual([])
    })

    test('has no empty text, and none with blanks around it that English lacks', () => {
      const wrong = areas.flatMap(area =>
        given(area).flatMap(([key, message]) =>
          formsOf(message).flatMap(text =>
            text.trim() === '' ||
            (text !== text.trim() && formsOf(all[area]?.[key] ?? '').every(one => one === one.trim()))
              ? `${area}.${key}`
              : [],
          ),
        ),
      )
      expect(wrong).toEqual([])
    })

    test('weighs at most 30 kB compressed', async () => {
      expect(Bun.gzipSync(await languageScript(code), { level: 9 }).length).toBeLessThanOrEqual(30_000)
    })
  })
}

describe('the language of the page', () => {
  const available = ['en', 'de', 'fa', 'zh-Hans']
  const chosen = (own: string, ...browser: string[]) => chooseLanguage(own, browser, available)

  test('follows the browser, with its variant for dates', () =>
    expect(chosen('', 'de-AT', 'en')).toEqual({ code: 'de', locale: 'de-AT', direction: 'ltr' }))

  test('is the first of the browser that there is', () =>
    expect(chosen('', 'pt-BR', 'fa-IR', 'en')).toEqual({ code: 'fa', locale: 'fa-IR', direction: 'rtl' }))

  test('is what the user has chosen', () =>
    expect(chosen('de', 'en-GB')).toEqual({ code: 'de', locale: 'de', direction: 'ltr' }))

  test('is English if there is no other', () => {
    expect(chosen('', 'pt-BR')).toEqual({ code: 'en', locale: 'en', direction: 'ltr' })
    expect(chosen('xx-not a tag', 'en-GB')).toEqual({ code: 'en', locale: 'en-GB', direction: 'ltr' })
  })

  test('is Chinese in simplified characters only for those who read them', () => {
    expect(chosen('', 'zh-CN').code).toBe('zh-Hans')
    expect(chosen('', 'zh').code).toBe('zh-Hans')
    expect(chosen('', 'zh-TW', 'en').code).toBe('en')
  })
})
