/** The body of the process that turns a ready rendition into plain pixels for a terminal: libvips' memory stays in there. */
import { readFileSync } from 'node:fs'
import { Failure, reasonOf } from '../../../schema/errors.ts'
import { isPixelsAsked, type PixelsAnswer, type PixelsAsked } from './pixels-messages.ts'
import { loadSharp } from './sharp.ts'

async function answerTo({ id, from, turn, width, height, format }: PixelsAsked): Promise<PixelsAnswer> {
  try {
    const sharp = await loadSharp()
    const bytes = typeof from === 'string' ? readFileSync(from) : from
    // Not enlarged for terminals that draw pictures themselves; half blocks are so large that little ones are.
    const fitted = sharp(bytes, { failOn: 'none' })
      .rotate(turn)
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

/** Serves the process that started this one until it goes away. Throws a Failure when nobody started it so. */
export async function runPixelsWorker(): Promise<void> {
  if (process.send === undefined) throw new Failure('invalid', 'This command is started by keepsake itself')
  // A terminal's Ctrl-C goes to all processes; whoever started this one decides what becomes of it.
  process.on('SIGINT', () => {})
  process.on('SIGHUP', () => {})
  let last: Promise<unknown> = Promise.resolve()
  process.on('message', (message: unknown) => {
    if (!isPixelsAsked(message)) return
    last = last.then(async () => process.send?.(await answerTo(message)))
  })
  await new Promise<void>(resolve => process.on('disconnect', resolve))
  process.exit(0)
}
