/** The metadata of a video container, not yet interpreted. */
import { cleanText } from '../text.ts'

export interface Film {
  /** When the recording was created, milliseconds since 1970 in UTC. */
  created?: number
  /** Seconds. */
  duration?: number
  tracks: Track[]
  /** Texts by the formats' names: Apple's keys ('com.apple.quicktime.make'), four-letter atoms ('©xyz', 'loci'). */
  texts: Map<string, string>
  xmp: Uint8Array[]
  /** XML about the recording, as Sony writes it. */
  xml: Uint8Array[]
  warnings: string[]
}

export interface Track {
  kind: 'video' | 'audio'
  /** As ffprobe calls it. */
  codec?: string
  /** Stored size in pixels. */
  width?: number
  height?: number
  /** Clockwise rotation of the picture, in degrees. */
  rotation?: number
  frameRate?: number
  /** Creation time, in milliseconds since 1970 in UTC. */
  created?: number
}

const maxTexts = 500

/** Names of texts with keywords, in order of precedence; some writers repeat a name for each keyword. */
export const keywordTexts = new Set(['com.apple.quicktime.keywords', '\xa9key', 'keyw'])
const longestKeywords = 65_536

/** Adds a text. The first text of a name counts, except that keywords are joined. */
export function addText(film: Film, name: string, text: string | undefined): void {
  const clean = cleanText(text)
  if (clean === undefined || film.texts.size >= maxTexts) return
  const known = film.texts.get(name)
  if (known === undefined) film.texts.set(name, clean)
  else if (keywordTexts.has(name) && known.length < longestKeywords) film.texts.set(name, `${known};${clean}`)
}

export function noFilm(): Film {
  return { tracks: [], texts: new Map(), xmp: [], xml: [], warnings: [] }
}
