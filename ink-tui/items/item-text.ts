/** Texts about an item: the cells of its row, and the lines of its details. Pure. */
import type { Item, ItemDetails } from '../../schema/api/items.ts'
import { sizeText } from '../../schema/figures.ts'
import type { Line, Span } from '../line.ts'
import { formatFullTime, safe, twoDigits, wrap } from '../text.ts'

export function keywordsOf({ tags }: Pick<Item, 'tags'>): string {
  return contents(tags.Keywords?.data)
}

function contents(entries: readonly { content: string }[] | undefined): string {
  return (entries ?? []).map(({ content }) => content).join(', ')
}

function names(entries: readonly { name: string }[] | undefined): string {
  return [...new Set((entries ?? []).map(({ name }) => name).filter(name => name !== ''))].join(', ')
}

/** '★★★', 'rejected', or nothing. */
export function starsOf({ rating }: Pick<Item, 'rating'>, unicode: boolean): string {
  if (rating === null || rating === 0) return ''
  return rating < 0 ? 'rejected' : (unicode ? '★' : '*').repeat(rating)
}

/** '2019-08-03 14:22'. */
export function minuteOf({ taken_at }: Pick<Item, 'taken_at'>): string {
  return taken_at.slice(0, 16)
}

/** '0:12', '1:02:03'. */
function lengthText(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}` : `${minutes}:${twoDigits(whole % 60)}`
}

/** 'image', 'video 0:12', 'live'. */
export function kindOf({ type, duration, live }: Pick<Item, 'type' | 'duration' | 'live'>): string {
  if (type === 'video') return duration === null ? 'video' : `video ${lengthText(duration)}`
  return live ? 'live' : 'image'
}

const sourceTexts: Record<string, string> = {
  name: 'guessed from the file name',
  file: 'guessed from the file’s date',
  user: 'set by hand',
}

function exposureText(seconds: number): string {
  return seconds >= 0.3 ? `${Number(seconds.toFixed(1))} s` : `1/${Math.round(1 / seconds)} s`
}

function cameraOf({ camera }: ItemDetails): { name: string; settings: string } {
  const { make = '', model = '', exposure, aperture, iso, focalLength } = camera
  // Many models start with the make.
  const isWhole = model.toLowerCase().startsWith(make.split(' ')[0]?.toLowerCase() ?? '')
  const settings = [
    exposure === undefined || exposure <= 0 ? '' : exposureText(exposure),
    aperture === undefined ? '' : `f/${Number(aperture.toFixed(1))}`,
    iso === undefined ? '' : `ISO ${iso}`,
    focalLength === undefined ? '' : `${Number(focalLength.toFixed(1))} mm`,
  ]
  return {
    name: (isWhole ? model : `${make} ${model}`).trim(),
    settings: settings.filter(part => part !== '').join(', '),
  }
}

function positionOf({ tags, altitude }: ItemDetails): string {
  const place = tags.Locations?.data
  if (place === undefined || place.latitude === null || place.longitude === null) return ''
  const { latitude, longitude } = place
  const part = (value: number, positive: string, negative: string) =>
    `${Math.abs(value).toFixed(4)}° ${value < 0 ? negative : positive}`
  const height = altitude === null ? '' : `, ${Math.round(altitude)} m`
  return `${part(latitude, 'N', 'S')}, ${part(longitude, 'E', 'W')}${height}`
}

/** An item's details: pairs of a label and a text, without unknown values. */
function factsOf(item: ItemDetails, unicode: boolean): { label: string; text: string; isWarning?: boolean }[] {
  const { tags } = item
  const camera = cameraOf(item)
  const source = sourceTexts[item.date_source]
  const rotation = Number(item.properties.find(({ name }) => name === 'Rotation')?.value ?? 0)
  const place = tags.Locations?.data
  const size = [
    item.width > 0 ? `${item.width} × ${item.height}` : '',
    sizeText(item.size),
    item.duration === null ? '' : lengthText(item.duration),
    [item.videoCodec, item.audioCodec].filter(codec => codec !== null && codec !== '').join(', '),
  ]
  const facts: { label: string; text: string; isWarning?: boolean }[] = [
    { label: 'problem', text: item.problem ?? '', isWarning: true },
    { label: 'date', text: item.taken_at + (source === undefined ? '' : `, ${source}`) },
    { label: 'rating', text: starsOf(item, unicode) },
    { label: 'description', text: tags.Description?.data ?? '' },
    { label: 'keywords', text: keywordsOf(item) },
    { label: 'category', text: contents(tags.Category?.data) },
    { label: 'people', text: names(tags.People?.data) },
    { label: 'objects', text: names(tags.Object?.data) },
    { label: 'author', text: contents(tags.Author?.data) },
    { label: 'place', text: (place?.placeName ?? '') + (place?.guessed === true ? ', the nearest city' : '') },
    { label: 'position', text: positionOf(item) },
    { label: 'camera', text: camera.name },
    { label: '', text: camera.settings },
    { label: 'lens', text: item.camera.lens ?? '' },
    { label: 'size', text: size.filter(part => part !== '').join(', ') },
    { label: 'turned', text: rotation === 0 ? '' : `${rotation}° clockwise` },
    { label: 'collection', text: item.collection },
    { label: 'path', text: item.path },
    ...item.files.map((file, n) => ({ label: n === 0 ? 'beside it' : '', text: `${file.name}, ${file.role}` })),
    { label: 'added', text: formatFullTime(item.added * 1000) },
    { label: 'id', text: String(item.id) },
  ]
  return facts.filter(({ text }) => text !== '')
}

const labelWidth = 13

export function detailLines(item: ItemDetails, width: number, unicode: boolean): Line[] {
  const lines: Line[] = []
  for (const { label, text, isWarning = false } of factsOf(item, unicode)) {
    for (const [n, piece] of wrap(safe(text), Math.max(10, width - labelWidth)).entries()) {
      const head: Span = { text: (n === 0 ? label : '').padEnd(labelWidth), style: 'dim' }
      lines.push([head, isWarning ? { text: piece, style: 'amber' } : piece])
    }
  }
  return lines
}
