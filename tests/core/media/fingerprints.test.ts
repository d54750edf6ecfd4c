import { describe, expect, test } from 'bun:test'
import { thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash'
import { type Pixels, perceptualHashOf, thumbhashOf } from '../../../core/media/decode/fingerprints.ts'
import { loadSharp } from '../../../core/media/decode/sharp.ts'
import { hashDistance, quarters } from './decoding.ts'

/** Discs of many sizes and colours on a background, always the same for one seed. */
function discs(seed: number, width = 160, height = 120): Pixels {
  let state = seed * 7919 + 1
  // The generator of Park and Miller.
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const data = new Uint8Array(width * height * 3).fill(255 * random())
  for (let disc = 0; disc < 14; disc++) {
    const [cx, cy, radius] = [random() * width, random() * height, (0.05 + random() * 0.25) * width]
    const colour = [random() * 255, random() * 255, random() * 255]
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        if ((x - cx) ** 2 + (y - cy) ** 2 < radius ** 2) data.set(colour, (y * width + x) * 3)
      }
    }
  }
  return { data, width, height, channels: 3 }
}

async function resizeAndCompress(pixels: Pixels, width: number, quality: number): Promise<Pixels> {
  const sharp = await loadSharp()
  const { data: raw, ...shape } = pixels
  const jpeg = await sharp(raw, { raw: shape }).resize(width).jpeg({ quality }).toBuffer()
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}

describe('the thumbhash', () => {
  test('approximates the picture', () => {
    const hash = Buffer.from(thumbhashOf(quarters(300, 200)), 'base64')
    const { w, h, rgba } = thumbHashToRGBA(hash)
    const at = (x: number, y: number) => [...rgba.subarray((Math.floor(y * h) * w + Math.floor(x * w)) * 4)].slice(0, 3)
    const [red = 0, green = 0] = at(0.2, 0.2)
    expect(red).toBeGreaterThan(green + 50)
    expect(w).toBeGreaterThan(h)
    expect(hash.length).toBeLessThan(30)
  })

  test('is similar for a picture and a smaller version', () => {
    const mean = (pixels: Pixels) => thumbHashToAverageRGBA(Buffer.from(thumbhashOf(pixels), 'base64'))
    const [large, small] = [mean(quarters(800, 600)), mean(quarters(80, 60))]
    expect(Math.abs(large.r - small.r) + Math.abs(large.g - small.g) + Math.abs(large.b - small.b)).toBeLessThan(0.1)
  })

  test('includes transparency', () => {
    const data = new Uint8Array(20 * 20 * 4).fill(200)
    for (let i = 0; i < 200; i++) data[i * 4 + 3] = 0
    const hash = Buffer.from(thumbhashOf({ data, width: 20, height: 20, channels: 4 }), 'base64')
    expect(thumbHashToAverageRGBA(hash).a).toBeLessThan(0.8)
  })

  test('works for a single pixel and a line', () => {
    expect(thumbhashOf(quarters(1, 1))).not.toBe('')
    expect(thumbhashOf(quarters(500, 1))).not.toBe('')
  })
})

describe('the perceptual hash', () => {
  test('hardly changes when a picture is resized and compressed', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const picture = discs(seed)
      const copy = await resizeAndCompress(picture, 70, 50)
      expect(hashDistance(perceptualHashOf(picture), perceptualHashOf(copy))).toBeLessThanOrEqual(10)
    }
  })

  test('distinguishes different pictures', () => {
    const hashes = Array.from({ length: 12 }, (_, seed) => perceptualHashOf(discs(seed + 1)))
    const distances = hashes.flatMap((a, i) => hashes.slice(i + 1).map(b => hashDistance(a, b)))
    expect(Math.min(...distances)).toBeGreaterThan(10)
  })

  test('has sixteen hex digits for any picture', () => {
    for (const pixels of [discs(1), quarters(1, 1), quarters(3, 900)])
      expect(perceptualHashOf(pixels)).toMatch(/^[0-9a-f]{16}$/)
  })

  test('has a distance that counts differing bits', () => {
    expect(hashDistance('0000000000000000', 'ffffffffffffffff')).toBe(64)
    expect(hashDistance('8000000000000001', '8000000000000000')).toBe(1)
  })
})
