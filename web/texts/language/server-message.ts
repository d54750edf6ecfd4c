/** Translates messages of the server, which are English sentences. */
import { figure, inOwnDigits } from '../../../schema/figures.ts'
import { isRightToLeft } from '../../../schema/locale.ts'
import { language } from './language.ts'

interface Pattern {
  source: RegExp
  text: string
}

/** Longer patterns come first: '{0} is missing.' must not match before a longer pattern that ends in the same way. */
function patternsOf(known: Readonly<Record<string, string>>): Pattern[] {
  return Object.entries(known)
    .flatMap(([english, text]) => (english.includes('{0}') ? { english, text } : []))
    .sort((a, b) => b.english.length - a.english.length)
    .map(({ english, text }) => {
      const source = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d\}/g, '(.+?)')
      return { source: new RegExp(`^${source}$`, 's'), text }
    })
}

let patterns: Pattern[] | null = null

/** A path or a decoder's reason inside a sentence: from right to left, it must not change the order of the sentence. */
const isolated = (value: string): string => (isRightToLeft ? `\u{2068}${value}\u{2069}` : value)

function translate(sentence: string, known: Readonly<Record<string, string>>): string {
  // A number, written in English.
  if (/^\d+$/.test(sentence)) return inOwnDigits(sentence)
  if (/^\d{1,3}(?:,\d{3})+$/.test(sentence)) return figure(Number(sentence.replaceAll(',', '')))
  const exact = known[sentence]
  if (exact !== undefined) return exact
  patterns ??= patternsOf(known)
  for (const { source, text } of patterns) {
    const values = source.exec(sentence)
    // A value may be a sentence, too.
    if (values !== null)
      return text.replace(/\{(\d)\}/g, (_, at: string) => {
        const value = values[Number(at) + 1] ?? ''
        const translated = translate(value, known)
        return translated === value ? isolated(value) : translated
      })
  }
  return sentence
}

/** The message in the language of the page, or unchanged if it is unknown. Only its first line is a sentence. */
export function serverMessage(message: string): string {
  const server = language.texts?.server
  if (server === undefined) return message
  const [sentence = '', ...lines] = message.split('\n')
  return [translate(sentence, server), ...lines].join('\n')
}
