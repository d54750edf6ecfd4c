/** People and objects marked by other programs: regions of the Metadata Working Group and of Microsoft. */
import type { Box } from '../../../schema/boxes.ts'
import { uniteRegions } from '../file-regions.ts'
import type { FileRegion } from '../metadata.ts'
import { parseRational } from '../position.ts'
import { cleanText } from '../text.ts'
import { propertyText, type XmpProperties, type XmpValue } from './xmp.ts'

/** Class photographs have some hundred. */
const maxRegions = 1000

/** An entry of a list of regions: a region, the name of a person without a box, or null for neither. */
export type FoundRegion = FileRegion | string | null

/** The Working Group's regions of a packet, and Microsoft's with other names; and people without a box. */
export function regionsOf(properties: XmpProperties): { regions: FileRegion[]; peopleWithoutBox: string[] } {
  const info = properties.get('mwg-rs:Regions')?.fields
  const appliedTo = info && appliedToOf(info)
  const mwg = entriesOf(info?.get('mwg-rs:RegionList')).map(fields => mwgRegion(fields, appliedTo))
  const microsoft = entriesOf(properties.get('MP:RegionInfo')?.fields.get('MPRI:Regions')).map(microsoftRegion)
  const boxesOf = (found: FoundRegion[]) => found.filter(region => region !== null && typeof region !== 'string')
  return {
    regions: uniteRegions(boxesOf(mwg), boxesOf(microsoft)),
    peopleWithoutBox: [...mwg, ...microsoft].filter(region => typeof region === 'string'),
  }
}

function entriesOf(list: XmpValue | undefined): XmpProperties[] {
  return list?.items.slice(0, maxRegions).map(({ fields }) => fields) ?? []
}

/** The size of the picture that the author of MWG's regions used. `info` are the fields of mwg-rs:Regions. */
export function appliedToOf(info: XmpProperties): FileRegion['appliedTo'] {
  const dimensions = info.get('mwg-rs:AppliedToDimensions')?.fields
  const width = parseRational(propertyText(dimensions?.get('stDim:w')))
  const height = parseRational(propertyText(dimensions?.get('stDim:h')))
  return width && height ? { width, height } : undefined
}

export function mwgRegion(fields: XmpProperties, appliedTo: FileRegion['appliedTo']): FoundRegion {
  const type = propertyText(fields.get('mwg-rs:Type')) ?? 'Face'
  const name = cleanText(propertyText(fields.get('mwg-rs:Name')))
  const kind = type.toLowerCase() === 'face' ? 'person' : 'object'
  // A focus area is not an object.
  if (name === undefined && kind === 'object') return null
  const box = areaOf(fields.get('mwg-rs:Area'), appliedTo)
  if (box !== null) return { kind, name: name ?? '', ...box, frame: 'stored', appliedTo }
  return kind === 'person' && name !== undefined ? name : null
}

/** A rectangle, or a circle, whose diameter is a fraction of the shorter side; a point is not a box. */
function areaOf(area: XmpValue | undefined, size: FileRegion['appliedTo']): Box | null {
  const number = (name: string) => parseRational(propertyText(area?.fields.get(`stArea:${name}`)))
  const inPixels = propertyText(area?.fields.get('stArea:unit')) === 'pixel'
  const [scaleX, scaleY] = inPixels ? [size?.width ?? 0, size?.height ?? 0] : [1, 1]
  const x = number('x')
  const y = number('y')
  const diameter = number('d')
  const shorter = size === undefined ? 1 : Math.min(size.width, size.height)
  const width =
    number('w') ?? (diameter === undefined || inPixels ? diameter : (diameter * shorter) / (size?.width ?? 1))
  const height =
    number('h') ?? (diameter === undefined || inPixels ? diameter : (diameter * shorter) / (size?.height ?? 1))
  if (x === undefined || y === undefined || width === undefined || height === undefined) return null
  return validBox({ x: x / scaleX, y: y / scaleY, width: width / scaleX, height: height / scaleY })
}

/** An item of MPRI:Regions: Microsoft writes left, top, width and height of the picture as shown. */
export function microsoftRegion(fields: XmpProperties): FoundRegion {
  const name = cleanText(propertyText(fields.get('MPReg:PersonDisplayName')))
  const numbers = (propertyText(fields.get('MPReg:Rectangle')) ?? '').split(',').map(part => parseRational(part))
  const [left, top, width, height] = numbers
  const whole = left !== undefined && top !== undefined && width !== undefined && height !== undefined
  const box = whole ? validBox({ x: left + width / 2, y: top + height / 2, width, height }) : null
  if (box !== null) return { kind: 'person', name: name ?? '', ...box, frame: 'upright' }
  return name ?? null
}

/** Boxes may exceed the edge a little; boxes outside of the picture or without a size are invalid. */
function validBox(box: Box): Box | null {
  const inside = box.x > -0.5 && box.x < 1.5 && box.y > -0.5 && box.y < 1.5
  return inside && box.width > 0 && box.height > 0 && box.width <= 2 && box.height <= 2 ? box : null
}
