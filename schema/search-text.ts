/** Folds texts for search, where spellings of a word find each other. Never decides whether two names are the same. */

/** Joins the letters of a Persian word without connecting them ('می‌خواهم'); many people omit it. */
export const zeroWidthNonJoiner = '\u200c'

const halfAndFullWidth = /[\uff00-\uffef]+/g

/** What remains of each letter. 'I' is not among them: in lower case, it is 'i' in every language here. */
const letters: Record<string, string> = {
  '\u0130': 'i', // İ
  '\u0131': 'i', // ı
  'i\u0307': 'i', // İ in lower case
  '\u00df': 'ss', // ß
  '\u1e9e': 'ss', // ẞ
  '\u0401': '\u0435', // Ё
  '\u0451': '\u0435', // ё
  '\u0643': '\u06a9', // Arabic kaf
  '\u0649': '\u06cc', // Arabic alef maksura
  '\u064a': '\u06cc', // Arabic yeh
}

/** These letters, Arabic vowel signs, tatweel (which stretches a word), and Arabic and Persian digits. */
const folded =
  /i\u0307|[\u0130\u0131\u00df\u1e9e\u0401\u0451\u0643\u0649\u064a]|[\u0640\u064b-\u065f\u0670\u200c]|[\u0660-\u0669\u06f0-\u06f9]/g

const ascii = /^\p{ASCII}*$/u

function foldedLetter(letter: string): string {
  const digit = letter.charCodeAt(0) & 15
  return letters[letter] ?? (/\p{Nd}/u.test(letter) ? String(digit) : '')
}

/** The text with letters that search does not tell apart replaced by one of them, in NFC. Keeps case and accents. */
export function foldForSearch(text: string): string {
  if (ascii.test(text)) return text
  return text
    .replace(halfAndFullWidth, part => part.normalize('NFKC'))
    .normalize('NFC')
    .replace(folded, foldedLetter)
}

/** The form of a text in which pages and prompts look for typed letters: folded, without accents, in lower case. */
export function searchKey(text: string): string {
  return foldForSearch(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
