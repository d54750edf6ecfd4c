import { beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { longestEdge, renditionPath } from '../../../core/media/cache/renditions.ts'
import { CacheError } from '../../../core/media/cache/write-file.ts'
import { contentKeyOf } from '../../../core/media/decode/content-key.ts'
import { loadSharp, type Sharp } from '../../../core/media/decode/sharp.ts'
import { colourAt, decode, pixelsOf, put, quarters, renditionOf, workspace } from './decoding.ts'

const directory = workspace()
const cache = join(directory, 'cache')
let sharp: Sharp

beforeAll(async () => {
  sharp = await loadSharp()
})

const allSizes = ['tiny', 'small', 'medium', 'large'] as const

function image(width = 1200, height = 900) {
  const { data, ...raw } = quarters(width, height)
  return sharp(data, { raw })
}

/** Whether a rendition has the colours of the four quarters in the right places. */
async function isUpright(path: string): Promise<boolean> {
  const pixels = await pixelsOf(path)
  const [red = [], green = [], blue = [], white = []] = [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.2, 0.8],
    [0.8, 0.8],
  ].map(([x = 0, y = 0]) => colourAt(pixels, x, y))
  const strongest = (colour: number[]) => colour.indexOf(Math.max(...colour.slice(0, 3)))
  return strongest(red) === 0 && strongest(green) === 1 && strongest(blue) === 2 && Math.min(...white) > 200
}

describe('renditions', () => {
  test('have the longest edge of their size, and the picture is measured and hashed', async () => {
    const path = put(directory, 'photo.jpg', await image(3000, 2000).jpeg().toBuffer())
    const result = await decode(path, cache, { sizes: [...allSizes] })
    expect(result).toMatchObject({ kind: 'image', mime: 'image/jpeg', width: 3000, height: 2000, problems: [] })
    expect(result.made.sort()).toEqual([...allSizes].sort())
    expect(result.content).toBe(contentKeyOf(readFileSync(path)))
    expect(result.thumbhash?.length).toBeGreaterThan(10)
    expect(result.phash).toMatch(/^[0-9a-f]{16}$/)
    for (const size of allSizes) {
      const { width, height } = await pixelsOf(renditionOf(cache, result, size))
      expect([width, height]).toEqual([longestEdge[size], Math.round((longestEdge[size] * 2) / 3)])
    }
  })

  test('are never larger than the picture', async () => {
    const path = put(directory, 'little.png', await image(300, 200).png().toBuffer())
    const result = await decode(path, cache, { sizes: [...allSizes] })
    const widths = await Promise.all(
      allSizes.map(async size => (await pixelsOf(renditionOf(cache, result, size))).width),
    )
    expect(widths).toEqual([160, 300, 300, 300])
  })

  test('of a line of pixels are at least one pixel high', async () => {
    const path = put(directory, 'line.png', await image(5000, 2).png().toBuffer())
    const result = await decode(path, cache)
    expect(await pixelsOf(renditionOf(cache, result, 'tiny'))).toMatchObject({ width: 160, height: 1 })
  })

  test('that are in the cache are not made again', async () => {
    const path = put(directory, 'again.jpg', await image().jpeg().toBuffer())
    const first = await decode(path, cache, { sizes: ['small'] })
    const rendition = renditionOf(cache, first, 'small')
    writeFileSync(rendition, 'kept')
    const second = await decode(path, cache, { sizes: ['small', 'tiny'] })
    expect(readFileSync(rendition, 'utf8')).toBe('kept')
    expect(second.made.sort()).toEqual(['small', 'tiny'])
    const third = await decode(path, cache, { sizes: ['small', 'tiny'] })
    expect(third).toMatchObject({ made: ['small', 'tiny'], width: 1200, height: 900 })
    expect(third.thumbhash).toBeUndefined()
    expect((await decode(path, cache, { sizes: ['tiny'], hashes: true })).phash).toBe(second.phash)
  })

  test('are shared by files with the same content', async () => {
    const bytes = await image(700, 500).jpeg().toBuffer()
    const one = await decode(put(directory, 'one.jpg', bytes), cache)
    const two = await decode(put(directory, 'two.png', bytes), cache, { sizes: ['tiny', 'small'] })
    expect(two.content).toBe(one.content)
    expect(two.made.sort()).toEqual(['small', 'tiny'])
  })

  test('leave no temporary file', () => {
    expect(readdirSync(join(cache, 'renditions', 'tmp'))).toEqual([])
  })

  test('have the requested format and rotation', async () => {
    const path = put(directory, 'formats.jpg', await image().withMetadata({ orientation: 6 }).jpeg().toBuffer())
    for (const format of ['webp', 'jpeg', 'png', 'avif'] as const) {
      const result = await decode(path, cache, { sizes: ['small'], format, rotation: 270 })
      const file = renditionPath(cache, result.content ?? '', 'small', format, 270)
      expect((await sharp(readFileSync(file)).metadata()).format).toBe(format === 'avif' ? 'heif' : format)
      // The orientation rotates the picture a quarter to the right, and the owner's rotation a quarter back.
      expect(await isUpright(file)).toBe(true)
      expect(result).toMatchObject({ width: 900, height: 1200 })
    }
  })

  test('are made only in the requested sizes', async () => {
    const path = put(directory, 'nothing.jpg', await image(500, 400).jpeg().toBuffer())
    const result = await decode(path, cache, { sizes: [], metadata: true })
    expect(result).toMatchObject({ made: [], width: 500, height: 400, problems: [] })
    expect(result.metadata?.width).toBe(500)
    expect(existsSync(renditionOf(cache, result, 'tiny'))).toBe(false)
  })
})

describe('pictures are upright', () => {
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test(`with the camera's orientation ${orientation}`, async () => {
      // The pixels are stored with the inverse transformation, so that the orientation makes them upright.
      const inverse = {
        1: [],
        2: ['flop'],
        3: [180],
        4: ['flop', 180],
        5: ['flop', 270],
        6: [270],
        7: ['flop', 90],
        8: [90],
      }
      let stored = await image(600, 400).png().toBuffer()
      const steps = inverse[orientation as keyof typeof inverse]
      for (const step of [...steps].reverse()) {
        const turned = sharp(stored)
        stored = await (typeof step === 'number'
          ? turned.rotate(orientation === 5 || orientation === 7 ? 360 - step : step)
          : turned.flop()
        )
          .png()
          .toBuffer()
      }
      const jpeg = await sharp(stored).withMetadata({ orientation }).jpeg().toBuffer()
      const result = await decode(put(directory, `orientation-${orientation}.jpg`, jpeg), cache)
      expect(result).toMatchObject({ width: 600, height: 400 })
      expect(await isUpright(renditionOf(cache, result, 'small'))).toBe(true)
      expect(await isUpright(renditionOf(cache, result, 'tiny'))).toBe(true)
    })
  }

  test('also in the variant, which has no EXIF', async () => {
    const tiff = await image(400, 600)
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Artist: 'Somebody' } })
      .tiff()
      .toBuffer()
    const result = await decode(put(directory, 'scan.tif', tiff), cache, { sizes: [], variant: true })
    const variant = renditionOf(cache, result, 'variant')
    const metadata = await sharp(readFileSync(variant)).metadata()
    expect(metadata).toMatchObject({ format: 'jpeg', width: 600, height: 400 })
    expect(metadata.exif).toBeUndefined()
    expect(result.made).toEqual(['variant'])
  })
})

describe('colours', () => {
  const orange = { r: 230, g: 120, b: 20 }
  const flat = (channels: 3 | 4 = 3) => sharp({ create: { width: 64, height: 64, channels, background: orange } })

  test('of wide gamuts are converted to sRGB', async () => {
    const wide = await flat().withIccProfile('p3').png().toBuffer()
    // The same colour has less saturated values in the wider space. Without conversion it would look dull.
    const metadata = await sharp(wide).metadata()
    expect(metadata.hasProfile).toBe(true)
    const result = await decode(put(directory, 'p3.png', wide), cache, { format: 'png' })
    const shown = colourAt(await pixelsOf(renditionPath(cache, result.content ?? '', 'small', 'png')), 0.5, 0.5)
    expect(Math.max(...shown.map((value, c) => Math.abs(value - (Object.values(orange)[c] ?? 0))))).toBeLessThan(6)
  })

  test('of CMYK, 16-bit and grey pictures are converted correctly', async () => {
    const near = async (name: string, bytes: Buffer, expected: number[], within: number) => {
      const result = await decode(put(directory, name, bytes), cache)
      const shown = colourAt(await pixelsOf(renditionOf(cache, result, 'small')), 0.5, 0.5)
      expect(shown.length).toBe(3)
      expect(Math.max(...shown.map((value, c) => Math.abs(value - (expected[c] ?? 0))))).toBeLessThan(within)
    }
    await near('cmyk.tif', await flat().toColourspace('cmyk').tiff().toBuffer(), [230, 120, 20], 40)
    await near('deep.png', await flat().toColourspace('rgb16').png().toBuffer(), [230, 120, 20], 6)
    await near('grey16.png', await flat().toColourspace('grey16').png().toBuffer(), [141, 141, 141], 12)
    await near('grey.jpg', await flat().greyscale().jpeg().toBuffer(), [141, 141, 141], 12)
  })

  test('that are transparent stay so in WebP, and become white in JPEG', async () => {
    const clear = await sharp({
      create: { width: 50, height: 50, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const path = put(directory, 'clear.png', clear)
    const result = await decode(path, cache)
    expect(colourAt(await pixelsOf(renditionOf(cache, result, 'small')), 0.5, 0.5)[3]).toBe(0)
    const jpeg = await decode(path, cache, { format: 'jpeg' })
    expect(colourAt(await pixelsOf(renditionPath(cache, jpeg.content ?? '', 'small', 'jpeg')), 0.5, 0.5)).toEqual([
      255, 255, 255,
    ])
  })

  test('of grey pictures keep their transparency', async () => {
    const grey = await sharp({
      create: { width: 40, height: 40, channels: 4, background: { r: 90, g: 90, b: 90, alpha: 0.5 } },
    })
      .toColourspace('b-w')
      .png()
      .toBuffer()
    const result = await decode(put(directory, 'half-grey.png', grey), cache)
    const [r = 0, , , alpha = 0] = colourAt(await pixelsOf(renditionOf(cache, result, 'small')), 0.5, 0.5)
    expect(Math.abs(r - 90)).toBeLessThan(4)
    expect(Math.abs(alpha - 128)).toBeLessThan(4)
  })
})

describe('drawings', () => {
  const svg = (inside: string, size = 'width="24" height="12"') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size} viewBox="0 0 24 12">${inside}</svg>`

  test('are drawn in the requested size, and report the size that the file gives', async () => {
    const path = put(directory, 'icon.svg', svg('<rect width="24" height="12" fill="#00ff00"/>'))
    const result = await decode(path, cache, { sizes: ['tiny', 'medium'] })
    expect(result).toMatchObject({ mime: 'image/svg+xml', width: 24, height: 12, problems: [] })
    expect(await pixelsOf(renditionOf(cache, result, 'medium'))).toMatchObject({ width: 960, height: 480 })
  })

  test('do not include other files', async () => {
    const secret = put(directory, 'secret.png', await image(24, 12).png().toBuffer())
    for (const [index, href] of ['secret.png', './secret.png', secret, `file://${secret}`].entries()) {
      const inside = `<image href="${href}" xlink:href="${href}" width="24" height="12"/>`
      const result = await decode(put(directory, `leak-${index}.svg`, svg(inside)), cache)
      const { data, channels } = await pixelsOf(renditionOf(cache, result, 'small'))
      expect(channels).toBe(4)
      expect(Math.max(...data)).toBe(0)
    }
    const included = svg('<style>@import url("secret.png");</style><text>&x;</text>').replace(
      '<svg',
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${secret}">]><svg`,
    )
    const result = await decode(put(directory, 'entity.svg', included), cache)
    expect(result.made.length === 2 || result.problems.length > 0).toBe(true)
  })

  test('that are enormous or deeply nested are drawn or reported', async () => {
    const huge = await decode(put(directory, 'huge.svg', svg('', 'width="900000" height="900000"')), cache)
    expect(huge.made.length === 2 || huge.problems[0]?.code === 'too-large').toBe(true)
    const nest = Array.from(
      { length: 30 },
      (_, i) => `<g id="g${i + 1}"><use href="#g${i}"/><use href="#g${i}"/></g>`,
    ).join('')
    const bomb = await decode(
      put(directory, 'bomb.svg', svg(`<g id="g0"><rect width="1" height="1"/></g>${nest}`)),
      cache,
    )
    expect(bomb.made.length === 2 || bomb.problems.length > 0).toBe(true)
  }, 60_000)
})

describe('animations', () => {
  test('report their number of frames and show the first frame', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#00ff00', '#0000ff'].map(background =>
        sharp({ create: { width: 60, height: 40, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    for (const format of ['gif', 'webp'] as const) {
      const bytes = await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer()
      const result = await decode(put(directory, `moving.${format}`, bytes), cache)
      expect(result).toMatchObject({ width: 60, height: 40, frames: 3 })
      const [red = 0, green = 0] = colourAt(await pixelsOf(renditionOf(cache, result, 'small')), 0.5, 0.5)
      expect(red).toBeGreaterThan(200)
      expect(green).toBeLessThan(60)
    }
  })
})

describe('problems', () => {
  test('with the file are reported by code', async () => {
    const jpeg = await image().jpeg().toBuffer()
    mkdirSync(join(directory, 'folder.jpg'))
    Bun.spawnSync(['mkfifo', join(directory, 'pipe.jpg')])
    const cases: [name: string, bytes: Uint8Array | null, code: string | undefined][] = [
      ['gone.jpg', null, 'unreadable'],
      ['folder.jpg', null, 'unreadable'],
      ['pipe.jpg', null, 'unreadable'],
      ['empty.jpg', new Uint8Array(0), 'empty'],
      ['text.jpg', Buffer.from('ffconcat version 1.0'), 'not-media'],
      ['cut.jpg', jpeg.subarray(0, jpeg.length / 2), 'damaged'],
      ['header.jpg', jpeg.subarray(0, 100), 'undecodable'],
      ['whole.jpg', jpeg, undefined],
    ]
    for (const [name, bytes, code] of cases) {
      const path = bytes === null ? join(directory, name) : put(directory, name, bytes)
      const result = await decode(path, cache)
      expect([name, result.problems[0]?.code]).toEqual([name, code as never])
      expect(result.made.length).toBe(code === 'damaged' || code === undefined ? 2 : 0)
    }
  })

  test('are reported without decoding if a file must be decoded as a whole and needs too much memory', async () => {
    const small = sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    const [plain, progressive] = [
      await small.clone().jpeg().toBuffer(),
      await small.jpeg({ progressive: true }).toBuffer(),
    ]
    const enlarged = (jpeg: Buffer, marker: number) => {
      const frame = jpeg.indexOf(Buffer.from([0xff, marker]))
      jpeg.writeUInt16BE(14_000, frame + 5)
      jpeg.writeUInt16BE(14_000, frame + 7)
      return jpeg
    }
    const codeOf = async (name: string, jpeg: Buffer) =>
      (await decode(put(directory, name, jpeg), cache)).problems.map(({ code }) => code)
    expect(await codeOf('progressive.jpg', enlarged(progressive, 0xc2))).toEqual(['too-large'])
    expect(await codeOf('plain.jpg', enlarged(plain, 0xc0))).not.toContain('too-large')
  })

  test('are reported without decoding if there are too many pixels', async () => {
    const png = await sharp({
      create: { width: 20_000, height: 20_000, channels: 3, background: 'red' },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 1 })
      .toBuffer()
    const result = await decode(put(directory, 'huge.png', png), cache)
    expect(result.problems[0]?.code).toBe('too-large')
  }, 30_000)

  test('are not reported for a name that does not match the content', async () => {
    const gif = await image(90, 60).gif().toBuffer()
    const result = await decode(put(directory, 'really-a.mp4', gif), cache, { kind: 'video' })
    expect(result).toMatchObject({ kind: 'image', mime: 'image/gif', problems: [], width: 90 })
  })

  test('are not reported for a path that is not UTF-8', async () => {
    const path = Buffer.concat([Buffer.from(`${directory}/caf`), Buffer.from([0xe9]), Buffer.from('.jpg')])
    writeFileSync(path, await image(80, 60).jpeg().toBuffer())
    const result = await decode('unused.jpg', cache, { path: new Uint8Array(path) })
    expect(result).toMatchObject({ width: 80, problems: [] })
  })

  test('with the cache are errors, not problems of the file', async () => {
    const path = put(directory, 'fine.jpg', await image(333, 222).jpeg().toBuffer())
    const blocked = put(directory, 'blocked', 'a file where the cache should be')
    await expect(decode(path, blocked)).rejects.toBeInstanceOf(CacheError)
    if (process.getuid?.() === 0) return
    const locked = join(directory, 'locked')
    mkdirSync(locked)
    chmodSync(locked, 0o500)
    await expect(decode(path, locked)).rejects.toBeInstanceOf(CacheError)
  })

  test('are avoided for a file that has changed: its renditions are named by its current content', async () => {
    const path = put(directory, 'changes.jpg', await image(440, 330).jpeg().toBuffer())
    const result = await decode(path, cache, { content: '0000000000000000-1' })
    expect(result.content).toBe(contentKeyOf(readFileSync(path)))
    expect(existsSync(renditionPath(cache, '0000000000000000-1', 'tiny'))).toBe(false)
  })
})

describe('formats that sharp does not decode', () => {
  test('raw files show their preview with the orientation of the raw file', async () => {
    const preview = await image(1500, 1000).jpeg().toBuffer()
    const file = Buffer.alloc(200 + preview.length)
    file.write('II*\0\x08\0\0\0', 'latin1')
    const entries = [
      [0x112, 3, 8],
      [0x201, 4, 200],
      [0x202, 4, preview.length],
    ]
    file.writeUInt16LE(entries.length, 8)
    entries.forEach(([tag = 0, type = 0, value = 0], index) => {
      file.writeUInt16LE(tag, 10 + index * 12)
      file.writeUInt16LE(type, 12 + index * 12)
      file.writeUInt32LE(1, 14 + index * 12)
      file.writeUInt32LE(value, 18 + index * 12)
    })
    file.set(preview, 200)
    const path = put(directory, 'DSC_0001.NEF', file)
    const result = await decode(path, cache, { rotation: 90 })
    expect(result).toMatchObject({ mime: 'image/x-nikon-nef', width: 1000, height: 1500, problems: [] })
    expect(await isUpright(renditionPath(cache, result.content ?? '', 'small', 'webp', 90))).toBe(true)
  })

  test('raw files without a preview are reported with a reason', async () => {
    const file = Buffer.alloc(400)
    file.write('IIRO\x08\0\0\0', 'latin1')
    const result = await decode(put(directory, 'bare.orf', file), cache)
    expect(result).toMatchObject({ kind: 'image', made: [] })
    expect(result.problems[0]).toMatchObject({
      code: 'unsupported',
      reason: 'This raw file has no preview picture inside',
    })
  })
})
