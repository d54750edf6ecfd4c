/** The motion part of a still, without metadata: for shares, and for visitors from whom places are hidden. */
import { createWriteStream, existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { limits } from '../../../schema/limits.ts'
import { type OpenFile, openRegularFile } from '../../files/open-file.ts'
import { renditionPath } from '../cache/renditions.ts'
import { putTemporary, temporaryPath } from '../cache/write-file.ts'
import type { VideoTools } from '../video/tools.ts'
import { transcodeVideo } from '../video/transcode.ts'

export interface MotionPart {
  /** Absolute path of the film, or of the still that contains it; bytes. */
  path: Uint8Array
  /** The film's range in the file, in bytes; null: the whole file. */
  within: { offset: number; length: number | null } | null
  content: string
}

/** The film's range of bytes in its file, and the path in the cache of its copy without metadata. */
function planOf(file: OpenFile, { within, content }: MotionPart, cache: string) {
  const from = within?.offset ?? 0
  const to = Math.min(file.size, from + (within?.length ?? file.size))
  // A film beside its picture may be replaced while the picture stays the same.
  const which = within === null ? `${file.size}-${file.mtimeSeconds}` : `${from}-${to}`
  const directory = dirname(renditionPath(cache, content, 'variant'))
  return { from, to, target: join(directory, `${content}-motion-${which}.mp4`) }
}

/** Path of an existing result of `motionWithoutMetadata`; null if it has to be made, or the file is gone. */
export function madeMotionPart(part: MotionPart, cache: string): string | null {
  try {
    const file = openRegularFile(part.path)
    try {
      const { target } = planOf(file, part, cache)
      return existsSync(target) ? target : null
    } finally {
      file.close()
    }
  } catch {
    // Errors of the file are reported when the part is made.
    return null
  }
}

/**
 * Path of an MP4 in the cache that every browser plays and that has no metadata; made if missing. Null if the part is
 * empty, or too large for a few seconds of film. Throws MediaProblem, as `transcodeVideo` does.
 */
export async function motionWithoutMetadata(
  part: MotionPart,
  { cache, tools, signal }: { cache: string; tools: VideoTools; signal: AbortSignal },
): Promise<string | null> {
  const { path, within } = part
  const file = openRegularFile(path)
  try {
    const { from, to, target } = planOf(file, part, cache)
    if (to - from <= 0 || to - from > limits.motionBytes) return null
    if (existsSync(target)) return target
    const convert = (input: { fd: number; path: Uint8Array }) =>
      transcodeVideo({
        tools,
        input,
        cache,
        put: finished => putTemporary(finished, target),
        threads: 1,
        maxSeconds: limits.motionSeconds,
        signal,
      })
    if (within === null) await convert({ fd: file.fd, path })
    else {
      // ffmpeg only reads films that begin at the start of a file.
      const temporary = await temporaryPath(cache)
      try {
        await pipeline(file.stream(from, to), createWriteStream(temporary, { flags: 'wx', mode: 0o600 }), { signal })
        const part = await open(temporary, 'r')
        try {
          await convert({ fd: part.fd, path: Buffer.from(temporary) })
        } finally {
          await part.close()
        }
      } finally {
        await rm(temporary, { force: true })
      }
    }
    return target
  } finally {
    file.close()
  }
}
