/** XML with the places of its parts in the text, so that a change leaves everything else as it is, byte for byte. */
import { nameIn, resolveEntities, type Scope, scopeOf, type XmlElement } from '../xmp/xml.ts'

/** An element as the readers know it, with its places in the text. */
export interface SourceElement extends XmlElement {
  children: SourceElement[]
  /** With its namespaces declared so far. */
  scope: Scope
  /** As it is written, with its prefix. */
  written: string
  start: number
  /** After the start tag's '>'. */
  openEnd: number
  /** Where the end tag begins; that of an empty element is its '/>'. */
  closeStart: number
  end: number
  empty: boolean
  /** Where the attributes stand, each with the white space before it. Those that declare namespaces are left out. */
  places: AttributePlace[]
}

export interface AttributePlace {
  start: number
  end: number
  valueStart: number
  valueEnd: number
  quote: string
}

/** A document that can be changed: its characters are such that each byte of a foreign part comes out as it went in. */
export interface XmlSource {
  text: string
  root: SourceElement
  /** A text of the document as people read it. */
  decode: (raw: string) => string
  /** A text of ours as it stands in the document; markup characters are the caller's to escape. */
  encode: (text: string) => string
  /** The document as bytes again. */
  bytesOf: (text: string) => Uint8Array
}

const deepest = 100

/** Reads a document; null for one that is not well-formed, in which nothing can be changed without harm. */
export function openXml(bytes: Uint8Array): XmlSource | null {
  const coding = codingOf(bytes)
  const root = coding === null ? null : parseSource(coding.text, coding.decode)
  return coding === null || root === null ? null : { ...coding, root }
}

type Coding = Omit<XmlSource, 'root'>

/** UTF-16 by its mark or its first characters; all else has ASCII's markup and is taken byte by byte. */
function codingOf(bytes: Uint8Array): Coding | null {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return utf16(bytes, false)
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return utf16(bytes, true)
  const text = Buffer.from(bytes).toString('latin1')
  const isUtf8 = validUtf8(bytes)
  return {
    text,
    decode: raw => Buffer.from(raw, 'latin1').toString('utf8'),
    encode: ours => (isUtf8 ? Buffer.from(ours, 'utf8').toString('latin1') : asReferences(ours)),
    bytesOf: whole => new Uint8Array(Buffer.from(whole, 'latin1')),
  }
}

function validUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
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

interface Open {
  element: SourceElement
  scope: Scope
}

function parseSource(text: string, decode: (raw: string) => string): SourceElement | null {
  const scope: Scope = new Map([['xml', 'xml']])
  const root = newElement('', scope, 0)
  const stack: Open[] = [{ element: root, scope }]
  let at = 0
  for (;;) {
    const less = text.indexOf('<', at)
    const top = stack.at(-1)
    if (top === undefined) return null
    addText(top.element, text.slice(at, less < 0 ? text.length : less), decode)
    if (less < 0) break
    const aside = asideEnd(text, less, top.element, decode)
    if (aside === null) return null
    if (aside > less) {
      at = aside
      continue
    }
    if (text[less + 1] === '/') {
      const close = /^<\/([^\s<>]+)\s*>/.exec(text.slice(less, less + 1000))
      if (close === null || close[1] !== top.element.written || stack.length === 1) return null
      top.element.closeStart = less
      at = less + close[0].length
      top.element.end = at
      stack.pop()
      continue
    }
    const element = readStart(text, less, top.scope, decode)
    if (element === null || stack.length > deepest) return null
    top.element.children.push(element)
    at = element.openEnd
    if (!element.empty) stack.push({ element, scope: element.scope })
  }
  if (stack.length !== 1 || root.children.length === 0) return null
  root.openEnd = 0
  root.closeStart = text.length
  root.end = text.length
  return root
}

/** Where to go on after a comment, an instruction or the like; where it began for none, null for a cut-off one. */
function asideEnd(text: string, at: number, into: SourceElement, decode: (raw: string) => string): number | null {
  const after = (end: string, from: number) => {
    const found = text.indexOf(end, from)
    return found < 0 ? null : found + end.length
  }
  if (text.startsWith('<!--', at)) return after('-->', at + 4)
  if (text.startsWith('<?', at)) return after('?>', at + 2)
  if (text.startsWith('<![CDATA[', at)) {
    const end = after(']]>', at)
    if (end !== null) into.text += decode(text.slice(at + 9, end - 3))
    return end
  }
  if (!text.startsWith('<!', at)) return at
  const open = text.indexOf('[', at)
  const close = text.indexOf('>', at)
  return open >= 0 && open < close ? after(']>', at) : after('>', at)
}

const tagName = /<([^\s<>/=!?'"]+)/y
const attribute = /\s+([^\s<>/='"]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const tagEnd = /\s*(\/?)>/y

function readStart(text: string, at: number, outer: Scope, decode: (raw: string) => string): SourceElement | null {
  tagName.lastIndex = at
  const written = tagName.exec(text)?.[1]
  if (written === undefined) return null
  const found: { name: string; value: string; place: AttributePlace }[] = []
  let end = tagName.lastIndex
  attribute.lastIndex = end
  for (let match = attribute.exec(text); match !== null; match = attribute.exec(text)) {
    const [whole, name = '', double, single = ''] = match
    const raw = double ?? single
    const valueEnd = attribute.lastIndex - 1
    const place = {
      start: match.index,
      end: match.index + whole.length,
      valueStart: valueEnd - raw.length,
      valueEnd,
      quote: double === undefined ? "'" : '"',
    }
    found.push({ name, value: resolveEntities(decode(raw)), place })
    end = attribute.lastIndex
  }
  tagEnd.lastIndex = end
  const closing = tagEnd.exec(text)
  if (closing === null || new Set(found.map(({ name }) => name)).size < found.length) return null
  const scope = scopeOf(outer, found)
  const element = newElement(written, scope, at)
  for (const { name, value, place } of found) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) continue
    element.attributes.push({ name: nameIn(scope, name, false), value })
    element.places.push(place)
  }
  element.empty = closing[1] === '/'
  element.openEnd = tagEnd.lastIndex
  element.closeStart = element.empty ? closing.index : element.openEnd
  element.end = element.openEnd
  return element
}

function newElement(written: string, scope: Scope, start: number): SourceElement {
  return {
    name: nameIn(scope, written, true),
    attributes: [],
    children: [],
    text: '',
    scope,
    written,
    start,
    openEnd: start,
    closeStart: start,
    end: start,
    empty: false,
    places: [],
  }
}

function addText(element: SourceElement, raw: string, decode: (raw: string) => string): void {
  if (raw !== '') element.text += resolveEntities(decode(raw))
}
