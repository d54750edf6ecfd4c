/** Text in metadata blocks, whose encoding is seldom declared: UTF-8 if it is valid, Windows Latin otherwise. */

const utf8 = new TextDecoder('utf-8', { fatal: true })
const lenientUtf8 = new TextDecoder('utf-8')
const windowsLatin = new TextDecoder('windows-1252')
const utf16le = new TextDecoder('utf-16le')
const utf16be = new TextDecoder('utf-16be')

/** Decodes up to the first NUL; surrounding blanks are dropped. Never throws. */
export function decodeText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  const used = end < 0 ? bytes : bytes.subarray(0, end)
  return decodeUtf8OrLatin(used).trim()
}

export function decodeUtf8OrLatin(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return windowsLatin.decode(bytes)
  }
}

export function decodeLatin(bytes: Uint8Array): string {
  return windowsLatin.decode(bytes)
}

/** UCS-2 as Windows writes its XP fields; a NUL ends it. */
export function decodeUtf16le(bytes: Uint8Array): string {
  const text = utf16le.decode(bytes)
  const end = text.indexOf('\0')
  return (end < 0 ? text : text.slice(0, end)).trim()
}

/** An XML document: UTF-8, or UTF-16 by its byte order mark; bad bytes become U+FFFD. */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16be.decode(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16le.decode(bytes)
  return lenientUtf8.decode(bytes)
}

/** Trimmed and not empty, else undefined. Control characters other than line breaks and tabs are dropped. */
export function cleanText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '').trim()
  return clean === '' ? undefined : clean
}
