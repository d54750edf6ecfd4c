/** Reads the server's picture as pixels, in the page because not every browser can draw in a worker. */
import type { Pixels } from './face-messages.ts'

/** Throws if the picture cannot be loaded. */
export async function pixelsOf(address: string): Promise<Pixels> {
  const image = new Image()
  image.src = address
  await image.decode()
  const { naturalWidth: width, naturalHeight: height } = image
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('no canvas')
  // Draw transparent parts white.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(image, 0, 0)
  const { buffer } = context.getImageData(0, 0, width, height).data
  // Safari keeps the memory of a canvas until the canvas is small.
  canvas.width = 0
  canvas.height = 0
  return { width, height, bytes: buffer }
}
