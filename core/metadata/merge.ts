/** Merges an item's values from its file, its sidecars, its name and its time. */
import type { TagSetName } from '../../schema/api/tags.ts'
import { albumsOfTexts, albumText, type FileAlbum } from './albums.ts'
import { chooseDate, type DateContext } from './choose-date.ts'
import { distinct } from './combine.ts'
import { sortableSeconds } from './dates.ts'
import { comparable, uniteRegions } from './file-regions.ts'
import { byPrecedence, type CameraData, type FileRegion, type FoundDate, type Metadata } from './metadata.ts'
import {
  type ItemRegion,
  isSameBox,
  type QuarterTurn,
  regionFromFile,
  type StoredPicture,
  uprightRegion,
  uprightSize,
} from './regions.ts'

/** Only broken programs write more keywords than this, or longer ones. */
const maxKeywords = 1000
const longestKeyword = 4000
const longestText = 20_000

export interface MergeInput extends DateContext {
  file: Metadata
  /** Metadata of the camera's other files of the same picture: the RAW beside a JPEG. */
  companions?: readonly Metadata[]
  /** In order of precedence, as `sidecarsFor` gives them. */
  sidecars: readonly { kind: 'xmp' | 'takeout'; data: Metadata }[]
}

/** These fields of `Metadata`; null if unknown. */
type Merged<Key extends keyof Metadata> = { [K in Key]: NonNullable<Metadata[K]> | null }
type Position = 'latitude' | 'longitude' | 'altitude' | 'placeName'
type MediaProperties = 'width' | 'height' | 'duration' | 'frameRate' | 'videoCodec' | 'audioCodec'
type Motion = 'contentIdentifier' | 'motionVideoLength' | 'motionVideoOffset'
type Lists = 'keywords' | 'category' | 'author' | 'people' | 'camera' | 'warnings'

/** The merged metadata of an item, with the upright picture's size. Lists are in the order of finding. */
export interface ItemMetadata
  extends Merged<Position | MediaProperties | Motion | 'title' | 'description' | 'rating'>,
    Pick<Metadata, Lists> {
  /** Null only if not even the file's own time is valid. */
  date: (FoundDate & { /** The local time read as if UTC. */ seconds: number }) | null
  favorite: boolean
  /** People and objects with a name and a box, in thousandths of the upright picture's longer edge. */
  regions: ItemRegion[]
  /** Objects without a box. */
  objects: string[]
  rotation: QuarterTurn | null
  /** Whether its sidecar marks it as recycled. Only sidecars count: the mark in a file was copied from elsewhere. */
  recycled?: boolean
  /** Albums that its sidecars name, in the order of their uids; absent if there are none. */
  albums?: FileAlbum[]
  /** 1–8, of the stored picture. */
  orientation: number
}

/**
 * Merges everything. Single values: an XMP sidecar has precedence over the file, since it was edited later; companion
 * files add what the file lacks (an export that lost its EXIF beside its RAW), and a Takeout sidecar the rest. Lists
 * are united. Properties of the stored picture or video (orientation, size, codecs) are only read from the file itself.
 */
export function mergeMetadata(input: MergeInput): ItemMetadata {
  const { file, companions = [] } = input
  const edits = input.sidecars.filter(({ kind }) => kind === 'xmp').map(({ data }) => data)
  const takeouts = input.sidecars.filter(({ kind }) => kind === 'takeout').map(({ data }) => data)
  const all = [...edits, file, ...companions.map(withUprightRegions), ...takeouts]
  const sourcesOf = (set: TagSetName) => sourcesWith(all, set)
  const positions = sourcesOf('Locations')
  const located = positions.find(({ latitude, longitude }) => latitude !== undefined && longitude !== undefined)
  const albums = albumsOfTexts(edits.flatMap(data => (data.albums ?? []).map(albumText)))
  const regions = [
    ...regionsOf(sourcesOf('People'), input, 'person'),
    ...regionsOf(sourcesOf('Object'), input, 'object'),
  ]
  return {
    date: dateOf(input, sourcesOf('DateTimeOriginal'), located),
    latitude: located?.latitude ?? null,
    longitude: located?.longitude ?? null,
    altitude: located?.altitude ?? null,
    placeName: firstOf(positions, 'placeName'),
    title: shortened(firstOf(all, 'title')),
    description: shortened(firstOf(sourcesOf('Description'), 'description')),
    keywords: keywordsOf(sourcesOf('Keywords').flatMap(({ keywords }) => keywords)),
    category: keywordsOf(sourcesOf('Category').flatMap(({ category }) => category)),
    author: keywordsOf(sourcesOf('Author').flatMap(({ author }) => author)),
    rating: firstOf(sourcesOf('Rating'), 'rating'),
    favorite: firstOf(sourcesOf('Rating'), 'favorite') ?? false,
    rotation: rotationOf(all),
    ...(edits.some(({ recycled }) => recycled === true) ? { recycled: true } : {}),
    ...(albums.length > 0 ? { albums } : {}),
    regions: regions.filter(({ name }) => name !== ''),
    people: peopleOf(sourcesOf('People'), regions),
    objects: objectsOf(sourcesOf('Object'), regions),
    camera: cameraOf([file, ...companions, ...edits, ...takeouts]),
    ...mediaPropertiesOf(file),
    warnings: distinct(all.flatMap(({ warnings }) => warnings)),
  }
}

/** The sources of a set: all up to the first one that declares it complete. */
function sourcesWith(all: readonly Metadata[], set: TagSetName): readonly Metadata[] {
  const last = all.findIndex(({ complete }) => complete?.includes(set) === true)
  return last < 0 ? all : all.slice(0, last + 1)
}

/** Turns a companion's regions upright: the picture in a RAW may have another orientation than in its JPEG. */
function withUprightRegions(companion: Metadata): Metadata {
  const { width = 1, height = 1, regions } = companion
  const picture = { width, height, orientation: orientationOf(companion) }
  return { ...companion, regions: regions.map(region => uprightRegion(region, picture)) }
}

function firstOf<K extends keyof Metadata>(all: readonly Metadata[], key: K): NonNullable<Metadata[K]> | null {
  for (const data of all) {
    const value = data[key]
    if (value !== undefined && value !== null) return value
  }
  return null
}

/** Values that only the file itself has. */
function mediaPropertiesOf(file: Metadata) {
  const orientation = orientationOf(file)
  const { width, height } = file
  const size = width === undefined || height === undefined ? null : uprightSize({ width, height, orientation })
  return {
    orientation,
    width: size?.width ?? null,
    height: size?.height ?? null,
    duration: file.duration ?? null,
    frameRate: file.frameRate ?? null,
    videoCodec: file.videoCodec ?? null,
    audioCodec: file.audioCodec ?? null,
    contentIdentifier: file.contentIdentifier ?? null,
    motionVideoLength: file.motionVideoLength ?? null,
    motionVideoOffset: file.motionVideoOffset ?? null,
  }
}

const orientationByRotation: Record<number, number> = { 90: 6, 180: 3, 270: 8 }

/** The EXIF orientation of a picture, or the one that corresponds to a video's rotation. */
function orientationOf(file: Metadata): number {
  return file.orientation ?? orientationByRotation[file.videoRotation ?? 0] ?? 1
}

function dateOf(input: MergeInput, sources: readonly Metadata[], placed: Metadata | undefined) {
  const { file, companions = [], sidecars, name, mtimeMs, now, zone } = input
  const edits = sidecars.filter(({ kind, data }) => kind === 'xmp' && sources.includes(data)).map(({ data }) => data)
  const corrections = edits.flatMap(({ dates }) => dates.filter(isCorrection))
  const others = sources.flatMap(source =>
    edits.includes(source) ? source.dates.filter(date => !isCorrection(date)) : source.dates,
  )
  const dates = [...corrections, ...byPrecedence(others)]
  const gpsTime = [file, ...companions].find(data => data.gpsTime !== undefined)?.gpsTime
  // A date that is declared complete has no offset if none is written, so none is derived from the GPS time.
  const isWhole = sources.at(-1)?.complete?.includes('DateTimeOriginal') === true
  const evidence = { dates, name, mtimeMs, now, zone, gpsTime: isWhole ? undefined : gpsTime }
  const date = chooseDate({ ...evidence, latitude: placed?.latitude, longitude: placed?.longitude })
  return date === null ? null : { ...date, seconds: sortableSeconds(date.local) }
}

/** Whether a sidecar's date precedes all dates of the file; its other dates precede only those of the same source. */
function isCorrection(date: FoundDate): boolean {
  return date.source === 'xmp-original'
}

/** The keywords, trimmed, limited, without empty ones and duplicates (NFC, ignoring case; the first spelling wins). */
function keywordsOf(texts: readonly string[]): string[] {
  const clean = texts.map(text => text.normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, longestKeyword).trim())
  return distinct(clean.filter(text => text !== '')).slice(0, maxKeywords)
}

function shortened(text: string | null): string | null {
  return text === null ? null : text.slice(0, longestText)
}

/** Regions of one kind. Of several with one name, the first source's count; an unnamed face in another box is left out. */
function regionsOf(stated: readonly Metadata[], input: MergeInput, kind: ItemRegion['kind']): ItemRegion[] {
  const picture = storedPicture(input)
  if (picture === null) return []
  const united = stated.reduce<FileRegion[]>((sum, { regions }) => uniteRegions(sum, regions), [])
  const regions: ItemRegion[] = []
  for (const region of united.filter(one => one.kind === kind)) {
    const found = regionFromFile(region, picture)
    if (found !== null && !regions.some(other => isRepeated(other, found))) regions.push(found)
  }
  return regions
}

/** The picture that regions are on; null when its size is unknown. */
export function storedPicture({ file, sidecars }: Pick<MergeInput, 'file' | 'sidecars'>): StoredPicture | null {
  const { width, height } = file
  const regions = [file, ...sidecars.map(({ data }) => data)].flatMap(data => data.regions)
  // If the file has no size, the size from the regions' author has at least the right proportions.
  const applied = regions.find(({ appliedTo }) => appliedTo !== undefined)?.appliedTo
  const size = width === undefined || height === undefined ? applied : { width, height }
  return size === undefined ? null : { ...size, orientation: orientationOf(file) }
}

function isRepeated(known: ItemRegion, added: ItemRegion): boolean {
  const isSameName = added.name === '' || comparable(known.name) === comparable(added.name)
  return known.kind === added.kind && isSameName && isSameBox(known, added)
}

/** Names of people without a box: from the lists of people, and from regions whose box is invalid. */
function peopleOf(all: readonly Metadata[], regions: readonly ItemRegion[]): string[] {
  const placed = new Set(regions.map(({ name }) => comparable(name)))
  const named = all.flatMap(({ people, regions: own }) => [
    ...people,
    ...own.filter(({ kind, name }) => kind === 'person' && name !== '').map(({ name }) => name),
  ])
  return keywordsOf(named).filter(name => !placed.has(comparable(name)))
}

function objectsOf(all: readonly Metadata[], regions: readonly ItemRegion[]): string[] {
  const placed = new Set(regions.filter(({ kind }) => kind === 'object').map(({ name }) => comparable(name)))
  return keywordsOf(all.flatMap(({ objects = [] }) => objects)).filter(name => !placed.has(comparable(name)))
}

function rotationOf(all: readonly Metadata[]): QuarterTurn | null {
  const stated = firstOf(all, 'rotation')
  return ([90, 180, 270] as const).find(degrees => degrees === stated) ?? null
}

/** The camera settings. The camera's file has precedence; sidecars add what a converted picture has lost. */
function cameraOf(all: readonly Metadata[]): CameraData {
  return Object.assign({}, ...all.map(({ camera }) => camera).reverse())
}
