/** Words: splits typed text, builds queries of the search index, and matches without it. */
import { all, type Filter, nothing, type TextColumn, type TextFilter } from './filter.ts'

/** Scripts without spaces between words: each character is indexed as a word, and a run is searched as a phrase. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

/** Inserts spaces between the characters of such scripts, so that any part of a run can be found. */
export function segmented(text: string): string {
  return text.normalize('NFC').replace(unspaced, ' $& ')
}

/** Characters that are part of a word in the index; all others separate words. */
const wordPart = /[\p{L}\p{N}\p{Co}]+/gu

/** The words of a text as in the index: split, lower case, without accents. */
function tokensOf(text: string): string[] {
  const plain = segmented(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.match(wordPart) ?? []
}

/** Whether a text contains a letter or digit, and so a word. */
export function hasWord(text: string): boolean {
  return text.search(/[\p{L}\p{N}]/u) !== -1
}

/** Every word of the text must match, each in any of the columns. A text without words matches nothing. */
export function everyWord(text: string, columns: readonly TextColumn[]): Filter {
  const words = text.normalize('NFC').split(/\s+/).filter(hasWord)
  if (words.length === 0 || columns.length === 0) return nothing
  return all(words.map(word => ({ is: 'text', text: word.toLowerCase(), phrase: false, columns })))
}

/** These words one after the other, in one value. */
export function phrase(text: string, columns: readonly TextColumn[]): Filter {
  if (!hasWord(text) || columns.length === 0) return nothing
  return { is: 'text', text: text.normalize('NFC').toLowerCase(), phrase: true, columns }
}

/** Whether the index would match this condition in a value. */
export function matchesValue({ text, phrase: whole }: Pick<TextFilter, 'text' | 'phrase'>, value: string): boolean {
  const wanted = tokensOf(text)
  const words = tokensOf(value)
  const last = wanted.length - 1
  return words.some((_, at) =>
    wanted.every((token, n) => {
      const word = words[at + n]
      return word !== undefined && (n === last && !whole ? word.startsWith(token) : word === token)
    }),
  )
}

function matchOfLeaf({ text, phrase: whole, columns, terms }: TextFilter): string {
  if (terms !== undefined) return `{${columns.join(' ')}} : (${terms.map(term => `"${term}"`).join(' OR ')})`
  const quoted = `"${segmented(text).replaceAll('"', ' ')}"`
  return `{${columns.join(' ')}} : ${quoted}${whole ? '' : ' *'}`
}

/** A condition as a single query in the language of the search index, or null when it contains more than words. */
export function matchOf(filter: Filter): string | null {
  if (filter.is === 'text') return matchOfLeaf(filter)
  if (filter.is === 'or') {
    const parts = filter.of.map(matchOf)
    return parts.includes(null) ? null : parts.map(part => `(${part})`).join(' OR ')
  }
  if (filter.is !== 'and') return null
  // The index supports 'this NOT that', but not 'NOT that' alone.
  const wanted = filter.of.filter(part => part.is !== 'not').map(matchOf)
  const unwanted = filter.of.flatMap(part => (part.is === 'not' ? [matchOf(part.of)] : []))
  if (wanted.length === 0 || wanted.includes(null) || unwanted.includes(null)) return null
  const both = wanted.map(part => `(${part})`).join(' AND ')
  return unwanted.length === 0 ? both : `(${both}) NOT (${unwanted.map(part => `(${part})`).join(' OR ')})`
}
