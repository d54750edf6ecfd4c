/** Editable XML: the text of a document in which unchanged parts keep their bytes. */
import { isUtf8 } from 'node:buffer'
import { parseXml, type XmlElement } from '../xmp/xml.ts'

/** An editable document: every byte of foreign parts is kept. */
export interface XmlSource {
  text: string
  root: XmlElement
  /** A text of the document as people read it. */
  decode: (raw: string) => string
  /** A text of ours as it is in the document; markup characters are the caller's to escape. */
  encode: (text: string) => string
  /** The document as bytes again. */
  bytesOf: (text: string) => Uint8Array
}

/** Opens a document; null for one that is not well-formed, which cannot be changed safely. */
export function openXml(bytes: Uint8Array): XmlSource | null {
  const coding = codingOf(bytes)
  if (coding === null) return null
  const { root, isExact } = parseXml(coding.text, coding.decode)
  return isExact ? { ...coding, root } : null
}

type Coding = Omit<XmlSource, 'root'>

/** UTF-16 by its mark or its first characters; all else has ASCII's markup and is taken byte by byte. */
function codingOf(bytes: Uint8Array): Coding | null {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return utf16(bytes, false)
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return utf16(bytes, true)
  const text = Buffer.from(bytes).toString('latin1')
  const isSound = isUtf8(bytes)
  return {
    text,
    decode: raw => Buffer.from(raw, 'latin1').toString('utf8'),
    encode: ours => (isSound ? Buffer.from(ours, 'utf8').toString('latin1') : asReferences(ours)),
    bytesOf: whole => new Uint8Array(Buffer.from(whole, 'latin1')),
  }
}

function asReferences(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, character => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`)
}

function utf16(bytes: Uint8Array, bigEndian: boolean): Coding | null {
  if (bytes.length % 2 === 1) return null
  const swapped = (all: Uint8Array) => (bigEndian ? Buffer.from(all).swap16() : Buffer.from(all))
  return {
    text: swapped(bytes).toString('utf16le'),
    decode: raw => raw,
    encode: ours => ours,
    bytesOf: whole => new Uint8Array(swapped(Buffer.from(whole, 'utf16le'))),
  }
}
