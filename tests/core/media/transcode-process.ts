/** Transcodes a video in its own process, for tests that kill it. Arguments: FILM CACHE FFMPEG FFPROBE. */
import { openSync } from 'node:fs'
import { transcodeVideo } from '../../../core/media/video/transcode.ts'

const [path = '', cache = '', ffmpeg = '', ffprobe = ''] = process.argv.slice(2)
await transcodeVideo({
  tools: { ffmpeg, ffprobe },
  input: { fd: openSync(path, 'r'), path: Buffer.from(path) },
  cache,
  put: async () => {},
  threads: 1,
})
