/** The wanted metadata of a file, and how it differs from the present metadata. */
import type { TagSetName } from '../../../schema/api/tags.ts'
import { tagSetNames } from '../../../schema/limits.ts'
import { albumsOfTexts, albumText, type FileAlbum } from '../albums.ts'
import { comparable } from '../file-regions.ts'
import type { ItemMetadata } from '../merge.ts'
import type { ItemRegion, QuarterTurn } from '../regions.ts'
import { fileText } from './xml-nodes.ts'

/** All metadata of an item that are written into files. Lists are in order; '' and null mean 'none'. */
export interface WantedTags {
  /** 'YYYY-MM-DD HH:MM:SS' and minutes east of UTC. */
  date: { local: string; offset: number | null } | null
  description: string
  keywords: string[]
  category: string[]
  author: string[]
  position: { latitude: number; longitude: number } | null
  placeName: string
  /** -1 to 5. */
  rating: number | null
  rotation: 0 | QuarterTurn
  regions: ItemRegion[]
  /** People without a place in the picture. */
  people: string[]
  objects: string[]
  /** Whether the item is in the recycle bin. */
  recycled?: boolean
  /** Albums by hand that are not private; absent if there are none. */
  albums?: FileAlbum[]
}

/** Sets that are written into sidecars only: visitors of a public collection may download the file itself. */
export const sidecarSets = ['Recycled', 'Albums'] as const

export type WrittenSet = TagSetName | 'Rotation' | (typeof sidecarSets)[number]

/** Sources of guessed dates, which sort the timeline but are not written. */
const guesses = new Set(['name', 'file'])

export function isGuess(source: string): boolean {
  return guesses.has(source)
}

/** Longer texts are cut when they are read. */
const longestText = 20_000

/** The tag sets in which the files differ from what is wanted. */
export function differingSets(wanted: WantedTags, found: ItemMetadata): Set<WrittenSet> {
  const differs: Record<WrittenSet, boolean> = {
    DateTimeOriginal: !sameDate(wanted.date, found.date),
    Description: fileText(wanted.description).slice(0, longestText) !== (found.description ?? ''),
    Keywords: !sameList(wanted.keywords, found.keywords),
    Category: !sameList(wanted.category, found.category),
    Author: !sameList(wanted.author, found.author),
    Locations: !samePlace(wanted, found),
    Rating: wanted.rating !== (found.rating ?? (found.favorite ? 5 : null)),
    People: !sameBoxes(wanted, found, 'person') || !sameNames(wanted.people, found.people),
    Object: !sameBoxes(wanted, found, 'object') || !sameNames(wanted.objects, found.objects),
    Rotation: wanted.rotation !== (found.rotation ?? 0),
    Recycled: (wanted.recycled === true) !== (found.recycled === true),
    Albums: !sameAlbums(wanted, found),
  }
  return new Set(writtenSets.filter(name => differs[name]))
}

export const writtenSets: readonly WrittenSet[] = [...tagSetNames, 'Rotation', ...sidecarSets]

/** The form in which words are compared, as in the library: case, white space and normalization do not matter. */
function wordOf(text: string): string {
  return comparable(fileText(text).replace(/\s+/g, ' ').trim())
}

function sameList(wanted: readonly string[], found: readonly string[]): boolean {
  const words = wanted.map(wordOf).filter(word => word !== '')
  return words.length === found.length && words.every((word, n) => word === wordOf(found[n] ?? ''))
}

function sameNames(wanted: readonly string[], found: readonly string[]): boolean {
  return sameList(wanted.map(wordOf).sort(), found.map(wordOf).sort())
}

/** Compares with what would be read: texts are cut and cleaned. */
function sameAlbums({ albums = [] }: WantedTags, found: ItemMetadata): boolean {
  const written = albumsOfTexts(albums.map(album => fileText(albumText(album))))
  return JSON.stringify(written) === JSON.stringify(found.albums ?? [])
}

function sameDate(wanted: WantedTags['date'], found: ItemMetadata['date']): boolean {
  const stated = found === null || guesses.has(found.source) ? null : found
  if (wanted === null || stated === null) return wanted === null && stated === null
  return wanted.local === stated.local && wanted.offset === stated.offset
}

/** In degrees: some two tenths of a millimetre. */
const nearEnough = 2e-9

function samePlace(wanted: WantedTags, found: ItemMetadata): boolean {
  if (fileText(wanted.placeName) !== (found.placeName ?? '')) return false
  if (wanted.position === null) return found.latitude === null
  const { latitude, longitude } = wanted.position
  return (
    Math.abs(latitude - (found.latitude ?? 1000)) < nearEnough &&
    Math.abs(longitude - (found.longitude ?? 1000)) < nearEnough
  )
}

/** Twice the step to which `regionFromFile` rounds. */
const boxTolerance = 0.02

/** Whether both are the same region, with a smaller tolerance than in the library: a small move is intended. */
export function isSameRegion(a: ItemRegion, b: ItemRegion): boolean {
  const near = (x: number, y: number) => Math.abs(x - y) <= boxTolerance
  return (
    a.kind === b.kind &&
    wordOf(a.name) === wordOf(b.name) &&
    near(a.x, b.x) &&
    near(a.y, b.y) &&
    near(a.width, b.width) &&
    near(a.height, b.height)
  )
}

function sameBoxes(wanted: WantedTags, found: ItemMetadata, kind: ItemRegion['kind']): boolean {
  const left = found.regions.filter(region => region.kind === kind)
  for (const region of wanted.regions.filter(one => one.kind === kind)) {
    const at = left.findIndex(other => isSameRegion(region, other))
    if (at < 0) return false
    left.splice(at, 1)
  }
  return left.length === 0
}
