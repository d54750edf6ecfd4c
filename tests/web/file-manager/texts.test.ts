import { describe, expect, test } from 'bun:test'
import { createPreferences } from '../../../web/file-manager/preferences.ts'
import {
  directionOf,
  filled,
  isLocale,
  loadTexts,
  locales,
  translated,
} from '../../../web/file-manager/texts/catalogues.ts'
import { en } from '../../../web/file-manager/texts/en.ts'

const places = (text: string) => text.split('%s').length - 1

describe('texts', () => {
  for (const locale of locales) {
    test(`${locale} has every text, with the same placeholders`, async () => {
      const texts = await loadTexts(locale)
      expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort())
      for (const [key, text] of Object.entries(en)) {
        const other = Object.entries(texts).find(([name]) => name === key)?.[1] ?? ''
        expect(`${key}: ${other.trim() === '' ? 'empty' : places(other)}`).toBe(`${key}: ${places(text)}`)
      }
    })
  }

  for (const locale of ['fa', 'ru', 'tr'] as const) {
    test(`${locale} is translated`, async () => {
      const texts = Object.entries(await loadTexts(locale))
      const same = texts.filter(([key, text]) => Object.entries(en).some(([name, own]) => name === key && own === text))
      expect(same).toEqual([])
    })
  }

  // Word for word from the specification.
  const specified = [
    'This action cannot be undone.',
    'Are you sure you want to delete these files?',
    'Are you sure you want to move these files?',
    'Yes, Move!',
    'No files selected!',
    'No search result found.',
    'Updated.',
    'Files deleted.',
    '%s is created.',
    '%s is renamed.',
    'The file(s) archived.',
    'The file unarchived.',
    'Files moved.',
    'The language is set to %s',
    'The selected locale is not yet supported!',
    'The selected file exceeds the maximum file size. You cannot upload files greater than %s.',
    '%s items found.',
    '%s item(s) selected.',
    'Select Path',
    'Select Files',
    'File Size',
    'Last Modified',
  ]
  test('every text of the specification is in the catalogue', () => {
    expect(specified.filter(text => !Object.values<string>(en).includes(text))).toEqual([])
  })

  test('fills in a text, and translates a message of the server with its names', async () => {
    expect(filled('%s of %s', ['1', '$&'])).toBe('1 of $&')
    const tr = await loadTexts('tr')
    expect(translated('/Photos/a.jpg no longer exists. Refresh the folder.', tr)).toBe(
      '/Photos/a.jpg orada değil. Klasörü yenileyin.',
    )
    expect(translated('There is already something named /a b. Choose another name.', tr)).toContain('/a b adında')
    expect(translated('Files deleted.', tr)).toBe('Dosyalar silindi.')
    expect(translated('Nobody knows this one.', tr)).toBeNull()
  })

  test('only Persian is written from right to left', () => {
    expect(locales.map(directionOf)).toEqual(['ltr', 'rtl', 'ltr', 'ltr'])
    expect(['en', 'de', ''].map(isLocale)).toEqual([true, false, false])
  })
})

describe('the language', () => {
  test('is set and confirmed in that language', async () => {
    const preferences = createPreferences('test', {})
    expect(await preferences.setLocale('ru')).toEqual({ kind: 'set', text: 'Выбран язык: Русский' })
    expect([preferences.locale.value, preferences.direction.value]).toEqual(['ru', 'ltr'])
    expect(await preferences.setLocale('en')).toEqual({ kind: 'set', text: 'The language is set to English' })
  })

  test('that is unknown is reported and falls back to English', async () => {
    const preferences = createPreferences('test', { locale: 'de' })
    expect(await preferences.begin()).toEqual({ kind: 'unknown', text: 'The selected locale is not yet supported!' })
    await preferences.setLocale('fa')
    expect(await preferences.setLocale('xx')).toMatchObject({ kind: 'unknown' })
    expect(preferences.locale.value).toBe('en')
  })

  test('is that of the page until the user chooses one', async () => {
    const own = createPreferences('test', { locale: 'de' })
    await own.begin()
    await own.setOptionLocale('tr')
    expect(own.locale.value).toBe('tr')
    expect(await own.setOptionLocale('de')).toMatchObject({ kind: 'unknown' })
    expect(own.locale.value).toBe('en')
    await own.setLocale('ru')
    await own.setOptionLocale('fa')
    expect(own.locale.value).toBe('ru')
  })

  test('keeps the direction of filled-in text in right-to-left messages', async () => {
    const preferences = createPreferences('test', { locale: 'fa' })
    await preferences.begin()
    expect(preferences.t('serverNone', '/a/b')).toContain('\u{2068}/a/b\u{2069}')
    const taken = 'There is already something named /a/b. Choose another name.'
    expect([preferences.localized(taken), preferences.directionOfMessage(taken)]).toEqual([
      preferences.t('serverTaken', '/a/b'),
      'rtl',
    ])
    expect([preferences.localized('Nobody knows it.'), preferences.directionOfMessage('Nobody knows it.')]).toEqual([
      'Nobody knows it.',
      'ltr',
    ])
  })

  test('dark mode is on by default; the page can set it, and the choice of the user overrides both', () => {
    const preferences = createPreferences('test', {})
    expect(preferences.dark.value).toBe(true)
    preferences.setOptionDark(false)
    expect(preferences.dark.value).toBe(false)
    preferences.toggleDark()
    preferences.setOptionDark(true)
    preferences.setOptionDark(false)
    expect(preferences.dark.value).toBe(true)
  })
})
