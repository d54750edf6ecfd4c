/** Converts ffprobe's data about a video, for values that Keepsake's own readers do not find. */
import { z } from 'zod'
import { foundDate } from './dates.ts'
import { cleanCamera } from './exif.ts'
import type { Metadata } from './metadata.ts'
import { parseIso6709 } from './position.ts'
import { cleanText } from './text.ts'
import { believableRate } from './videos.ts'

const tags = z.record(z.string(), z.string()).catch({})
const text = z.string().optional().catch(undefined)
const number = z.coerce.number().optional().catch(undefined)

const stream = z.object({
  codec_type: text,
  codec_name: text,
  pix_fmt: text,
  color_transfer: text,
  field_order: text,
  width: number,
  height: number,
  avg_frame_rate: text,
  duration: number,
  tags,
  disposition: z.object({ attached_pic: number }).optional().catch(undefined),
  side_data_list: z
    .array(z.object({ rotation: number }))
    .optional()
    .catch(undefined),
})

const output = z.object({
  streams: z.array(stream).catch([]),
  format: z.object({ duration: number, format_name: text, tags }).optional().catch(undefined),
})

/** From the JSON of `ffprobe -show_format -show_streams`: the format and the first streams, without invalid values. */
export function parseProbe(json: unknown) {
  const { streams, format } = output.safeParse(json).data ?? { streams: [], format: undefined }
  return {
    format,
    video: streams.find(found => found.codec_type === 'video' && found.disposition?.attached_pic !== 1),
    audio: streams.find(found => found.codec_type === 'audio'),
  }
}

/** Converts ffprobe's JSON to the library's metadata. */
export function fromFfprobe(json: unknown): Partial<Metadata> {
  const { format, video, audio } = parseProbe(json)
  const duration = format?.duration ?? video?.duration ?? 0
  const isSized = video?.width && video.height
  return {
    duration: duration > 0 ? Math.round(duration * 1000) / 1000 : undefined,
    width: isSized ? video.width : undefined,
    height: isSized ? video.height : undefined,
    videoCodec: video?.codec_name,
    audioCodec: audio?.codec_name,
    frameRate: rateOf(video?.avg_frame_rate),
    videoRotation: video && rotationOf(video),
    ...textsOf({ ...video?.tags, ...format?.tags }, format?.format_name === 'avi'),
  }
}

function rateOf(text: string | undefined): number | undefined {
  const [frames, seconds] = (text ?? '').split('/').map(Number)
  return believableRate((frames ?? 0) / (seconds ?? 1))
}

/** ffprobe's matrix rotates to the left, its old tag to the right. */
function rotationOf(video: z.infer<typeof stream>): number {
  const matrix = video.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation
  const clockwise = matrix === undefined ? Number(video.tags.rotate ?? 0) : -matrix
  const degrees = (((Math.round(clockwise / 90) * 90) % 360) + 360) % 360
  return Number.isFinite(degrees) ? degrees : 0
}

/** Metadata in a video's tags. AVI's dates are local. `date` is AVI's day of recording, or others' publication year. */
function textsOf(found: Record<string, string>, isAvi: boolean): Partial<Metadata> {
  // Matroska has most names in capitals.
  const named = new Map(Object.entries(found).map(([name, value]) => [name.toLowerCase(), value]))
  const text = (...names: string[]) =>
    names.map(name => cleanText(named.get(name.toLowerCase()))).find(value => value !== undefined)
  const created = foundDate(text('creation_time'), 'quicktime')
  const dates = [
    foundDate(text('com.apple.quicktime.creationdate'), 'quicktime'),
    created === null || isAvi ? created : { ...created, offset: null, utc: true as const },
    isAvi ? foundDate(text('date'), 'quicktime') : foundDate(text('date_recorded', 'date_digitized'), 'quicktime'),
  ].filter(date => date !== null)
  const make = text('com.apple.quicktime.make', 'com.android.manufacturer', 'make')
  const model = text('com.apple.quicktime.model', 'com.android.model', 'model')
  return {
    dates: dates.length > 0 ? dates : undefined,
    ...parseIso6709(text('com.apple.quicktime.location.ISO6709', 'location', 'location-eng')),
    title: text('com.apple.quicktime.title', 'title'),
    description: text('com.apple.quicktime.description', 'description'),
    camera: make === undefined && model === undefined ? undefined : cleanCamera({ make, model }),
  }
}
