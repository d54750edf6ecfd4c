/** Writes people and objects: MWG's regions, Microsoft's if the packet has some, and lists of names. */
import { comparable } from '../file-regions.ts'
import type { FileRegion } from '../metadata.ts'
import { type ItemRegion, isUpright, regionFromFile, regionToFile, type StoredPicture } from '../regions.ts'
import type { XmlElement } from '../xmp/xml.ts'
import { isRdf, prefixedName, valueIn } from '../xmp/xmp.ts'
import { appliedToOf, type FoundRegion, microsoftRegion, mwgRegion } from '../xmp/xmp-regions.ts'
import { isSameRegion, type WantedTags, type WrittenSet } from './written-tags.ts'
import { fileText, type XmlNode } from './xml-nodes.ts'
import { itemsOf, type XmpEditor } from './xmp-editor.ts'

/** Writes people and objects, as far as `sets` includes them; other entries are kept. */
export function writeRegions(
  editor: XmpEditor,
  wanted: WantedTags,
  sets: ReadonlySet<WrittenSet>,
  picture: StoredPicture | null,
): void {
  const kinds = (['person', 'object'] as const).filter(kind => sets.has(kind === 'person' ? 'People' : 'Object'))
  if (picture !== null) {
    writeMwg(editor, wanted, kinds, picture)
    if (kinds.includes('person')) writeMicrosoft(editor, wanted, picture)
  }
  if (!kinds.includes('person')) return
  // Places need the picture's size: without it only names are written.
  const unplaced =
    picture === null ? wanted.regions.filter(({ kind }) => kind === 'person').map(({ name }) => name) : []
  writePeople(editor, { ...wanted, people: [...new Set([...wanted.people, ...unplaced])] })
}

function writeMwg(
  editor: XmpEditor,
  wanted: WantedTags,
  kinds: readonly ItemRegion['kind'][],
  picture: StoredPicture,
): void {
  const name = 'mwg-rs:Regions'
  const regions = wanted.regions.filter(({ kind }) => kinds.includes(kind))
  const [first, ...others] = editor.occurrences(name)
  const list = first?.element ? listIn(first.element, 'mwg-rs:RegionList') : null
  if (!first?.element || list === null || others.length > 0) {
    const items = regions.map(region => mwgItem(regionToFile(region, picture, 'stored')))
    if (items.length === 0) editor.remove(name)
    else editor.set(mwgProperty(items, picture))
    return
  }
  const appliedTo = appliedToOf(valueIn(first.element).fields)
  const frame = isUpright({ frame: 'stored', appliedTo }, picture) ? 'upright' : 'stored'
  rewrite(editor, first.element, list, {
    wanted: regions,
    people: wanted.people,
    picture,
    read: item => mwgRegion(valueIn(item).fields, appliedTo),
    isOurs: region => typeof region === 'string' || kinds.includes(region.kind),
    write: region => mwgItem(regionToFile(region, picture, frame)),
  })
}

function writeMicrosoft(editor: XmpEditor, wanted: WantedTags, picture: StoredPicture): void {
  const name = 'MP:RegionInfo'
  const [first] = editor.occurrences(name)
  const list = first?.element ? listIn(first.element, 'MPRI:Regions') : null
  if (!first?.element || list === null) {
    editor.remove(name)
    return
  }
  rewrite(editor, first.element, list, {
    wanted: wanted.regions.filter(({ kind }) => kind === 'person'),
    people: wanted.people,
    picture,
    read: item => microsoftRegion(valueIn(item).fields),
    isOurs: () => true,
    write: region => microsoftItem(regionToFile(region, picture, 'upright')),
  })
}

interface Rewriting {
  wanted: readonly ItemRegion[]
  /** Names without a place. */
  people: readonly string[]
  picture: StoredPicture
  read: (item: XmlElement) => FoundRegion
  isOurs: (region: FileRegion | string) => boolean
  write: (region: ItemRegion) => XmlNode
}

/** Keeps wanted entries with the additions of other programs, and foreign entries; adds new ones, removes the rest. */
function rewrite(editor: XmpEditor, property: XmlElement, list: XmlElement, how: Rewriting): void {
  const missing = [...how.wanted]
  let gone: XmlElement[] = []
  const left: { item: XmlElement; known: ItemRegion }[] = []
  const items = list.children.filter(({ name }) => isRdf(name, 'li'))
  for (const item of items) {
    const region = how.read(item)
    if (region === null || !how.isOurs(region)) continue
    if (typeof region === 'string') {
      if (!how.people.some(name => comparable(name) === comparable(region))) gone.push(item)
      continue
    }
    if (region.name === '') continue
    const known = regionFromFile(region, how.picture)
    const at = known === null ? -1 : missing.findIndex(other => isSameRegion(other, known))
    if (at >= 0) missing.splice(at, 1)
    else if (known === null) gone.push(item)
    else left.push({ item, known })
  }
  /** Changes an entry to the first missing region that matches; false if none does, or if it cannot be changed. */
  const reuse = ({ item, known }: (typeof left)[number], matches: (region: ItemRegion) => boolean) => {
    const at = missing.findIndex(region => region.kind === known.kind && matches(region))
    const region = missing[at]
    if (region === undefined || !editor.replaceFields(item, changedFields(how.write(region), region, known)))
      return false
    missing.splice(at, 1)
    return true
  }
  const unmatched = left.filter(one => !reuse(one, region => comparable(region.name) === comparable(one.known.name)))
  const unwanted = unmatched.filter(
    one => !reuse(one, region => isSameRegion({ ...region, name: one.known.name }, one.known)),
  )
  gone = [...gone, ...unwanted.map(({ item }) => item)]
  if (missing.length === 0 && gone.length === items.length) {
    editor.cut(property)
    return
  }
  for (const item of gone) editor.cut(item)
  for (const region of missing) editor.append(list, how.write(region))
}

/** The fields to replace: the place of a moved entry, and the name of a renamed one. */
function changedFields({ children = [] }: XmlNode, region: ItemRegion, known: ItemRegion): XmlNode[] {
  const isMoved = !isSameRegion({ ...region, name: known.name }, known)
  const isRenamed = comparable(region.name) !== comparable(known.name)
  return children.filter(({ name }) => (places.has(name) && isMoved) || (names.has(name) && isRenamed))
}

const places = new Set(['mwg-rs:Area', 'MPReg:Rectangle'])
const names = new Set(['mwg-rs:Name', 'MPReg:PersonDisplayName'])

/** The Bag, Seq or Alt of a list in a field of a structure, in whatever form it is written. */
function listIn(property: XmlElement, field: string): XmlElement | null {
  const inner = property.children.find(({ name }) => isRdf(name, 'Description')) ?? property
  const owner = inner.children.find(child => prefixedName(child.name) === field)
  return owner === undefined ? null : (itemsOf(owner)?.list ?? null)
}

function mwgProperty(items: readonly XmlNode[], { width, height }: StoredPicture): XmlNode {
  return {
    name: 'mwg-rs:Regions',
    attributes: [['rdf:parseType', 'Resource']],
    children: [
      {
        name: 'mwg-rs:AppliedToDimensions',
        attributes: [
          ['stDim:w', String(width)],
          ['stDim:h', String(height)],
          ['stDim:unit', 'pixel'],
        ],
      },
      { name: 'mwg-rs:RegionList', children: [{ name: 'rdf:Bag', children: items }] },
    ],
  }
}

/** Rounds to ten millionths: much less than a pixel in the largest pictures, and exact for the library. */
const fraction = (value: number) => value.toFixed(7).replace(/\.?0+$/, '')

function mwgItem({ kind, name, x, y, width, height }: FileRegion): XmlNode {
  return {
    name: 'rdf:li',
    attributes: [['rdf:parseType', 'Resource']],
    children: [
      {
        name: 'mwg-rs:Area',
        attributes: [
          ['stArea:x', fraction(x)],
          ['stArea:y', fraction(y)],
          ['stArea:w', fraction(width)],
          ['stArea:h', fraction(height)],
          ['stArea:unit', 'normalized'],
        ],
      },
      { name: 'mwg-rs:Name', text: name },
      { name: 'mwg-rs:Type', text: kind === 'person' ? 'Face' : 'Object' },
    ],
  }
}

function microsoftItem({ name, x, y, width, height }: FileRegion): XmlNode {
  const box = [x - width / 2, y - height / 2, width, height].map(fraction).join(', ')
  return {
    name: 'rdf:li',
    attributes: [['rdf:parseType', 'Resource']],
    children: [
      { name: 'MPReg:Rectangle', text: box },
      { name: 'MPReg:PersonDisplayName', text: name },
    ],
  }
}

/** Writes Iptc4xmpExt:PersonInImage, which lists people without a place; people with a place may stay in it. */
function writePeople(editor: XmpEditor, { regions, people }: WantedTags): void {
  const name = 'Iptc4xmpExt:PersonInImage'
  const shown = new Set([...people, ...regions.filter(({ kind }) => kind === 'person').map(one => one.name)])
  const namesBefore = editor.occurrences(name).flatMap(({ element, value }) => {
    const items = element === null ? undefined : itemsOf(element)?.items.map(({ text }) => text)
    return (items ?? [value]).map(text => text.trim())
  })
  const kept = namesBefore.filter(text => shown.has(text))
  const names = [...kept, ...people.filter(person => !kept.includes(person))].map(fileText).filter(text => text !== '')
  if (names.length === 0) editor.remove(name)
  else if (JSON.stringify(names) !== JSON.stringify(namesBefore)) {
    editor.set({ name, children: [{ name: 'rdf:Bag', children: names.map(text => ({ name: 'rdf:li', text })) }] })
  }
}
