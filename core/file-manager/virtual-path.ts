/** Paths of the file manager's protocol: `/Root name/sub/file`, one text for each name that a disk can have. */
import { Failure, type Sentence, sentence } from '../../schema/errors.ts'
import { bytesOfText, displayNameWith } from '../files/names.ts'
import { deceivingMarks, isInvisible } from '../files/new-names.ts'
import { isDotName } from './dot-names.ts'

/*
 * A name is written as its text. Bytes that no text can hold or no line can show (invalid UTF-8, control characters,
 * marks that change the direction of text) are written `\xE9`, and the backslash itself `\x5C`. Any other spelling of
 * the same name is rejected, so that the name that was checked is the one that is opened.
 */

/** Maximum length in bytes of a name on common disks. */
const maxNameBytes = 255
/** Maximum length of a path in characters, longer than any that a system opens. */
const maxPathLength = 16_000

/** Characters that are escaped: the backslash, and others that could disguise a name (`gnp.exe` as `exe.png`). */
const toEscape = /[\p{Cc}\\\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const unreadable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const escaped = (text: string) =>
  [...Buffer.from(text)].map(byte => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** Encodes a name of the disk for the protocol. */
export function nameOnWire(bytes: Uint8Array): string {
  return displayNameWith(bytes, text => text.replace(toEscape, escaped))
}

/** Decodes a name of the protocol to bytes; null for a text that is not the canonical spelling. */
function bytesOfWire(name: string): Buffer | null {
  const parts = name.split(/\\x([0-9A-F]{2})/)
  const bytes = Buffer.concat(
    parts.map((part, i) => (i % 2 === 1 ? Buffer.of(Number.parseInt(part, 16)) : bytesOfText(part))),
  )
  return nameOnWire(bytes) === name ? bytes : null
}

function refused(message: string | Sentence, field: string): Failure {
  return new Failure('invalid', message, { field })
}

/** A name of a path as bytes; throws `invalid` with the reason. */
function requireName(name: string, field: string): Buffer {
  if (name === '.' || name === '..')
    throw refused(sentence`'${name}' is not allowed in a path: write the path of the folder itself.`, field)
  if (unreadable.test(name)) throw refused('A path has no control characters.', field)
  const bytes = bytesOfWire(name)
  if (bytes === null || bytes.includes(0) || bytes.includes(0x2f)) {
    if (name.includes('\\')) throw refused("Names in a path are separated by '/' and do not contain '\\'.", field)
    throw refused('A path is written in UTF-8.', field)
  }
  if (bytes.length > maxNameBytes) throw refused(sentence`A name has at most ${maxNameBytes} bytes.`, field)
  return bytes
}

/** Names of a virtual path as bytes, starting with the root's; none for `/`. Throws `invalid` for malformed paths. */
export function namesOfVirtual(path: string, field = 'path'): Buffer[] {
  if (path === '' || path === '/') return []
  if (!path.startsWith('/')) throw refused("A path begins with '/'.", field)
  if (path.length > maxPathLength) throw refused('The path is too long.', field)
  const names = path.replace(/\/$/, '').slice(1).split('/')
  if (names.includes('')) throw refused('A path has no empty names.', field)
  return names.map(name => requireName(name, field))
}

/** Joins names to a virtual path. */
export function virtualOf(names: readonly Uint8Array[]): string {
  return `/${names.map(nameOnWire).join('/')}`
}

/**
 * The name for a new entry: NFC, as bytes. Throws `invalid` if it is blank, begins with a dot, has more than 255 bytes,
 * or has separators, control characters or marks that change the direction of text.
 */
export function newName(name: string, field = 'name'): Buffer {
  const plain = name.normalize('NFC')
  if (plain.trim() === '') throw refused('Enter a name.', field)
  if (isInvisible(plain)) throw refused('A name needs at least one visible character.', field)
  if (plain === '.' || plain === '..') throw refused(sentence`'${plain}' is not a valid name.`, field)
  if (/[/\\]/.test(plain)) throw refused("A name must not contain '/' or '\\'.", field)
  if (/\p{Cc}/u.test(plain)) throw refused('A name must not contain control characters or line breaks.', field)
  if (deceivingMarks.test(plain))
    throw refused('A name must not contain characters that change the writing direction.', field)
  if (!plain.isWellFormed()) throw refused('The name is not valid text.', field)
  if (isDotName(plain)) throw refused('A name must not begin with a dot. Choose another name.', field)
  const bytes = bytesOfText(plain)
  if (bytes.length > maxNameBytes) throw refused(sentence`The name has more than ${maxNameBytes} bytes.`, field)
  return bytes
}
