/** With TESTED_LANGUAGE=fa, pages open in that language, and so are texts in this process. Import this before any text. */
import { join } from 'node:path'
import { directionOf } from '../../schema/choose-language.ts'
import type { Message, PageLanguage } from '../../web/texts/language/language.ts'

const { TESTED_LANGUAGE: code = 'en' } = process.env

/** The browser's language. */
export const testedLocale = { en: 'en-GB', fa: 'fa-IR', 'zh-Hans': 'zh-CN' }[code] ?? code

/** Texts that are not in the tested language: English ones that it has no use for. Empty for English. */
export const englishOnly = new Set<string>()

type Catalogue = Record<string, Record<string, Message>>
const formsOf = (catalogue: Catalogue) =>
  Object.values(catalogue).flatMap(messages =>
    Object.values(messages).flatMap(message => (typeof message === 'string' ? message : Object.values(message))),
  )

if (code !== 'en') {
  // Another process, because this one must not load the texts before their language is known.
  const print = `import { englishTexts, languageScript, translationOf } from '${join(import.meta.dir, '../../build/languages.ts')}'
    console.log(JSON.stringify([await languageScript('${code}'), await englishTexts(), await translationOf('${code}')]))`
  const { stdout } = Bun.spawnSync([process.execPath, '-e', print])
  const [script, english, translation]: [string, Catalogue, Catalogue] = JSON.parse(stdout.toString())
  const texts: PageLanguage['texts'] = JSON.parse(script.replace('pageLanguage.texts=', ''))
  globalThis.pageLanguage = { code, codes: ['en', code], ...(texts === undefined ? {} : { texts }) }
  // For the digits of numbers in texts.
  Object.assign(globalThis, { document: { documentElement: { lang: testedLocale, dir: directionOf(code) } } })
  const translated = new Set(formsOf(translation))
  for (const text of formsOf(english)) if (!text.includes('{') && !translated.has(text)) englishOnly.add(text)
}
