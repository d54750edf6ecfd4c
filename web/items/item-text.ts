/** Texts about an item: its caption, its accessible name, and the lines about camera and file. Pure. */
import type { Item, ItemDetails } from '../../schema/api/items.ts'
import { inOwnDigits, sizeText } from '../../schema/figures.ts'
import { ownLocale } from '../../schema/locale.ts'
import { durationText, longDate } from '../kit/dates.ts'
import { listText } from '../kit/words.ts'
import { baseTexts } from '../texts/base.ts'
import { serverMessage } from '../texts/language/server-message.ts'

/** What every screen shows for an item that does not exist or that the user may not see. */
export const imageNotFound = baseTexts.imageNotFound

/** Second line of a card: the categories or, if there are none, the keywords; '' without either. */
export function captionOf({ tags }: Pick<Item, 'tags'>): string {
  const category = tags.Category?.data ?? []
  const entries = category.length > 0 ? category : (tags.Keywords?.data ?? [])
  return entries.map(({ content }) => content).join(', ')
}

/** The Rotation property in degrees; 0 if there is none. */
export function rotationOf({ properties }: Pick<Item, 'properties'>): number {
  const value = Number(properties.find(({ name }) => name === 'Rotation')?.value ?? 0)
  return Number.isFinite(value) ? value : 0
}

/** Accessible name, such as 'Saturday, 25 August 2012, Dunes, video of 3:12'. */
export function accessibleName(item: Item): string {
  const parts = [longDate(item.taken)]
  const caption = captionOf(item)
  if (caption !== '') parts.push(caption)
  else if (item.tags.Description !== undefined) parts.push(item.tags.Description.data)
  if (item.type === 'video')
    parts.push(item.duration === null ? baseTexts.video : baseTexts.videoOf({ duration: durationText(item.duration) }))
  if (item.live) parts.push(baseTexts.livePhoto)
  if (item.rating !== null && item.rating > 0) parts.push(baseTexts.starCount({ count: item.rating }))
  if (item.problem !== null) parts.push(serverMessage(item.problem))
  return parts.join(', ')
}

function exposureText(seconds: number): string {
  if (seconds >= 0.3) return `${Number(seconds.toFixed(1))} s`
  return `1/${Math.round(1 / seconds)} s`
}

/** For example `name` 'JVC GR-DC2000' and `settings` '1/60 s · f/2 · ISO 160 · 5.4 mm'; '' for what is unknown. */
export function cameraLines({ camera }: Pick<ItemDetails, 'camera'>): { name: string; settings: string; lens: string } {
  const { make = '', model = '', lens = '', exposure, aperture, iso, focalLength } = camera
  // Many models already start with the make, or with its first word.
  const name = model.toLowerCase().startsWith(make.split(' ')[0]?.toLowerCase() ?? '') ? model : `${make} ${model}`
  const settings = [
    exposure === undefined || exposure <= 0 ? '' : exposureText(exposure),
    aperture === undefined ? '' : `f/${Number(aperture.toFixed(1))}`,
    iso === undefined ? '' : baseTexts.isoValue({ iso: String(iso) }),
    focalLength === undefined ? '' : `${Number(focalLength.toFixed(1))} mm`,
  ]
  return { name: (name === '' ? make : name).trim(), settings: settings.filter(part => part !== '').join(' · '), lens }
}

/** The folders of a file within its collection, such as '2001' and '2001-07'. `root`: the collection's path. */
export function foldersOf({ path }: Pick<ItemDetails, 'path'>, root?: string): string[] {
  const start = root === undefined ? null : `${root.replace(/\/$/, '')}/`
  const inside = start !== null && path.startsWith(start) ? path.slice(start.length) : path
  // A path that is still absolute would reveal folders of the server.
  return inside.startsWith('/') ? [] : inside.split('/').slice(0, -1)
}

/** For example '1024 × 768 · 289 KB'. */
export function fileLine(item: ItemDetails): string {
  const parts = [
    item.width > 0 ? inOwnDigits(`${item.width} × ${item.height}`) : '',
    item.duration === null ? '' : durationText(item.duration),
    item.frameRate === null ? '' : baseTexts.framesASecond({ number: Math.round(item.frameRate) }),
    [item.videoCodec, item.audioCodec].filter(codec => codec !== null && codec !== '').join(', '),
    sizeText(item.size),
  ]
  return parts.filter(part => part !== '').join(' · ')
}

/** For example '36.8485° S, 174.7633° E'. */
export function coordinatesText(latitude: number, longitude: number): string {
  const digits = { minimumFractionDigits: 4, maximumFractionDigits: 4 }
  const degrees = (value: number) => ({ degrees: Math.abs(value).toLocaleString(ownLocale, digits) })
  return listText([
    (latitude < 0 ? baseTexts.south : baseTexts.north)(degrees(latitude)),
    (longitude < 0 ? baseTexts.west : baseTexts.east)(degrees(longitude)),
  ])
}
