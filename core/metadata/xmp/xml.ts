/**
 * A lenient reader of XML for XMP packets: no schemas, no external or custom entities (so nothing to fetch or expand),
 * and truncated or badly nested parts are kept as far as possible. Every part has its offset in the text, so that a
 * change can keep everything else.
 */

export interface XmlName {
  /** Namespace URI, or the prefix itself if it is undeclared. */
  space: string
  prefix: string
  local: string
}

export interface XmlAttribute {
  name: XmlName
  value: string
  place: AttributePlace
}

export interface AttributePlace {
  /** Offset of the attribute, including the white space before it. */
  start: number
  end: number
  valueStart: number
  valueEnd: number
}

export interface XmlElement {
  name: XmlName
  /** Attributes without those that declare namespaces. */
  attributes: XmlAttribute[]
  children: XmlElement[]
  /** All the text directly inside, entities resolved. */
  text: string
  scope: Scope
  /** The element's name as written, with its prefix. */
  written: string
  start: number
  /** Offset after the start tag's '>'. */
  openEnd: number
  /** Offset of the end tag; for an empty element, of its '/>' and the white space before it. */
  closeStart: number
  end: number
  empty: boolean
}

export interface XmlDocument {
  /** A nameless element that contains the elements of the document. */
  root: XmlElement
  /** False if elements were not closed or not closed in order, or a '<' was stray. */
  wellFormed: boolean
  /** Whether the text is strictly well-formed, so that it can be changed safely. */
  isExact: boolean
}

/** Limits of depth and elements, against hostile files. */
const maxDepth = 100
const maxElements = 500_000

/** Namespaces by prefix. */
export type Scope = ReadonlyMap<string, string>

type Decode = (raw: string) => string

/** `decode` converts a part of the text to readable text, where that differs. */
export function parseXml(text: string, decode: Decode = raw => raw): XmlDocument {
  const root = newElement('', new Map([['xml', 'xml']]), 0)
  const document: XmlDocument = { root, wellFormed: true, isExact: true }
  const cutOff = () => ({ ...document, wellFormed: false, isExact: false })
  const stack = [root]
  let elements = 0
  let at = 0
  while (at < text.length) {
    const less = text.indexOf('<', at)
    const top = stack.at(-1)
    if (top === undefined) break
    if (less !== at) addText(top, text.slice(at, less < 0 ? text.length : less), decode)
    if (less < 0) break
    const skipped = skipNonElement(text, less, top, decode)
    if (skipped !== null) {
      if (skipped < 0) return cutOff()
      at = skipped
      continue
    }
    if (text[less + 1] === '/') {
      at = indexAfter(text, '>', less)
      if (at < 0) return cutOff()
      closeElement(stack, text.slice(less + 2, at - 1), less, document)
      continue
    }
    const element = readTag(text, less, top.scope, decode, document)
    if (element === null) {
      // A stray '<' in careless text.
      document.wellFormed = false
      top.text += '<'
      at = less + 1
      continue
    }
    elements++
    if (elements > maxElements || stack.length > maxDepth) return cutOff()
    top.children.push(element)
    if (!element.empty) stack.push(element)
    at = element.openEnd
  }
  const wellFormed = document.wellFormed && stack.length === 1
  Object.assign(root, { closeStart: text.length, end: text.length })
  return { root, wellFormed, isExact: wellFormed && document.isExact && root.children.length > 0 }
}

/** Skips a comment, instruction, CDATA or declaration. Returns its end; -1 if it is cut off, null if there is none. */
function skipNonElement(text: string, at: number, into: XmlElement, decode: Decode): number | null {
  if (text.startsWith('<!--', at)) return indexAfter(text, '-->', at + 4)
  if (text.startsWith('<![CDATA[', at)) {
    const end = indexAfter(text, ']]>', at)
    if (end >= 0) into.text += decode(text.slice(at + 9, end - 3))
    return end
  }
  if (text.startsWith('<?', at)) return indexAfter(text, '?>', at + 2)
  return text.startsWith('<!', at) ? indexAfter(text, '>', at) : null
}

function indexAfter(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from)
  return found < 0 ? -1 : found + end.length
}

const tagName = /<([^\s<>/=!?'"]+)/y
const attribute = /\s*([^\s<>/='"]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y
const blank = /^\s/
const tagEnd = /\s*(\/?)>/y

function readTag(text: string, start: number, outer: Scope, decode: Decode, document: XmlDocument): XmlElement | null {
  tagName.lastIndex = start
  const written = tagName.exec(text)?.[1]
  if (written === undefined) return null
  const found: (Omit<XmlAttribute, 'name'> & { name: string })[] = []
  let end = tagName.lastIndex
  attribute.lastIndex = end
  for (let match = attribute.exec(text); match !== null; match = attribute.exec(text)) {
    const [whole, name = '', double, single = ''] = match
    const raw = double ?? single
    end = attribute.lastIndex
    const place = { start: match.index, end, valueStart: end - 1 - raw.length, valueEnd: end - 1 }
    if (!blank.test(whole) || raw.includes('<')) document.isExact = false
    found.push({ name, value: resolveEntities(decode(raw)), place })
  }
  tagEnd.lastIndex = end
  const closing = tagEnd.exec(text)
  if (closing === null) return null
  if (new Set(found.map(({ name }) => name)).size < found.length) document.isExact = false
  const scope = scopeOf(outer, found)
  const element = newElement(written, scope, start)
  for (const { name, value, place } of found) {
    if (!isNamespaceDeclaration(name)) element.attributes.push({ name: nameIn(scope, name, false), value, place })
  }
  element.empty = closing[1] === '/'
  element.openEnd = tagEnd.lastIndex
  element.closeStart = element.empty ? closing.index : element.openEnd
  element.end = element.openEnd
  return element
}

/** Closes the innermost open element of that name, and all open elements inside it. */
function closeElement(stack: XmlElement[], tag: string, start: number, document: XmlDocument): void {
  const written = tag.trim()
  let n = stack.length - 1
  while (n > 0 && stack[n]?.written !== written) n--
  const element = n > 0 ? stack[n] : undefined
  if (element === undefined || n < stack.length - 1) document.wellFormed = false
  if (tag.trimEnd() !== written) document.isExact = false
  if (element === undefined) return
  element.closeStart = start
  element.end = start + 2 + tag.length + 1
  stack.length = n
}

const isNamespaceDeclaration = (name: string) => name === 'xmlns' || name.startsWith('xmlns:')

function scopeOf(outer: Scope, attributes: readonly { name: string; value: string }[]): Scope {
  let scope: Map<string, string> | null = null
  for (const { name, value } of attributes) {
    if (!isNamespaceDeclaration(name)) continue
    scope ??= new Map(outer)
    scope.set(name.slice(6), value)
  }
  return scope ?? outer
}

/** Unlike elements, attributes without a prefix are in no namespace. */
function nameIn(scope: Scope, written: string, isElement: boolean): XmlName {
  const colon = written.indexOf(':')
  const prefix = colon < 0 ? '' : written.slice(0, colon)
  const local = written.slice(colon + 1)
  if (colon < 0 && !isElement) return { space: '', prefix, local }
  return { space: scope.get(prefix) ?? prefix, prefix, local }
}

function newElement(written: string, scope: Scope, start: number): XmlElement {
  const name = nameIn(scope, written, true)
  const [openEnd, closeStart, end] = [start, start, start]
  return { name, attributes: [], children: [], text: '', scope, written, start, openEnd, closeStart, end, empty: false }
}

function addText(element: XmlElement, raw: string, decode: Decode): void {
  element.text += resolveEntities(decode(raw))
}

const namedEntities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Resolves the five entities of XML and numeric ones; all others stay as written. */
function resolveEntities(raw: string): string {
  if (!raw.includes('&')) return raw
  return raw.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return namedEntities.get(String(name)) ?? whole
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
