/** Examines films with ffprobe and ffmpeg: their properties, and a frame as their picture. */
import { parseProbe } from '../../metadata/ffprobe.ts'
import { longestEdge } from '../cache/renditions.ts'
import type { Pixels } from '../decode/fingerprints.ts'
import { MediaProblem } from '../media-problem.ts'
import { inputName, runTool, type ToolInput, type VideoTools } from './tools.ts'

/** Containers of films, and no format that names other files or addresses: no playlists, concatenations or patterns. */
export const filmFormats = 'mov,matroska,avi,mpeg,mpegts,mpegvideo,asf,flv,ogg'
const stillFormats = 'bmp_pipe,j2k_pipe,psd_pipe'

/** Options for both tools: read this file and nothing else, whatever its content. */
export function inputOptions(formats: string): string[] {
  return ['-v', 'error', '-hide_banner', '-protocol_whitelist', 'file,pipe', '-format_whitelist', formats]
}

const probeSeconds = 20
const posterSeconds = 40
const maxProbeOutput = 4 * 1024 * 1024
/** Bytes of a frame in the largest size, with a margin. */
const maxFrameOutput = 64 * 1024 * 1024
const maxStillOutput = 512 * 1024 * 1024

/** ffprobe's JSON of a film, for `fromFfprobe` ({} if it cannot read the file); null without ffprobe or JSON. */
export async function probeVideo(tools: VideoTools, input: ToolInput): Promise<unknown> {
  if (tools.ffprobe === null) return null
  const wanted = ['-print_format', 'json', '-show_format', '-show_streams']
  const { output } = await runTool({
    command: [tools.ffprobe, ...inputOptions(filmFormats), ...wanted, inputName(input)],
    input,
    timeoutMs: probeSeconds * 1000,
    maxOutput: maxProbeOutput,
  })
  try {
    return JSON.parse(Buffer.from(output).toString('utf8'))
  } catch {
    return null
  }
}

export type FilmTraits = ReturnType<typeof filmTraits>

/** Reads a film's traits from ffprobe's JSON; missing ones have default values. */
export function filmTraits(json: unknown) {
  const { format, video, audio } = parseProbe(json)
  return {
    // Seconds; 0 when unknown.
    duration: Math.max(0, format?.duration ?? 0),
    // Names joined by commas.
    container: format?.format_name ?? '',
    videoCodec: video?.codec_name ?? null,
    audioCodec: audio?.codec_name ?? null,
    pixelFormat: video?.pix_fmt ?? null,
    // HDR would look pale without conversion.
    isHdr: ['smpte2084', 'arib-std-b67'].includes(video?.color_transfer ?? ''),
    isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(video?.field_order ?? ''),
  }
}

/** Converts HDR for ordinary screens; needs an ffmpeg with zimg. */
export const toneMapping =
  'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p'

/** Converts to square pixels, scaled down to the size `large`; ffmpeg has rotated the frame upright before. */
const toPoster = `scale=w='min(1,${longestEdge.large}/max(iw*sar,ih))*iw*sar':h='min(1,${longestEdge.large}/max(iw*sar,ih))*ih'`

/**
 * A frame a tenth into the film (10 s at most), else further on, else at its beginning: the first that is not black, or
 * the brightest. Throws MediaProblem: 'no-ffmpeg' without ffmpeg, 'undecodable' if there is no frame.
 */
export async function posterFrame(tools: VideoTools, input: ToolInput, traits: FilmTraits): Promise<Pixels> {
  const { ffmpeg } = tools
  if (ffmpeg === null) throw new MediaProblem('no-ffmpeg', 'ffmpeg is not installed: no poster')
  let best: { frame: Pixels; light: number } | null = null
  let trouble = ''
  for (const second of posterPositions(traits.duration)) {
    const { frame, message } = await frameAt(ffmpeg, input, second, traits.isHdr)
    if (frame === null) {
      trouble ||= message
      continue
    }
    const light = brightnessOf(frame)
    if (light >= blackBelow) return frame
    if (best === null || light > best.light) best = { frame, light }
  }
  if (best === null) throw new MediaProblem('undecodable', plainReason(trouble))
  return best.frame
}

function posterPositions(duration: number): number[] {
  const seconds = [Math.min(10, duration * 0.1), Math.min(60, duration * 0.35), Math.min(180, duration * 0.7), 0]
  return [...new Set(seconds.map(second => Math.round(second * 100) / 100))]
}

async function frameAt(ffmpeg: string, input: ToolInput, second: number, isHdr: boolean) {
  const run = async (filter: string) => {
    const { output, message } = await runTool({
      command: [
        ffmpeg,
        ...inputOptions(filmFormats),
        ...['-nostdin', '-threads', '1', '-timelimit', String(posterSeconds), '-noaccurate_seek'],
        // Seeking to the very beginning fails in some films whose first frame is later.
        ...(second > 0 ? ['-ss', String(second)] : []),
        ...['-i', inputName(input), '-map', '0:V:0', '-an', '-sn', '-dn', '-frames:v', '1', '-vf', filter],
        ...['-pix_fmt', 'rgb24', '-c:v', 'pam', '-f', 'image2pipe', 'pipe:1'],
      ],
      input,
      timeoutMs: posterSeconds * 1000,
      maxOutput: maxFrameOutput,
    })
    return { frame: readPam(output), message }
  }
  const mapped = isHdr ? await run(`${toneMapping},${toPoster}`) : null
  return mapped !== null && mapped.frame !== null ? mapped : run(toPoster)
}

/** Brightness of 255 below which a frame counts as black, including noise. */
const blackBelow = 14

function brightnessOf({ data }: Pixels): number {
  const step = Math.max(1, Math.floor(data.length / 3 / 4096)) * 3
  let sum = 0
  let count = 0
  for (let at = 0; at + 2 < data.length; at += step, count++)
    sum += (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)
  return sum / (3 * Math.max(1, count))
}

/** ffmpeg's message, without memory addresses and without Keepsake's name for the file. */
function plainReason(message: string): string {
  const lines = message.split('\n').map(line => line.replace(/^\[[^\]]*\]\s*/, '').replaceAll('file:/dev/fd/3: ', ''))
  if (lines.some(line => line.includes('matches no streams'))) return 'There is no moving picture in this file'
  return lines.find(line => line.trim() !== '')?.slice(0, 300) ?? 'No frame of it can be decoded'
}

/** Decodes a still picture that only ffmpeg supports (BMP, JPEG 2000, PSD); straight alpha. Throws MediaProblem. */
export async function decodeStill(tools: VideoTools, input: ToolInput): Promise<Pixels> {
  if (tools.ffmpeg === null) throw new MediaProblem('no-ffmpeg', 'ffmpeg is not installed: this format cannot be shown')
  const { output, message } = await runTool({
    command: [
      tools.ffmpeg,
      ...inputOptions(stillFormats),
      ...['-nostdin', '-threads', '1', '-timelimit', String(posterSeconds), '-i', inputName(input)],
      ...['-frames:v', '1', '-pix_fmt', 'rgba', '-c:v', 'pam', '-f', 'image2pipe', 'pipe:1'],
    ],
    input,
    timeoutMs: posterSeconds * 1000,
    maxOutput: maxStillOutput,
  })
  const pixels = readPam(output)
  if (pixels === null) throw new MediaProblem('undecodable', plainReason(message))
  return pixels
}

/** The first picture of a PAM stream (netpbm) with eight bits per channel; null if it is incomplete. */
export function readPam(bytes: Uint8Array): Pixels | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512)).toString('latin1')
  const end = head.indexOf('ENDHDR\n')
  if (!head.startsWith('P7\n') || end < 0) return null
  const field = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(head.slice(0, end))?.[1] ?? 0)
  const [width, height, depth] = [field('WIDTH'), field('HEIGHT'), field('DEPTH')]
  if (depth !== 3 && depth !== 4) return null
  const start = end + 'ENDHDR\n'.length
  const length = width * height * depth
  if (length === 0 || bytes.length < start + length) return null
  return { data: bytes.subarray(start, start + length), width, height, channels: depth }
}

/** Codecs that browsers play, by ffprobe's names. Only some browsers play hevc, and fewer every year play theora. */
const playedVideo = new Set(['h264', 'vp8', 'vp9', 'av1'])
/** Excludes uncompressed recordings of cameras, and formats of discs. */
const playedAudio = new Set(['aac', 'mp3', 'opus', 'vorbis', 'flac'])
const playedContainers = new Set([
  'video/mp4',
  'video/quicktime',
  'video/x-m4v',
  'video/webm',
  'video/3gpp',
  'video/ogg',
])

/** Whether every browser plays a film unconverted. If its codecs are unknown, its container decides. */
export function playsInEveryBrowser(film: {
  mime: string
  videoCodec: string | null
  audioCodec: string | null
}): boolean {
  const { mime, videoCodec, audioCodec } = film
  return (
    playedContainers.has(mime) &&
    (videoCodec === null || playedVideo.has(videoCodec)) &&
    (audioCodec === null || playedAudio.has(audioCodec))
  )
}
