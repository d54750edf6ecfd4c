/** Paths of the file manager's protocol: `/Root name/sub/file`, one text for each name that a disk can have. */
import { Failure } from '../../schema/errors.ts'
import { bytesOfText, textOf } from '../files/names.ts'
import { deceivingMarks, isInvisible } from '../files/new-names.ts'
import { isDotName } from './dot-names.ts'

/*
 * A name is written as its text. What no text can hold or no line can show as it is (bytes that are not UTF-8, control
 * characters, marks that turn the direction of what follows) is written `\xE9`, and so is the backslash itself: `\x5C`. Any
 * other spelling of the same name is refused, so that what was checked is what is opened.
 */

/** Bytes that a name may have on the disks that people use. */
const longestName = 255
/** Characters of a path: more than any system opens. */
const longestPath = 16_000

/** They would show a name as another one: `gnp.exe` as `exe.png`. */
const unshown = /[\p{Cc}\\\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const unreadable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const escaped = (text: string) =>
  [...Buffer.from(text)].map(byte => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** A name on the disk as the protocol writes it. */
export function nameOnWire(bytes: Uint8Array): string {
  return textOf(bytes, text => text.replace(unshown, escaped))
}

/** Bytes of a name as the protocol writes it; null for a text that is not how that name is written. */
function bytesOfWire(name: string): Buffer | null {
  const parts = name.split(/\\x([0-9A-F]{2})/)
  const bytes = Buffer.concat(
    parts.map((part, i) => (i % 2 === 1 ? Buffer.of(Number.parseInt(part, 16)) : bytesOfText(part))),
  )
  return nameOnWire(bytes) === name ? bytes : null
}

function refused(message: string, field: string): Failure {
  return new Failure('invalid', message, { field })
}

/** A name of a path as bytes; throws `invalid` with what is wrong with it. */
function demandName(name: string, field: string): Buffer {
  if (name === '.' || name === '..') throw refused(`'${name}' leads nowhere here: name the folder itself.`, field)
  if (unreadable.test(name)) throw refused('A path has no control characters.', field)
  const bytes = bytesOfWire(name)
  if (bytes === null || bytes.includes(0) || bytes.includes(0x2f)) {
    if (name.includes('\\')) throw refused("Names are separated by '/', and '\\' is no part of them.", field)
    throw refused('A path is written in UTF-8.', field)
  }
  if (bytes.length > longestName) throw refused(`A name has at most ${longestName} bytes.`, field)
  return bytes
}

/** Names of a virtual path as bytes, from the root's on; none for `/`. Throws `invalid` for every trick. */
export function namesOfVirtual(path: string, field = 'path'): Buffer[] {
  if (path === '' || path === '/') return []
  if (!path.startsWith('/')) throw refused("A path begins with '/'.", field)
  if (path.length > longestPath) throw refused('The path is too long.', field)
  const names = path.replace(/\/$/, '').slice(1).split('/')
  if (names.includes('')) throw refused('A path has no empty names.', field)
  return names.map(name => demandName(name, field))
}

/** The virtual path of names. */
export function virtualOf(names: readonly Uint8Array[]): string {
  return `/${names.map(nameOnWire).join('/')}`
}

/**
 * A name that somebody gives to something new: NFC, as bytes. Throws `invalid` for one that shows nothing, `.`, `..`,
 * separators, control characters, marks that turn the direction of writing, more than 255 bytes, and names that begin with a dot.
 */
export function newName(name: string, field = 'name'): Buffer {
  const plain = name.normalize('NFC')
  if (plain.trim() === '') throw refused('A name is needed.', field)
  if (isInvisible(plain)) throw refused('A name needs a character that can be seen.', field)
  if (plain === '.' || plain === '..') throw refused(`'${plain}' is no name.`, field)
  if (/[/\\]/.test(plain)) throw refused("A name has no '/' and no '\\' in it.", field)
  if (/\p{Cc}/u.test(plain)) throw refused('A name has no control characters or line breaks.', field)
  if (deceivingMarks.test(plain)) throw refused('A name has no marks that turn the direction of writing.', field)
  if (!plain.isWellFormed()) throw refused('The name is no text.', field)
  if (isDotName(plain)) throw refused('A name must not begin with a dot. Choose another name.', field)
  const bytes = bytesOfText(plain)
  if (bytes.length > longestName) throw refused(`The name has more than ${longestName} bytes.`, field)
  return bytes
}
