/** Languages of the pages: one script per language, and the script that chooses one. */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { en } from '../web/file-manager/texts/en.ts'
import { english } from '../web/texts/catalogue.ts'
import type { Message } from '../web/texts/language/language.ts'
import { serverMessages } from '../web/texts/language/server-messages.ts'

const root = join(import.meta.dir, '..')
const textsFolder = join(root, 'web/texts')
const translationsFolder = join(textsFolder, 'translations')

/** Texts by area and key. */
type Catalogue = Readonly<Record<string, Readonly<Record<string, Message>>>>

/** 'de', 'zh-Hans' … */
export function languageCodes(): string[] {
  return readdirSync(translationsFolder)
    .filter(name => name.endsWith('.ts'))
    .map(name => basename(name, '.ts'))
    .sort()
}

/** English texts by area and key, from all catalogues. */
export async function englishTexts(): Promise<typeof english> {
  for (const name of readdirSync(textsFolder, { recursive: true, encoding: 'utf8' }))
    if (/^(admin\/)?[\w-]+\.ts$/.test(name)) await import(join(textsFolder, name))
  return english
}

/** Texts by area and key. A new `importQuery`, such as `?at=1`, imports the file again. */
export async function translationOf(code: string, importQuery = ''): Promise<Catalogue> {
  if (code === pseudoLanguage) return pseudoTranslation()
  const { translation } = await import(`${join(translationsFolder, code)}.ts${importQuery}`)
  return translation
}

/** A language that no one speaks: it shows which texts are not in the catalogue, and which have no room to grow. */
export const pseudoLanguage = 'en-XA'

const accented = new Map([...'aceginosuyACEGINOSUY'].map((letter, at) => [letter, [...'åçéğîñöšûýÅÇÉĞÎÑÖŠÛÝ'][at]]))

/** '⟦Šåvé {name} ~~~⟧': with other letters, and a third longer. */
function pseudoText(text: string): string {
  const letters = text.replace(/\{\w+\}|%s|[a-z]/gi, part => accented.get(part) ?? part)
  return `⟦${letters}${'~'.repeat(Math.ceil(text.length / 3))}⟧`
}

async function pseudoTranslation(): Promise<Catalogue> {
  const all: Catalogue = {
    ...(await englishTexts()),
    server: Object.fromEntries(serverMessages.map(one => [one, one])),
    fileManager: en,
  }
  const pseudoMessage = (message: Message): Message =>
    typeof message === 'string'
      ? pseudoText(message)
      : { ...message, ...Object.fromEntries(Object.entries(message).map(([form, text]) => [form, pseudoText(text)])) }
  return Object.fromEntries(
    Object.entries(all).map(([area, messages]) => [
      area,
      Object.fromEntries(Object.entries(messages).map(([key, message]) => [key, pseudoMessage(message)])),
    ]),
  )
}

/** The script that gives the page the texts of a language. Keys are left out: they were a third of its size. */
export async function languageScript(code: string, importQuery = ''): Promise<string> {
  const { server, fileManager, ...areas } = await translationOf(code, importQuery)
  const listed = Object.entries(await englishTexts()).map(([area, messages]) => [
    area,
    Object.keys(messages).map(key => areas[area]?.[key] ?? null),
  ])
  return `pageLanguage.texts=${JSON.stringify({ areas: Object.fromEntries(listed), server, fileManager })}`
}

/** `web/shell/first.ts` for these scripts: their addresses by language. */
export async function firstScript(addresses: Readonly<Record<string, string>>): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(root, 'web/shell/first.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
    define: { languageFiles: JSON.stringify(addresses) },
  })
  // Inside the page, `</script` in a string would end the script.
  return ((await outputs[0]?.text()) ?? '').trim().replaceAll('</script', '<\\/script')
}
