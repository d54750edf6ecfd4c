/** Metadata of a media file and its sidecars, as the library represents them. */
import type { TagSetName } from '../../schema/api/tags.ts'
import type { FileAlbum } from './albums.ts'

/**
 * Sources of dates, most trustworthy first. `quicktime` is the date in any video's container. The specification does
 * not list `xmp-create` (xmp:CreateDate): it comes after all other dates in the file, and before guesses.
 */
const dateSources = [
  'exif-original',
  'xmp-original',
  'iptc',
  'xmp-photoshop',
  'exif-create',
  'quicktime',
  'xmp-create',
  'takeout',
  'name',
  'file',
] as const
export type DateSource = (typeof dateSources)[number]

/** Dates in order of precedence; those of one source stay in the order in which they were found. */
export function byPrecedence(dates: readonly FoundDate[]): FoundDate[] {
  return [...dates].sort((a, b) => dateSources.indexOf(a.source) - dateSources.indexOf(b.source))
}

/** A local time with its offset from UTC, if known. */
export interface FoundDate {
  /** 'YYYY-MM-DD HH:MM:SS', local time where the picture was taken (but see `utc`). */
  local: string
  /** Minutes east of UTC, or null where unknown. */
  offset: number | null
  source: DateSource
  /** 0–999, if the file has fractions of a second: they keep the pictures of a burst in order. */
  milliseconds?: number
  /** Only the instant is known: `local` is UTC, and the local time is found when dates are chosen. */
  utc?: true
  /** Only the day is known: the time in `local` is 00:00:00. */
  dayOnly?: true
}

/** A box by its centre and size as fractions (0–1) of a picture, as MWG writes it. */
export interface FileRegion {
  kind: 'person' | 'object'
  /** Empty if the file marks a face without a name. */
  name: string
  x: number
  y: number
  width: number
  height: number
  /** Whether the fractions are of the stored picture, or of the picture as shown upright (Microsoft's regions). */
  frame: 'stored' | 'upright'
  /** Size in pixels of the picture that the region's author used, if the file contains it. */
  appliedTo?: { width: number; height: number }
}

/** The camera and its settings, each undefined if the file lacks it. Units: mm, f-number, seconds, ISO. */
export interface CameraData {
  make?: string
  model?: string
  lens?: string
  focalLength?: number
  aperture?: number
  exposure?: number
  iso?: number
}

/** What one reader found in one file (picture, video, XMP sidecar, Takeout JSON). The file lacks absent fields. */
export interface Metadata {
  /** All dates found, in order of precedence. Merging leaves out impossible ones. */
  dates: FoundDate[]
  /** Seconds since 1970 in UTC by the satellites' clock, from which the offset of the camera's clock follows. */
  gpsTime?: number
  latitude?: number
  longitude?: number
  /** Metres above the sea. */
  altitude?: number
  /** City, state, country and so on, joined by ', '. */
  placeName?: string
  description?: string
  title?: string
  keywords: string[]
  category: string[]
  author: string[]
  /** 0–5; -1 is 'rejected' as XMP writes it. */
  rating?: number
  /** Marked as a favourite in Google Photos. */
  favorite?: boolean
  regions: FileRegion[]
  /** Names of people without a region (Iptc4xmpExt:PersonInImage, Takeout's people). */
  people: string[]
  /** Objects that Keepsake stored without a box. */
  objects?: string[]
  /** The Rotation property as Keepsake wrote it: 90, 180 or 270 degrees clockwise. */
  rotation?: number
  /** Whether Keepsake's item is in the recycle bin. */
  recycled?: boolean
  /** Albums by hand that Keepsake wrote. */
  albums?: FileAlbum[]
  /** Sets that this source declares complete: later sources do not count for them. */
  complete?: readonly TagSetName[]
  camera: CameraData
  /** EXIF orientation 1–8 of the stored picture. For HEIF, AVIF and JPEG XL it is the container's. */
  orientation?: number
  /** Stored width and height in pixels, before orientation. */
  width?: number
  height?: number
  /** Seconds, for videos. */
  duration?: number
  /** Frames per second, for videos. */
  frameRate?: number
  /** As ffprobe calls them: h264, hevc, vp9, aac … */
  videoCodec?: string
  audioCodec?: string
  /** Clockwise rotation of a video's display matrix: 0, 90, 180, 270 degrees. */
  videoRotation?: number
  /** Pairs a Live Photo's still with its video (Apple's ContentIdentifier / MediaGroupUUID). */
  contentIdentifier?: string
  /** Byte length of the video at the end of a motion photo, and its offset in the file. */
  motionVideoLength?: number
  motionVideoOffset?: number
  /** Errors in the metadata, each a sentence; the picture itself may be fine. */
  warnings: string[]
}

export function noMetadata(): Metadata {
  return { dates: [], keywords: [], category: [], author: [], regions: [], people: [], camera: {}, warnings: [] }
}
