/** Changes single properties of an XMP packet and leaves everything else unchanged. */
import { product } from '../../../schema/limits.ts'
import type { AttributePlace, XmlElement } from '../xmp/xml.ts'
import { isPlainAttribute, isRdf, prefixedName } from '../xmp/xmp.ts'
import { escapeAttribute, fileText, writeNode, type XmlNode } from './xml-nodes.ts'
import { openXml, type XmlSource } from './xml-source.ts'

/** A property in a packet: an element, or an attribute of its rdf:Description. */
type Occurrence =
  | { description: XmlElement; element: XmlElement; place: null; value: string }
  | { description: XmlElement; element: null; place: AttributePlace; value: string }

export type XmpEditor = ReturnType<typeof createEditor>

const emptyPacket = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="${product}">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""/>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
`

/**
 * Opens a packet, or starts a new one if `bytes` is null or only white space; returns null for invalid XMP. With
 * `additions` off, properties are only removed, as from the second part of a packet.
 */
export function editXmp(bytes: Uint8Array | null, additions = true): XmpEditor | null {
  const isNew = bytes === null || bytes.every(byte => byte <= 0x20)
  const source = openXml(isNew ? Buffer.from(emptyPacket) : bytes)
  const rdf = source === null ? null : rdfIn(source.root)
  return source === null || rdf === null ? null : createEditor(source, rdf, additions)
}

function rdfIn(element: XmlElement): XmlElement | null {
  if (isRdf(element.name, 'RDF')) return element
  for (const child of element.children) {
    const found = rdfIn(child)
    if (found !== null) return found
  }
  return null
}

interface Splice {
  start: number
  end: number
  text: string
}

/** The packet's text with insertions and deletions. With `additions` off nothing is inserted. */
function createSplices(source: XmlSource, additions: boolean) {
  const { text } = source
  const splices: Splice[] = []
  const appended = new Map<XmlElement, { first: string[]; last: string[] }>()

  /** White space before an element, from the line break on. */
  function indentOf(element: XmlElement): string {
    const before = text.slice(blankBefore(text, element.start), element.start)
    const line = before.lastIndexOf('\n')
    return line < 0 ? '\n' : before.slice(line)
  }

  const written = (node: XmlNode, parent: XmlElement, indent: string) =>
    source.encode(writeNode(node, parent.scope, indent))

  function cut(element: XmlElement) {
    const blank = blankBefore(text, element.start)
    splices.push({ start: text[blank - 1] === '>' ? blank : element.start, end: element.end, text: '' })
  }

  function ofAppended(parent: XmlElement, { first, last }: { first: string[]; last: string[] }): Splice[] {
    if (parent.empty) {
      const content = [...first, ...last].join('')
      const end = `${source.encode(indentOf(parent))}</${parent.written}>`
      return [{ start: parent.closeStart, end: parent.end, text: `>${content}${end}` }]
    }
    const begin = { start: parent.openEnd, end: parent.openEnd, text: first.join('') }
    const at = Math.max(parent.openEnd, blankBefore(text, parent.closeStart))
    const end = at === parent.closeStart ? indentOf(parent) : ''
    const ending = { start: at, end: at, text: last.length === 0 ? '' : `${last.join('')}${end}` }
    return [begin, ending].filter(splice => splice.text !== '')
  }

  return {
    cut,
    cutAttribute: ({ start, end }: AttributePlace) => splices.push({ start, end, text: '' }),
    setAttribute({ valueStart, valueEnd }: AttributePlace, value: string) {
      splices.push({ start: valueStart, end: valueEnd, text: source.encode(escapeAttribute(fileText(value))) })
    },
    replace(element: XmlElement, parent: XmlElement, node: XmlNode) {
      if (!additions) cut(element)
      else splices.push({ start: element.start, end: element.end, text: written(node, parent, indentOf(element)) })
    },
    append(parent: XmlElement, node: XmlNode, first = false) {
      if (!additions) return
      const known = appended.get(parent) ?? { first: [], last: [] }
      appended.set(parent, known)
      const [child] = parent.children
      const indent = child === undefined ? `${indentOf(parent)} ` : indentOf(child)
      known[first ? 'first' : 'last'].push(`${indent}${written(node, parent, indent)}`)
    },
    /** The packet with all changes; `padding`: characters of white space before its end, null keeps the present. */
    bytes(padding: number | null): Uint8Array {
      const whole = spliced(text, [
        ...splices,
        ...[...appended].flatMap(([parent, lists]) => ofAppended(parent, lists)),
      ])
      return source.bytesOf(padding === null ? whole : padded(whole, padding))
    },
  }
}

function createEditor(source: XmlSource, rdf: XmlElement, additions: boolean) {
  const { cutAttribute, setAttribute, ...splices } = createSplices(source, additions)
  const { cut, replace, append } = splices
  const descriptions = rdf.children.filter(child => isRdf(child.name, 'Description'))

  /** All properties of this name ('dc:subject'), in order. */
  function occurrences(name: string): Occurrence[] {
    return descriptions.flatMap(description => {
      const attributes = description.attributes
        .filter(attribute => isPlainAttribute(attribute.name) && prefixedName(attribute.name) === name)
        .map(({ place, value }): Occurrence => ({ description, element: null, place, value }))
      const elements = description.children
        .filter(child => prefixedName(child.name) === name)
        .map((element): Occurrence => ({ description, element, place: null, value: element.text }))
      return [...attributes, ...elements]
    })
  }

  function drop({ element, place }: Occurrence) {
    if (element !== null) cut(element)
    else cutAttribute(place)
  }

  /** How to replace a field by a node; null where the structure has no such field. */
  function fieldChange(structure: XmlElement, node: XmlNode): (() => void) | null {
    const inner = structure.children.find(({ name }) => isRdf(name, 'Description'))
    for (const owner of inner === undefined ? [structure] : [inner, structure]) {
      const element = owner.children.find(child => prefixedName(child.name) === node.name)
      if (element !== undefined) return () => replace(element, owner, node)
      const place = owner.attributes.find(
        ({ name }) => isPlainAttribute(name) && prefixedName(name) === node.name,
      )?.place
      const { text: value } = node
      if (place !== undefined && value !== undefined) return () => setAttribute(place, value)
    }
    return null
  }

  /** Adds the property, or replaces it in whatever form it is. */
  function set(node: XmlNode): void {
    const all = occurrences(node.name)
    const kept = all.find(({ element }) => element !== null)
    for (const occurrence of all) if (occurrence !== kept) drop(occurrence)
    const description = all[0]?.description ?? descriptions[0]
    if (kept?.element) replace(kept.element, kept.description, node)
    else if (description !== undefined) append(description, node)
    else append(rdf, { name: 'rdf:Description', attributes: [['rdf:about', '']], children: [node] })
  }

  return {
    ...splices,
    occurrences,
    set,
    /** Replaces fields of a structure, in whatever form they are. If one is missing, changes nothing; returns false. */
    replaceFields(structure: XmlElement, nodes: readonly XmlNode[]): boolean {
      const changes = nodes.map(node => fieldChange(structure, node))
      if (changes.includes(null)) return false
      for (const change of changes) change?.()
      return true
    },
    remove(name: string) {
      for (const occurrence of occurrences(name)) drop(occurrence)
    },
    /** Like `set`, for a plain text: an attribute stays an attribute. */
    setText(name: string, value: string) {
      const [first, ...others] = occurrences(name)
      if (first === undefined || first.element !== null || !additions) return set({ name, text: value })
      setAttribute(first.place, value)
      for (const other of others) drop(other)
    },
  }
}

/** The list inside a property, with its items. */
export function itemsOf(property: XmlElement): { list: XmlElement; items: XmlElement[] } | null {
  const list = property.children.find(({ name }) => isRdf(name, 'Bag') || isRdf(name, 'Seq') || isRdf(name, 'Alt'))
  return list === undefined ? null : { list, items: list.children.filter(({ name }) => isRdf(name, 'li')) }
}

/** Offset at which the white space before a position begins. */
function blankBefore(text: string, at: number): number {
  let start = at
  while (start > 0 && ' \t\r\n'.includes(text[start - 1] ?? '')) start--
  return start
}

function spliced(text: string, splices: readonly Splice[]): string {
  const inOrder = splices.map((splice, n) => ({ ...splice, n })).sort((a, b) => a.start - b.start || a.n - b.n)
  let result = ''
  let at = 0
  for (const { start, end, text: put } of inOrder) {
    if (start < at) throw new Error('two changes of an XMP packet overlap')
    result += text.slice(at, start) + put
    at = end
  }
  return result + text.slice(at)
}

/** Adds padding before the packet's end, so that a packet in a file can grow. */
function padded(text: string, padding: number): string {
  const end = text.lastIndexOf('<?xpacket end')
  if (end < 0) return text
  const start = blankBefore(text, end)
  const lines = `\n${' '.repeat(99)}`.repeat(Math.ceil(padding / 100)).slice(0, padding)
  return `${text.slice(0, start)}${lines}\n${text.slice(end)}`
}
