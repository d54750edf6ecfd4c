/** Makes the variant of a film: an MP4 with H.264 and AAC that every browser plays from its first bytes on. */
import { open, rm, stat } from 'node:fs/promises'
import { temporaryPath } from '../cache/write-file.ts'
import { MediaProblem } from '../media-problem.ts'
import { inputName, runTool, type ToolInput, type VideoTools } from './tools.ts'
import { type FilmTraits, filmFormats, filmTraits, inputOptions, probeVideo, toneMapping } from './video.ts'

export interface Transcoding {
  tools: VideoTools
  input: ToolInput
  /** Directory of the cache; the film is written beside other unfinished renditions. */
  cache: string
  /** Called with the path of the complete, flushed MP4, to rename it. If `put` leaves the file there, it is removed. */
  put: (finished: string) => Promise<void>
  threads: number
  /** Time limit; default: as long as a film of its length may take on a slow machine. */
  maxSeconds?: number
  signal?: AbortSignal
  /** Called about twice a second with the seconds done and, if known, the total. */
  onProgress?: (done: number, total: number | null) => void
}

/** Time limits in seconds: per second of film on a slow machine, and the minimum for any film. */
const timeLimits = { perSecond: 40, min: 3600 }
function timeLimit({ maxSeconds }: Transcoding, { duration }: FilmTraits): number {
  return maxSeconds ?? Math.max(timeLimits.min, duration * timeLimits.perSecond)
}

const maxProgressOutput = 64 * 1024 * 1024

/**
 * Transcodes a film into an MP4 without metadata; streams that browsers play are copied. Throws MediaProblem
 * ('unsupported' without ffmpeg or its encoders), the signal's reason, or errors of `put`, and then leaves no files
 * behind. When the process is killed, ffmpeg's output is removed later like every unfinished rendition.
 */
export async function transcodeVideo(transcoding: Transcoding): Promise<void> {
  const { tools, input, cache, put, signal, onProgress } = transcoding
  if (tools.ffmpeg === null)
    throw new MediaProblem('unsupported', 'ffmpeg is not installed: videos cannot be converted')
  const traits = filmTraits(await probeVideo(tools, input))
  const total = traits.duration > 0 ? traits.duration : null
  const temporary = await temporaryPath(cache)
  try {
    const { exitCode, message } = await runTool({
      command: [tools.ffmpeg, ...argumentsFor(transcoding, traits), `file:${temporary}`],
      input,
      timeoutMs: timeLimit(transcoding, traits) * 1000,
      maxOutput: maxProgressOutput,
      signal,
      onOutput: piece => {
        const done = secondsDone(Buffer.from(piece).toString('latin1'))
        if (done !== null) onProgress?.(total === null ? done : Math.min(done, total), total)
      },
    })
    if (exitCode !== 0)
      throw new MediaProblem(/Unknown encoder/.test(message) ? 'unsupported' : 'undecodable', lastLine(message))
    await flush(temporary)
    await put(temporary)
  } finally {
    await rm(temporary, { force: true })
  }
}

async function flush(temporary: string): Promise<void> {
  const { size } = await stat(temporary)
  if (size === 0) throw new MediaProblem('undecodable', 'No frame of it can be decoded')
  const file = await open(temporary, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

function argumentsFor(transcoding: Transcoding, traits: FilmTraits): string[] {
  const { input, threads } = transcoding
  const streams = ['-map', '0:V:0', '-map', '0:a:0?', '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1']
  // Removes metadata of single streams, too: the option above only covers the whole film.
  const ofStreams = ['-map_metadata:s:v', '-1', '-map_metadata:s:a', '-1']
  const ending = ['-movflags', '+faststart', '-max_muxing_queue_size', '4096', '-f', 'mp4', '-progress', 'pipe:1']
  return [
    ...['-nostdin', '-y', ...inputOptions(filmFormats)],
    // Ends ffmpeg on systems where it does not end with this process (tools.ts). Seconds of processor time.
    ...['-timelimit', String(Math.ceil(timeLimit(transcoding, traits) * threads))],
    ...['-threads', String(threads), '-i', inputName(input)],
    ...streams,
    ...ofStreams,
    ...videoArguments(traits, threads),
    ...(traits.audioCodec === 'aac' ? ['-c:a', 'copy'] : ['-c:a', 'aac', '-b:a', '160k', '-ac', '2']),
    ...ending,
  ]
}

function videoArguments(traits: FilmTraits, threads: number): string[] {
  const isPlayed = traits.videoCodec === 'h264' && ['yuv420p', 'yuvj420p'].includes(traits.pixelFormat ?? '')
  // Interlaced films show combs in browsers. AVCHD has place and serial number between the frames (SEI): removed.
  const cleaned = traits.container.includes('mpegts') ? ['-bsf:v', 'filter_units=remove_types=6'] : []
  if (isPlayed && !traits.isInterlaced) return ['-c:v', 'copy', ...cleaned]
  const filters = [
    ...(traits.isInterlaced ? ['yadif'] : []),
    ...(traits.isHdr ? [toneMapping] : []),
    // H.264 with 4:2:0 needs even sizes; pixels become square.
    'scale=trunc(iw*sar/2)*2:trunc(ih/2)*2,setsar=1',
  ]
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-pix_fmt', 'yuv420p']
  return [...encoder, '-threads', String(threads), '-vf', filters.join(',')]
}

/** The last position in a piece of `-progress`, in seconds. */
function secondsDone(text: string): number | null {
  const last = [...text.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)
  return last === undefined ? null : Number(last[1]) / 1_000_000
}

function lastLine(message: string): string {
  return message.split('\n').at(-1)?.slice(0, 300) || 'ffmpeg could not convert this video'
}
