/** Metadata of a media file and its sidecars, in the library's own terms. */
import type { TagSetName } from '../../schema/api/tags.ts'

/**
 * Sources of dates, most trustworthy first; the order of this list is the precedence. `quicktime` is the date in any
 * video's container. `xmp-create` (xmp:CreateDate) is not among the specified sources: it is better than a guess, so it
 * is below all else in the file.
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

/** A local wall-clock time with, where known, its offset from UTC. */
export interface FoundDate {
  /** 'YYYY-MM-DD HH:MM:SS', local time where the picture was taken (but see `utc`). */
  local: string
  /** Minutes east of UTC, or null where unknown. */
  offset: number | null
  source: DateSource
  /** 0–999, where the file gives fractions of a second: keeps the pictures of a burst in order. */
  milliseconds?: number
  /** Only the instant is known: `local` is UTC, and the local time is found when dates are chosen. */
  utc?: true
  /** Only the day is known: the time in `local` is 00:00:00. */
  dayOnly?: true
}

/** A box by its centre and size as fractions (0–1) of a picture, as MWG writes it. */
export interface FileRegion {
  kind: 'person' | 'object'
  /** Empty where the file marks a face without a name. */
  name: string
  x: number
  y: number
  width: number
  height: number
  /** Whether the fractions are of the picture as stored or as shown upright (Microsoft's are). */
  frame: 'stored' | 'upright'
  /** The size in pixels of the picture that the region's author looked at, where the file says so. */
  appliedTo?: { width: number; height: number }
}

/** The camera's settings; absent where the file has none. Units: mm, f-number, seconds, ISO. */
export interface CameraData {
  make?: string
  model?: string
  lens?: string
  focalLength?: number
  aperture?: number
  exposure?: number
  iso?: number
}

/** What one reader found in one file (a picture, a video, an XMP sidecar, a Takeout JSON). Absent: not in the file. */
export interface Metadata {
  /** Every date found, in order of precedence. The merge checks whether it is in the future. */
  dates: FoundDate[]
  /** Seconds since 1970 in UTC by the satellites' clock: determines the offset of the camera's clock. */
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
  /** Names without a region (Iptc4xmpExt:PersonInImage, Takeout's people). */
  people: string[]
  /** Objects that Keepsake stored without a place. */
  objects?: string[]
  /** The Rotation property as Keepsake wrote it: 90, 180 or 270 degrees clockwise. */
  rotation?: number
  /** Keepsake's item is in the recycle bin. */
  recycled?: boolean
  /** Tag sets that this source declares complete: later sources do not count for them. */
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
  /** Byte length of the video at the end of a motion photo, and where in the file it begins. */
  motionVideoLength?: number
  motionVideoOffset?: number
  /** Errors in the metadata, each a sentence; the picture itself may be fine. */
  warnings: string[]
}

export function noMetadata(): Metadata {
  return { dates: [], keywords: [], category: [], author: [], regions: [], people: [], camera: {}, warnings: [] }
}
