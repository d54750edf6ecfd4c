/** Where a managed collection puts a file: the folder by its date and category, and the name by its date. Pure. */
import { isInvisible } from '../files/new-names.ts'
import { formatLocalTime, monthNames } from '../kernel/clock.ts'
import { ignoredName } from '../media/formats/sniff.ts'

/** Input for folder and name. */
export interface FolderFacts {
  /** Local time read as if UTC, in seconds. */
  taken: number
  /** The first of its categories; null when it has none. */
  category: string | null
}

/** Longest folder name, in bytes of UTF-8: the systems' 255 with room for suffixes. */
const longestFolder = 120
/** Longest prefix of a file name: date, number and extension come after it. */
const longestPrefix = 150

// Separators of every system, characters that Windows rejects in names, and those that only change how a name looks.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches control characters
const unsafe = /[\u0000-\u001f\u007f-\u009f/\\<>:"|?*]/g
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/i

function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  let kept = ''
  let length = 0
  for (const character of text) {
    length += Buffer.byteLength(character)
    if (length > bytes) break
    kept += character
  }
  return kept
}

/** A folder name for every system and for scans, or ''. A slash does not separate: 'Trips/Italy' is 'Trips-Italy'. */
export function safeFolder(word: string): string {
  const plain = word.normalize('NFC').replace(invisible, '').replace(unsafe, '-')
  const trimmed = cut(plain.replace(/^[\s.]+/, ''), longestFolder).replace(/[\s.]+$/, '')
  const free = trimmed.replace(reserved, '$1_')
  if (isInvisible(free)) return ''
  return ignoredName(free, 'dir') ? `${free}_` : free
}

/** 'YYYY', 'MM', 'DD', 'HH', 'MM', 'SS'. */
function dateParts(taken: number): string[] {
  return formatLocalTime(taken).split(/[-: ]/)
}

/** Folder names for a validated format (`folderFormatFault`); without empty ones, such as an empty {Category}. */
export function foldersOf(format: string, { taken, category }: FolderFacts): string[] {
  const [year = '', month = ''] = dateParts(taken)
  const values: Record<string, string> = {
    Year: year,
    Month: month,
    MonthName: monthNames[Number(month) - 1] ?? '',
    // A slash in a category must not separate folders.
    Category: category === null ? '' : safeFolder(category),
  }
  return format
    .split('/')
    .map(part => {
      const filled = part.replace(/\{(\w+)\}/g, (_, token: string) => values[token] ?? '')
      const lacksCategory = part.includes('{Category}') && values.Category === ''
      // Without a category, '{Year}-{Category}' becomes '2019'.
      return safeFolder(lacksCategory ? filled.replace(/^[-_\s]+|[-_\s]+$/g, '') : filled)
    })
    .filter(folder => folder !== '')
}

/** The name without its extension: prefix, day and time of day. */
export function stemOf(prefix: string, { taken }: FolderFacts): string {
  const [year, month, day, hour, minute, second] = dateParts(taken)
  const before = prefix
    .normalize('NFC')
    .replace(invisible, '')
    .replace(unsafe, '-')
    .replace(/^[\s.]+/, '')
  return `${cut(before, longestPrefix)}${year}${month}${day}_${hour}${minute}${second}`
}

/** Key for comparing names where systems may treat two as one: ignores case and Unicode normalization. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** Adds a number to a stem, for a name that exists already. The first number is 2. */
export function numbered(stem: string, n: number): string {
  return n === 1 ? stem : `${stem}_${n}`
}

/** Whether a stem is the wanted one already, with or without a number: a sort does not change it. */
export function isNumbered(stem: string, wanted: string): boolean {
  const key = nameKey(stem)
  const base = nameKey(wanted)
  return key === base || (key.startsWith(`${base}_`) && /^(?:[2-9]|[1-9]\d{1,8})$/.test(key.slice(base.length + 1)))
}
