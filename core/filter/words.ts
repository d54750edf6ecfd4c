/** Words: splits typed text, builds queries of the search index, and matches without it. */
import { foldForSearch, zeroWidthNonJoiner } from '../../schema/search-text.ts'
import { all, type Filter, nothing, type TextColumn, type TextFilter } from './filter.ts'

/**
 * Scripts without spaces between words, and Korean, whose words are often written together: each character is indexed as
 * a word, and a run is searched as a phrase. The last one is the mark of long vowels, which belongs to two scripts.
 */
const byCharacter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/gu

/** Separates values: a private-use character is a word to the tokenizer, so no phrase matches across two values. */
export const betweenValues = ' \uE000 '

/** Folds a text, and inserts spaces between the characters of such scripts, so that any part of a run can be found. */
const segmented = (text: string) => foldForSearch(text).replace(byCharacter, ' $& ')

/** The forms in which a text is indexed and searched: two if it has a word that is also written as two words. */
function formsOf(text: string): string[] {
  if (!text.includes(zeroWidthNonJoiner)) return [segmented(text)]
  return [segmented(text), segmented(text.replaceAll(zeroWidthNonJoiner, ' '))]
}

/** The text that the index gets for a text. */
export function indexedText(text: string): string {
  return formsOf(text).join(betweenValues)
}

const formerlyByCharacter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

/** The text that the index got before texts were folded. Rows of `search_text_due` still have it. */
export function formerIndexedText(text: string): string {
  return text.normalize('NFC').replace(formerlyByCharacter, ' $& ')
}

/** The former form of a searched text; null if the index is searched for it anyway. */
export function formerFormOf(text: string): string | null {
  const former = formerIndexedText(text)
  return formsOf(text).includes(former) ? null : former
}

/** The only form of a searched text; null if there are two. */
export function onlyFormOf(text: string): string | null {
  const [form, other] = formsOf(text)
  return form === undefined || other !== undefined ? null : form
}

/** Characters that are part of a word in the index; all others separate words. */
const wordPart = /[\p{L}\p{N}\p{Co}]+/gu

/** Latin letters with accents, and what the index takes as another form of a letter although it has no accent. */
const variants = /(?=\p{Script=Latin})\P{ASCII}|[\u0300-\u0331]|ς/gu

/** The words of a form as the tokenizer of the index finds them: in lower case, Latin letters without accents. */
function tokensOf(form: string): string[] {
  const plain = form
    .toLowerCase()
    .replace(variants, letter => (letter === 'ς' ? 'σ' : letter.normalize('NFD').replace(/[\u0300-\u0331]/g, '')))
  return plain.match(wordPart) ?? []
}

/** Whether a text contains a letter or digit, and so a word. */
export function hasWord(text: string): boolean {
  return foldForSearch(text).search(/[\p{L}\p{N}]/u) !== -1
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

function containsTokens(words: readonly string[], wanted: readonly string[], isPhrase: boolean): boolean {
  const last = wanted.length - 1
  return words.some((_, at) =>
    wanted.every((token, n) => {
      const word = words[at + n]
      return word !== undefined && (n === last && !isPhrase ? word.startsWith(token) : word === token)
    }),
  )
}

/** Whether the index would match this condition in a value. */
export function matchesValue({ text, phrase: whole }: Pick<TextFilter, 'text' | 'phrase'>, value: string): boolean {
  const values = formsOf(value).map(tokensOf)
  return formsOf(text)
    .map(tokensOf)
    .some(wanted => wanted.length > 0 && values.some(words => containsTokens(words, wanted, whole)))
}

function matchOfLeaf({ text, phrase: whole, columns, terms, former }: TextFilter): string {
  const quoted = (form: string) => `"${form.replaceAll('"', ' ')}"${whole ? '' : ' *'}`
  const forms = former === undefined ? formsOf(text) : [...formsOf(text), former]
  const parts = terms?.map(term => `"${term}"`) ?? forms.map(quoted)
  return `{${columns.join(' ')}} : ${parts.length === 1 ? parts[0] : `(${parts.join(' OR ')})`}`
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
