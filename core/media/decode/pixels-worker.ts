/** The process that converts a rendition to pixels for a terminal: libvips' memory is freed when it ends. */
import { readFileSync } from 'node:fs'
import { reasonOf } from '../../../schema/errors.ts'
import { isPixelsRequest, type PixelsRequest, type PixelsResponse } from './pixels-messages.ts'
import { loadSharp } from './sharp.ts'
import { serveParent } from './worker-process.ts'

async function answerTo({ id, from, rotation, width, height, format }: PixelsRequest): Promise<PixelsResponse> {
  try {
    const sharp = await loadSharp()
    const bytes = typeof from === 'string' ? readFileSync(from) : from
    // Terminals that draw pictures get them unenlarged; half blocks are so large that small pictures are enlarged.
    const fitted = sharp(bytes, { failOn: 'none' })
      .rotate(rotation)
      .resize(width, height, { fit: 'inside', withoutEnlargement: format === 'png' })
      .flatten({ background: '#000' })
      .toColourspace('srgb')
    const made = await (format === 'png' ? fitted.png({ compressionLevel: 6 }) : fitted.raw()).toBuffer({
      resolveWithObject: true,
    })
    return { id, width: made.info.width, height: made.info.height, data: new Uint8Array(made.data) }
  } catch (error) {
    return { id, failed: reasonOf(error) }
  }
}

export function runPixelsWorker(): Promise<void> {
  return serveParent<PixelsResponse>(send => {
    let last: Promise<void> = Promise.resolve()
    return {
      received(message) {
        if (isPixelsRequest(message)) last = last.then(async () => send(await answerTo(message)))
      },
    }
  })
}
