/** Editable XML: the text of a document whose unchanged parts keep their bytes. */
import { isUtf8 } from 'node:buffer'
import { parseXml, type XmlElement } from '../xmp/xml.ts'

export interface XmlSource {
  text: string
  root: XmlElement
  /** Encodes a new text for the document; the caller escapes markup characters. */
  encode: (text: string) => string
  /** Converts the text back to the document's bytes. */
  bytesOf: (text: string) => Uint8Array
}

/** Opens a document whose markup is ASCII. Null if not well-formed or in UTF-16, which cannot be changed safely. */
export function openXml(bytes: Uint8Array): XmlSource | null {
  const text = Buffer.from(bytes).toString('latin1')
  const { root, isExact } = parseXml(text, raw => Buffer.from(raw, 'latin1').toString('utf8'))
  if (!isExact) return null
  const isSound = isUtf8(bytes)
  return {
    text,
    root,
    encode: ours => (isSound ? Buffer.from(ours, 'utf8').toString('latin1') : asReferences(ours)),
    bytesOf: whole => new Uint8Array(Buffer.from(whole, 'latin1')),
  }
}

function asReferences(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, character => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`)
}
