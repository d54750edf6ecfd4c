/** Examines frames as the browser really painted them, which the page's own scripts cannot see. */
import type { Page } from 'playwright'
import { z } from 'zod'
import { loadSharp } from '../core/media/decode/sharp.ts'

export interface PaintedFrames {
  frames: number
  /** Frames in which at least one sampled square showed only the background. */
  blank: number
}

const room = z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() })
const sampleColumns = 6
const sampleRows = 9
/** Edge of the square that is sampled at each point, from its top left corner, in pixels. */
const patchSize = 14
/** A background colour that no picture has; JPEG changes it slightly. */
const backgroundColour = [255, 0, 255]
const tolerance = 40

async function pixelsOf(frame: Buffer) {
  const sharp = await loadSharp()
  const { data, info } = await sharp(frame).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Records the painted frames during an action, then searches them for the background colour. */
export async function recordPaintedFrames(page: Page, act: () => Promise<void>): Promise<PaintedFrames> {
  const session = await page.context().newCDPSession(page)
  const frames: Buffer[] = []
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push(Buffer.from(data, 'base64'))
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await page.evaluate(`for (const one of [document.body, document.querySelector('.grid-scroller')])
    one.style.backgroundColor = 'rgb(${backgroundColour.join()})'`)
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 92, everyNthFrame: 1 })
  await act()
  await session.send('Page.stopScreencast')
  await session.detach()
  const grid = room.parse(
    await page.evaluate(`(() => {
      const { left, top, width, height } = document.querySelector('.grid-scroller').getBoundingClientRect()
      return { left: left / innerWidth, top: top / innerHeight, width: width / innerWidth, height: height / innerHeight }
    })()`),
  )
  let blank = 0
  for (const frame of frames) {
    const { data, width, height } = await pixelsOf(frame)
    const isBackground = (x: number, y: number) =>
      backgroundColour.every(
        (value, channel) => Math.abs((data[(y * width + x) * 3 + channel] ?? -99) - value) <= tolerance,
      )
    const isBlank = (x: number, y: number) => {
      for (let dy = 0; dy < patchSize; dy++) {
        for (let dx = 0; dx < patchSize; dx++) if (!isBackground(x + dx, y + dy)) return false
      }
      return true
    }
    const points = Array.from({ length: sampleColumns * sampleRows }, (_, n) => ({
      x: Math.round((grid.left + (grid.width * ((n % sampleColumns) + 0.5)) / sampleColumns) * width),
      y: Math.round((grid.top + (grid.height * (Math.floor(n / sampleColumns) + 0.5)) / sampleRows) * height),
    }))
    if (points.some(({ x, y }) => isBlank(x, y))) blank++
  }
  return { frames: frames.length, blank }
}
