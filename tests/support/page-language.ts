/**
 * With TESTED_LANGUAGE=fa, pages open in that language, and so is the catalogue in this process. English names that
 * tests give to `getByRole` and its like are translated. Import this before any text.
 */
import { join } from 'node:path'
import type { Page } from 'playwright'
import type { Message, PageLanguage } from '../../web/texts/language/language.ts'

const { TESTED_LANGUAGE: code = 'en' } = process.env

/** The browser's language. */
export const testedLocale = { en: 'en-GB', fa: 'fa-IR', 'zh-Hans': 'zh-CN' }[code] ?? code

type Catalogue = Record<string, Record<string, Message>>
const pairs: { source: RegExp; names: string[]; text: string }[] = []

if (code !== 'en') {
  // Another process, because this one must not load the texts before their language is known.
  const print = `import { englishTexts, languageScript, translationOf } from '${join(import.meta.dir, '../../build/languages.ts')}'
    console.log(JSON.stringify([await languageScript('${code}'), await englishTexts(), await translationOf('${code}')]))`
  const { stdout } = Bun.spawnSync([process.execPath, '-e', print])
  const [script, english, translation]: [string, Catalogue, Catalogue] = JSON.parse(stdout.toString())
  const texts: PageLanguage['texts'] = JSON.parse(script.replace('pageLanguage.texts=', ''))
  globalThis.pageLanguage = { code, codes: ['en', code], ...(texts === undefined ? {} : { texts }) }
  const other = (message: Message | undefined) => (typeof message === 'string' ? message : (message?.other ?? ''))
  for (const [area, messages] of Object.entries(english))
    for (const [key, message] of Object.entries(messages)) {
      const source = other(message).replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      const names = [...source.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const pattern = new RegExp(`^${source.replace(/\{\w+\}/g, '(.+?)')}$`)
      pairs.push({ source: pattern, names, text: other(translation[area]?.[key]) })
    }
  pairs.sort((a, b) => b.source.source.length - a.source.source.length)
}

/** An English text of the catalogue in the tested language; other texts unchanged. */
export function translated(english: string): string {
  for (const { source, names, text } of pairs) {
    const found = source.exec(english)
    if (found !== null) return text.replace(/\{(\w+)\}/g, (gap, name: string) => found[names.indexOf(name) + 1] ?? gap)
  }
  return english
}

let isPatched = false

/** Makes the methods of pages and locators that find elements by text accept English. */
export function acceptEnglish(page: Page): void {
  if (code === 'en' || isPatched) return
  isPatched = true
  for (const prototype of [Object.getPrototypeOf(page), Object.getPrototypeOf(page.locator('body'))]) {
    const { getByRole, getByText, getByLabel } = prototype
    prototype.getByRole = function (role: string, options: { name?: string | RegExp } = {}) {
      const { name } = options
      return getByRole.call(this, role, typeof name === 'string' ? { ...options, name: translated(name) } : options)
    }
    for (const [method, find] of Object.entries({ getByText, getByLabel }))
      prototype[method] = function (text: string | RegExp, ...rest: unknown[]) {
        return find.call(this, typeof text === 'string' ? translated(text) : text, ...rest)
      }
  }
}
