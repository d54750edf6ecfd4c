/** Texts of films: Apple's keys, iTunes' list, QuickTime's user data and 3GPP's assets. */
import { ascii, i32be, u16be, u24be, u32be } from '../binary.ts'
import type { ByteSource } from '../byte-source.ts'
import { decodeText } from '../text.ts'
import { boxesIn, type ContainerBox, contentOf, findBox } from './boxes.ts'
import { addText, type Film } from './film.ts'

const longestText = 65_536
const assets = new Set(['titl', 'dscp', 'auth', 'perf', 'albm'])

/** Adds all texts of a 'udta' or 'meta' box to a film. */
export function readQuickTimeTexts(film: Film, source: ByteSource, box: ContainerBox): void {
  const put = (name: string, text: string | undefined) => addText(film, name, text)
  if (box.type === 'meta') readMeta(source, box, put)
  else {
    for (const inner of boxesIn(source, box.start, box.end)) {
      if (inner.type === 'meta') readMeta(source, inner, put)
      else if (inner.end - inner.start <= longestText) put(inner.type, userText(inner.type, contentOf(source, inner)))
    }
  }
}

type Put = (name: string, text: string | undefined) => void

/** A text of user data. Atoms with © hold length, language and text; 3GPP's hold version, language, text and NUL. */
function userText(type: string, bytes: Uint8Array): string | undefined {
  if (type.startsWith('\xa9')) {
    const length = u16be(bytes, 0)
    // Some writers leave out length and language.
    const isRegular = length > 0 && length <= bytes.length - 4
    return decodeText(isRegular ? bytes.subarray(4, 4 + length) : bytes)
  }
  if (type === 'loci') return locationOf(bytes)
  if (type === 'date') return decodeText(bytes)
  if (assets.has(type)) return assetText(bytes.subarray(6))
  return undefined
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. */
function assetText(bytes: Uint8Array): string {
  if (u16be(bytes, 0) !== 0xfeff) return decodeText(bytes)
  return new TextDecoder('utf-16be').decode(bytes.subarray(2)).split('\0')[0] ?? ''
}

/** 3GPP's location as ISO 6709: after the name and a role come longitude, latitude and altitude in 16.16 bits. */
function locationOf(bytes: Uint8Array): string | undefined {
  const nameEnd = bytes.indexOf(0, 6)
  if (nameEnd < 0) return undefined
  const degrees = (at: number) => {
    const value = i32be(bytes, nameEnd + 2 + at) / 65_536
    return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(6)}`
  }
  return `${degrees(4)}${degrees(0)}${degrees(8)}/`
}

/** A 'meta' box is a full box in MP4 and a plain one in QuickTime. */
function readMeta(source: ByteSource, meta: ContainerBox, put: Put): void {
  const isPlain = ascii(source.read(meta.start + 4, 4), 0, 4) === 'hdlr'
  const start = meta.start + (isPlain ? 0 : 4)
  const keysBox = findBox(source, start, meta.end, 'keys')
  const list = findBox(source, start, meta.end, 'ilst')
  if (list === undefined) return
  const keys = keysBox === undefined ? [] : keyNames(contentOf(source, keysBox, longestText))
  for (const entry of boxesIn(source, list.start, list.end)) {
    const index = u32be(source.read(entry.at + 4, 4), 0)
    const name = keys[index - 1] ?? entry.type
    for (const data of boxesIn(source, entry.start, entry.end)) {
      if (data.type === 'data' && data.end - data.start <= longestText) put(name, dataText(contentOf(source, data)))
    }
  }
}

function keyNames(bytes: Uint8Array): string[] {
  const names: string[] = []
  const count = u32be(bytes, 4)
  let at = 8
  for (let i = 0; i < count && at + 8 <= bytes.length; i++) {
    const length = u32be(bytes, at)
    if (length < 8) break
    names.push(decodeText(bytes.subarray(at + 8, at + length)))
    at += length
  }
  return names
}

/** Decodes type, locale and value: texts in UTF-8 or UTF-16, numbers as digits; pictures and others are ignored. */
function dataText(bytes: Uint8Array): string | undefined {
  const type = u24be(bytes, 1)
  const value = bytes.subarray(8)
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength)
  if (type === 1 || type === 0) return decodeText(value)
  if (type === 2) return new TextDecoder('utf-16be').decode(value)
  if (type === 23 && value.length >= 4) return String(view.getFloat32(0))
  if (type === 24 && value.length >= 8) return String(view.getFloat64(0))
  if ((type === 21 || type === 22) && value.length > 0 && value.length <= 4) {
    const width = value.length * 8
    const number = value.reduce((sum, byte) => sum * 256 + byte, 0)
    return String(type === 21 && number >= 2 ** (width - 1) ? number - 2 ** width : number)
  }
  return undefined
}
