/** Names and paths: bytes for the file system, text for display. */

/**
 * A name's bytes are stored and used on the disk. Its `raw` string has one character (0–255) per byte: comparable with
 * `<` in byte order, and a key for a Map. Its display text is never converted back, since bytes may be lost.
 */

const slash = 0x2f
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const onlyAscii = /^[\0-\x7f]*$/

/** Bytes of a raw string. */
export function bytesOfRaw(raw: string): Buffer {
  return Buffer.from(raw, 'latin1')
}

/** A raw string of bytes, with one character for each byte. */
export function rawOf(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('latin1')
}

/** Bytes of a path from a user or a setting. */
export function bytesOfText(text: string): Buffer {
  return Buffer.from(text, 'utf8')
}

/** Display text of a name or path: UTF-8, other bytes as `\xE9`. Control characters are left; outputs remove them. */
export function displayName(bytes: Uint8Array): string {
  return displayNameWith(bytes, text => text)
}

/** Like `displayName`; `written` converts the UTF-8 parts. */
export function displayNameWith(bytes: Uint8Array, written: (text: string) => string): string {
  const whole = decoded(bytes)
  if (whole !== null) return written(whole)
  let text = ''
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i] ?? 0
    const length = lengthByLead(lead)
    const character = length === 0 || i + length > bytes.length ? null : decoded(bytes.subarray(i, i + length))
    text += character === null ? `\\x${lead.toString(16).toUpperCase().padStart(2, '0')}` : written(character)
    i += character === null ? 1 : length
  }
  return text
}

/** Like `displayName`, for a raw string; nearly all names are plain ASCII and cost nothing. */
export function displayRaw(raw: string): string {
  return onlyAscii.test(raw) ? raw : displayName(bytesOfRaw(raw))
}

/** Joins parts with `/`; empty parts are left out. */
export function joinPath(...parts: readonly Uint8Array[]): Buffer {
  const pieces: Uint8Array[] = []
  for (const part of parts) {
    if (part.length === 0) continue
    const last = pieces.at(-1)
    if (last !== undefined && last.at(-1) !== slash) pieces.push(Buffer.of(slash))
    pieces.push(part)
  }
  return Buffer.concat(pieces)
}

/** Names of a relative path, from the top. Null if one is empty (as in '/a'), `.` or `..`, or has a zero byte. */
export function componentsOf(path: Uint8Array): Buffer[] | null {
  if (path.length === 0) return []
  const raw = rawOf(path)
  if (raw.includes('\0')) return null
  const names = raw.split('/')
  if (names.some(name => name === '' || name === '.' || name === '..')) return null
  return names.map(bytesOfRaw)
}

/** The same bytes as a Buffer, without copying. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** Length of a UTF-8 character by its first byte; 0 for a byte that starts none. */
function lengthByLead(lead: number): number {
  if (lead < 0x80) return 1
  if (lead < 0xc2) return 0
  if (lead < 0xe0) return 2
  if (lead < 0xf0) return 3
  return lead < 0xf5 ? 4 : 0
}
