/**
 * A forgiving reader of XML for XMP packets: no schemas, no external or custom entities (so no way to make it fetch or
 * explode), and what is cut off or badly nested is kept as far as it goes.
 */

export interface XmlElement {
  /** 'namespace-URI local', or the name as written where its prefix is not declared. */
  name: XmlName
  attributes: { name: XmlName; value: string }[]
  children: XmlElement[]
  /** All the text directly inside, entities resolved. */
  text: string
}

export interface XmlName {
  /** Namespace URI, or the prefix itself where nobody declared it. */
  space: string
  prefix: string
  local: string
}

export interface XmlDocument {
  /** A nameless element that holds the document's. */
  root: XmlElement
  /** False when elements were not closed or not closed in order. */
  wellFormed: boolean
}

/** Nobody nests a hundred levels or writes half a million elements, except to see what happens. */
const deepest = 100
const mostElements = 500_000

/** Namespaces by prefix. */
export type Scope = ReadonlyMap<string, string>

interface Open {
  element: XmlElement
  written: string
  scope: Scope
}

export function parseXml(text: string): XmlDocument {
  const root = newElement({ space: '', prefix: '', local: '' })
  const stack: Open[] = [{ element: root, written: '', scope: new Map([['xml', 'xml']]) }]
  let wellFormed = true
  let elements = 0
  let at = 0
  while (at < text.length) {
    const less = text.indexOf('<', at)
    const top = stack[stack.length - 1]
    if (top === undefined) break
    if (less !== at) addText(top.element, text.slice(at, less < 0 ? text.length : less))
    if (less < 0) break
    const skipped = skipAside(text, less, top.element)
    if (skipped !== null) {
      if (skipped < 0) return { root, wellFormed: false }
      at = skipped
      continue
    }
    if (text[less + 1] === '/') {
      const end = text.indexOf('>', less)
      if (end < 0) return { root, wellFormed: false }
      if (!closeElement(stack, text.slice(less + 2, end).trim())) wellFormed = false
      at = end + 1
      continue
    }
    const tag = readTag(text, less)
    if (tag === null) {
      // A stray '<' in careless text.
      wellFormed = false
      addText(top.element, '<')
      at = less + 1
      continue
    }
    elements++
    if (elements > mostElements || stack.length > deepest) return { root, wellFormed: false }
    const scope = scopeOf(top.scope, tag.attributes)
    const element = newElement(nameIn(scope, tag.name, true))
    for (const { name, value } of tag.attributes) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) {
        element.attributes.push({ name: nameIn(scope, name, false), value })
      }
    }
    top.element.children.push(element)
    if (!tag.empty) stack.push({ element, written: tag.name, scope })
    at = tag.end
  }
  return { root, wellFormed: wellFormed && stack.length === 1 }
}

/** Comments, processing instructions, CDATA and declarations: where to go on, -1 at a cut-off one, null for none. */
function skipAside(text: string, at: number, into: XmlElement): number | null {
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4)
  if (text.startsWith('<![CDATA[', at)) {
    const end = text.indexOf(']]>', at)
    if (end < 0) return -1
    into.text += text.slice(at + 9, end)
    return end + 3
  }
  if (text.startsWith('<?', at)) return after(text, '?>', at + 2)
  if (!text.startsWith('<!', at)) return null
  const open = text.indexOf('[', at)
  const close = text.indexOf('>', at)
  // A document type with an internal subset ends with ']>'; what it declares is of no interest.
  return open >= 0 && open < close ? after(text, ']>', at) : after(text, '>', at)
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from)
  return found < 0 ? -1 : found + end.length
}

interface Tag {
  name: string
  attributes: { name: string; value: string }[]
  empty: boolean
  end: number
}

const tagName = /<([^\s<>/=!?'"]+)/y
const attribute = /\s*([^\s<>/='"]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y
const tagEnd = /\s*(\/?)>/y

function readTag(text: string, at: number): Tag | null {
  tagName.lastIndex = at
  const name = tagName.exec(text)?.[1]
  if (name === undefined) return null
  const attributes: Tag['attributes'] = []
  attribute.lastIndex = tagName.lastIndex
  let end = attribute.lastIndex
  for (let found = attribute.exec(text); found !== null; found = attribute.exec(text)) {
    attributes.push({ name: found[1] ?? '', value: resolveEntities(found[2] ?? found[3] ?? '') })
    end = attribute.lastIndex
  }
  tagEnd.lastIndex = end
  const closing = tagEnd.exec(text)
  return closing === null ? null : { name, attributes, empty: closing[1] === '/', end: tagEnd.lastIndex }
}

/** Closes the innermost open element of that name, and with it all that was left open inside. */
function closeElement(stack: Open[], written: string): boolean {
  for (let i = stack.length - 1; i > 0; i--) {
    if (stack[i]?.written === written) {
      const inOrder = i === stack.length - 1
      stack.length = i
      return inOrder
    }
  }
  return false
}

/** The namespaces inside an element with these attributes. */
export function scopeOf(outer: Scope, attributes: Tag['attributes']): Scope {
  let scope: Map<string, string> | null = null
  for (const { name, value } of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    scope ??= new Map(outer)
    scope.set(name === 'xmlns' ? '' : name.slice(6), value)
  }
  return scope ?? outer
}

/** Unlike elements, attributes without a prefix are in no namespace. */
export function nameIn(scope: Scope, written: string, isElement: boolean): XmlName {
  const colon = written.indexOf(':')
  const prefix = colon < 0 ? '' : written.slice(0, colon)
  const local = written.slice(colon + 1)
  if (colon < 0 && !isElement) return { space: '', prefix, local }
  return { space: scope.get(prefix) ?? prefix, prefix, local }
}

function newElement(name: XmlName): XmlElement {
  return { name, attributes: [], children: [], text: '' }
}

function addText(element: XmlElement, raw: string): void {
  element.text += resolveEntities(raw)
}

const namedEntities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** The five entities of XML and numbers; all others stay as they are written. */
export function resolveEntities(raw: string): string {
  if (!raw.includes('&')) return raw
  return raw.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return namedEntities.get(String(name)) ?? whole
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
