/** Makes the pictures that tests scan. Walks use it without `scanning-library.ts`, whose library takes long to load. */
import sharp from 'sharp'

/** A small JPEG of one colour with a stripe; different seeds give different pictures. */
export async function picture(options: {
  seed: number
  exif?: Record<string, string>
  width?: number
  height?: number
  xmp?: string
}): Promise<Buffer> {
  const { seed, width = 64, height = 48 } = options
  const colour = { r: (seed * 67) % 256, g: (seed * 101) % 256, b: (seed * 37) % 256 }
  const stripe = await sharp({
    create: { width, height: 6, channels: 3, background: { r: 255 - colour.r, g: 128, b: (seed * 13) % 256 } },
  })
    .png()
    .toBuffer()
  let image = sharp({ create: { width, height, channels: 3, background: colour } }).composite([
    { input: stripe, top: seed % (height - 6), left: 0 },
  ])
  if (options.exif !== undefined) image = image.withExif({ IFD0: { Make: 'Test' }, IFD2: options.exif })
  if (options.xmp !== undefined) image = image.withXmp(options.xmp)
  return image.jpeg().toBuffer()
}

/** EXIF for a date 'YYYY-MM-DD HH:MM:SS'. */
export function takenAt(date: string): Record<string, string> {
  return { DateTimeOriginal: date.replace(/^(\d+)-(\d+)-/, '$1:$2:') }
}
