/** XMP packets as a table of properties, under the usual prefixes whatever prefixes the writer chose. */
import { decodeXml } from '../text.ts'
import { parseXml, type XmlElement, type XmlName } from './xml.ts'

/** One value: a text, a list (rdf:Bag, Seq, Alt) or a structure with named fields; the others are empty. */
export interface XmpValue {
  text: string
  items: XmpValue[]
  fields: XmpProperties
  /** xml:lang of one item of a list of alternatives. */
  language?: string
}

/** Values by 'prefix:Name'. */
export type XmpProperties = ReadonlyMap<string, XmpValue>

export interface XmpPacket {
  properties: XmpProperties
  wellFormed: boolean
}

const rdfSpace = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
/** Properties that no standard has: Rotation, Recycled, albums, objects without a box, complete tag sets. */
const keepsakeNamespace = 'urn:keepsake:xmp:1.0#'

/** Prefixes by namespace. Writers that have a wrong namespace usually have the right prefix. */
const prefixes = new Map([
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://ns.adobe.com/xap/1.0/', 'xmp'],
  ['http://ns.adobe.com/exif/1.0/', 'exif'],
  ['http://cipa.jp/exif/1.0/', 'exifEX'],
  ['http://ns.adobe.com/tiff/1.0/', 'tiff'],
  ['http://ns.adobe.com/exif/1.0/aux/', 'aux'],
  ['http://ns.adobe.com/photoshop/1.0/', 'photoshop'],
  ['http://ns.adobe.com/pdf/1.3/', 'pdf'],
  ['http://ns.adobe.com/lightroom/1.0/', 'lr'],
  ['http://www.digikam.org/ns/1.0/', 'digiKam'],
  ['http://ns.microsoft.com/photo/1.0', 'MicrosoftPhoto'],
  ['http://ns.microsoft.com/photo/1.0/', 'MicrosoftPhoto'],
  ['http://ns.microsoft.com/photo/1.2/', 'MP'],
  ['http://ns.microsoft.com/photo/1.2/t/RegionInfo#', 'MPRI'],
  ['http://ns.microsoft.com/photo/1.2/t/Region#', 'MPReg'],
  ['http://www.metadataworkinggroup.com/schemas/regions/', 'mwg-rs'],
  ['http://ns.adobe.com/xmp/sType/Area#', 'stArea'],
  ['http://ns.adobe.com/xap/1.0/sType/Dimensions#', 'stDim'],
  ['http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/', 'Iptc4xmpCore'],
  ['http://iptc.org/std/Iptc4xmpExt/2008-02-29/', 'Iptc4xmpExt'],
  ['http://ns.google.com/photos/1.0/camera/', 'GCamera'],
  ['http://ns.google.com/photos/1.0/container/', 'Container'],
  ['http://ns.google.com/photos/1.0/container/item/', 'Item'],
  ['http://ns.iview-multimedia.com/mediapro/1.0/', 'mediapro'],
  ['http://ns.adobe.com/xmp/note/', 'xmpNote'],
  [keepsakeNamespace, 'keepsake'],
  [rdfSpace, 'rdf'],
])

/** Reads a packet. Damaged parts are kept as far as possible; never throws. */
export function parseXmp(bytes: Uint8Array): XmpPacket {
  const document = parseXml(decodeXml(bytes))
  const properties = new Map<string, XmpValue>()
  for (const description of descriptionsIn(document.root)) collectFields(description, properties)
  return { properties, wellFormed: document.wellFormed }
}

function descriptionsIn(element: XmlElement): XmlElement[] {
  if (isRdf(element.name, 'RDF')) return element.children.filter(child => isRdf(child.name, 'Description'))
  return element.children.flatMap(descriptionsIn)
}

function collectFields(element: XmlElement, into: Map<string, XmpValue>): void {
  for (const { name, value } of element.attributes) {
    if (isPlainAttribute(name)) addField(into, prefixedName(name), { text: value, items: [], fields: noFields })
  }
  for (const child of element.children) addField(into, prefixedName(child.name), valueIn(child))
}

const noFields: XmpProperties = new Map()

/** The first non-empty value counts. */
function addField(into: Map<string, XmpValue>, name: string, value: XmpValue): void {
  const known = into.get(name)
  if (known === undefined || isEmpty(known)) into.set(name, value)
}

function isEmpty(value: XmpValue): boolean {
  return value.items.length === 0 && value.fields.size === 0 && value.text.trim() === ''
}

/** The content of a property's element, or of a list item. */
export function valueIn(element: XmlElement): XmpValue {
  const list = element.children.find(({ name }) => isRdf(name, 'Bag') || isRdf(name, 'Seq') || isRdf(name, 'Alt'))
  if (list !== undefined) {
    const items = list.children.filter(({ name }) => isRdf(name, 'li')).map(valueIn)
    return { text: '', items, fields: noFields }
  }
  const fields = new Map<string, XmpValue>()
  collectFields(element, fields)
  const description = element.children.find(({ name }) => isRdf(name, 'Description'))
  if (description !== undefined) {
    fields.delete('rdf:Description')
    collectFields(description, fields)
  }
  const resource = element.attributes.find(({ name }) => isRdf(name, 'resource'))?.value
  const value: XmpValue = { text: fields.get('rdf:value')?.text ?? resource ?? element.text, items: [], fields }
  const language = element.attributes.find(({ name }) => name.space === 'xml' && name.local === 'lang')?.value
  if (language !== undefined) value.language = language
  return value
}

/** Whether this attribute of an rdf:Description is a property. */
export function isPlainAttribute(name: XmlName): boolean {
  return name.space !== '' && name.space !== 'xml' && name.space !== rdfSpace
}

export function isRdf(name: XmlName, local: string): boolean {
  return name.local === local && (name.space === rdfSpace || name.prefix === 'rdf')
}

/** 'prefix:Name' under the usual prefix. */
export function prefixedName(name: XmlName): string {
  return `${prefixes.get(name.space) ?? name.prefix}:${name.local}`
}

export function namespaceOf(prefix: string): string {
  for (const [space, usual] of prefixes) if (usual === prefix) return space
  throw new Error(`no namespace is known for ${prefix}`)
}

/** The text of a property: the default text of a list of alternatives, the first entry of another list. */
export function propertyText(value: XmpValue | undefined): string | undefined {
  if (value === undefined) return undefined
  const item = value.items.find(({ language }) => language === 'x-default') ?? value.items[0]
  const text = (item === undefined ? value.text : item.text).trim()
  return text === '' ? undefined : text
}

/** The texts of a list, or the one text of a property that should be a list. */
export function propertyTexts(value: XmpValue | undefined): string[] {
  if (value === undefined) return []
  const texts = value.items.length > 0 ? value.items.map(({ text }) => text.trim()) : [value.text.trim()]
  return texts.filter(text => text !== '')
}
