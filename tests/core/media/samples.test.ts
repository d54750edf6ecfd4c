import { afterAll, beforeAll, expect, test } from 'bun:test'
import { basename, join } from 'node:path'
import { silentLog } from '../../../core/kernel/log.ts'
import type { DecodeResult } from '../../../core/media/decode/decode.ts'
import { createDecodePool, type DecodePool } from '../../../core/media/decode/decode-pool.ts'
import { mediaKindOfName } from '../../../core/media/formats/sniff.ts'
import { isLong } from '../../support/long.ts'
import { describeWithSamples, type ExpectedFile, expectedFiles } from '../../support/samples.ts'
import { difference, hashDistance, pixelsOf, renditionOf, videoTools, workspace } from './decoding.ts'

const directory = workspace()
const cache = join(directory, 'cache')
const hasFfmpeg = videoTools() !== null

describeWithSamples('the samples', samples => {
  const expected = expectedFiles(samples)
  const results = new Map<string, DecodeResult>()
  let pool: DecodePool
  let firstWorker: number | undefined

  /** Decodes a sample by its path, once. */
  async function decodeOnce(path: string): Promise<DecodeResult> {
    const known = results.get(path)
    if (known !== undefined) return known
    const name = basename(path)
    const kind = mediaKindOfName(name) ?? 'image'
    const task = {
      path: Buffer.from(join(samples, path)),
      name,
      kind,
      cache,
      metadata: true,
      hashes: true,
    }
    const result = await pool.decode({ ...task, sizes: ['tiny', 'small'] })
    results.set(path, result)
    return result
  }

  const decodeAll = (files: ExpectedFile[]) =>
    Promise.all(files.map(async file => ({ file, result: await decodeOnce(file.path) })))

  const shown = async (path: string, size: 'tiny' | 'small' = 'small') =>
    pixelsOf(renditionOf(cache, await decodeOnce(path), size))

  beforeAll(async () => {
    pool = createDecodePool({
      command: [process.execPath, join(import.meta.dir, 'worker-process.ts')],
      width: navigator.hardwareConcurrency,
      log: silentLog,
    })
    await decodeOnce('library/formats/made/photo.png')
    firstWorker = pool.workers[0]
  })
  afterAll(() => pool.close())

  test('of the library all have renditions, upright and in the expected size', async () => {
    const inLibrary = expected.filter(
      ({ path, kind }) => path.startsWith('library/') && (kind === 'image' || kind === 'video'),
    )
    // Neighbours are mostly of the same kind, so every fifth one is decoded, and the two films that are not as expected.
    const files = inLibrary.filter(({ path }, n) => isLong || n % 5 === 0 || /quicktime-jpeg|phone\.3gp/.test(path))
    const decoded = await decodeAll(hasFfmpeg ? files : files.filter(({ kind }) => kind === 'image'))
    const notMade = decoded.filter(({ result }) => result.made.length < 2).map(({ file }) => file.path)
    expect(notMade.sort()).toEqual(
      hasFfmpeg
        ? // Its only frame is cut off.
          ['library/videos/quicktime-jpeg.mov']
        : [],
    )
    const wrongSizes = decoded.flatMap(({ file, result }) => {
      const turned = (file.video?.rotationClockwise ?? 0) % 180 !== 0
      const width = file.displayWidth ?? (turned ? file.video?.height : file.video?.width)
      const height = file.displayHeight ?? (turned ? file.video?.width : file.video?.height)
      const same = width == null || (result.width === width && result.height === height)
      return same ? [] : [`${file.path}: ${result.width} × ${result.height} for ${width} × ${height}`]
    })
    // Its pixels are not square (12:11); other programs leave the scaling to the player.
    expect(wrongSizes).toEqual(hasFfmpeg ? ['library/videos/made/phone.3gp: 192 × 144 for 176 × 144'] : [])
    const troubled = decoded.filter(({ result }) => result.problems.length > 0).map(({ file }) => file.path)
    expect(troubled.sort()).toEqual(notMade.sort())
    const unhashed = decoded.filter(({ result }) => result.made.length > 0 && (!result.thumbhash || !result.phash))
    expect(unhashed).toEqual([])
  }, 240_000)

  test('that are broken neither stop nor crash the worker, and the decodable ones are shown', async () => {
    const decoded = await decodeAll(expected.filter(({ path }) => path.startsWith('broken/')))
    const lost = decoded.filter(({ file, result }) => file.pixels?.decodes === true && result.made.length < 2)
    // A fuzzed file, 4 pixels wide: libjpeg gives more warnings than libvips tolerates.
    expect(lost.map(({ file }) => basename(file.path))).toEqual(['b55977028a3a574336966b6536640fc9.jpg'])
    // Every picture that cannot be shown has a problem.
    const silent = decoded.filter(({ result }) => result.made.length < 2 && result.problems.length === 0)
    expect(silent).toEqual([])
    const codes = new Set(decoded.flatMap(({ result }) => result.problems.map(({ code }) => code)))
    expect([...codes].sort()).toEqual(['damaged', 'empty', 'not-media', 'too-large', 'undecodable'])
    expect(pool.workers).toContain(firstWorker ?? 0)
  }, 120_000)

  const broken: [path: string, code: string | undefined, kind?: string, mime?: string][] = [
    ['empty/empty.jpg', 'empty'],
    ['empty/zero.mp4', 'empty'],
    ['not-an-image/zip as.jpg', 'not-media'],
    ['not-an-image/html as.jpg', 'not-media'],
    ['not-an-image/svg as.png', undefined, 'image', 'image/svg+xml'],
    ['not-an-image/script.svg', undefined, 'image', 'image/svg+xml'],
    ['not-an-image/jpeg followed by html.jpg', undefined, 'image', 'image/jpeg'],
    ['huge-dimensions/jpeg says 65500 x 65500.jpg', 'too-large', 'image', 'image/jpeg'],
    ['huge-dimensions/valid png 30000 x 30000.png', 'too-large', 'image', 'image/png'],
    ['huge-dimensions/gif says 65535 x 65535.gif', 'too-large', 'image', 'image/gif'],
    ['truncated/jpeg cut at 50 percent.jpg', 'damaged', 'image', 'image/jpeg'],
    ['truncated/png cut in half.png', 'damaged', 'image', 'image/png'],
    ['truncated/heic cut in half.heic', 'undecodable', 'image', 'image/heic'],
    ['wrong-extension/gif as.webp', undefined, 'image', 'image/gif'],
    ['wrong-extension/jpeg as.mp4', undefined, 'image', 'image/jpeg'],
    ['wrong-extension/wrong.heic', undefined, 'image', 'image/jpeg'],
  ]
  for (const [path, code, kind, mime] of broken) {
    test(`broken/${path} is reported as ${code ?? 'its real type'}`, async () => {
      const result = await decodeOnce(`broken/${path}`)
      expect([result.problems[0]?.code as string | undefined, result.kind as string | undefined, result.mime]).toEqual([
        code,
        kind,
        mime,
      ])
    })
  }

  test.if(hasFfmpeg)('a video with the extension of a picture is shown as a video', async () => {
    expect(await decodeOnce('broken/wrong-extension/mp4 as.jpg')).toMatchObject({
      kind: 'video',
      mime: 'video/mp4',
      problems: [],
    })
  })

  const families: Record<string, string[]> = {
    landscape: [1, 2, 3, 4, 5, 6, 7, 8].map(n => `library/orientation/landscape/Landscape_${n}.jpg`),
    portrait: [1, 2, 3, 4, 5, 6, 7, 8].map(n => `library/orientation/portrait/Portrait_${n}.jpg`),
    F: [1, 2, 3, 4, 5, 6, 7, 8].map(n => `library/orientation/tiny/f${n}t.jpg`),
    film: ['rotated 90', 'rotated 270'].map(name => `library/videos/made/${name}.mp4`),
  }
  for (const [family, [first = '', ...others]] of Object.entries(families)) {
    test.if(family !== 'film' || hasFfmpeg)(`${family}: all orientations are alike (films: only in size)`, async () => {
      const { width, height, phash = '' } = await decodeOnce(first)
      for (const other of others) {
        const result = await decodeOnce(other)
        if (family === 'film') {
          expect([result.width, result.height]).toEqual([width, height])
          continue
        }
        expect([other, result.width, result.height]).toEqual([other, width, height])
        expect(hashDistance(phash, result.phash ?? '')).toBeLessThanOrEqual(10)
        expect(difference(await shown(first), await shown(other))).toBeLessThan(12)
      }
    })
  }

  test('an orientation that is only in XMP is applied', async () => {
    const [byExif, byXmp] = ['6', 'only in xmp'].map(name => `library/orientation/made/orientation ${name}.jpg`)
    expect(await decodeOnce(byXmp ?? '')).toMatchObject({ width: 345, height: 512 })
    expect(difference(await shown(byExif ?? ''), await shown(byXmp ?? ''))).toBeLessThan(2)
    expect(await decodeOnce('library/orientation/made/orientation 9 (invalid).jpg')).toMatchObject({
      width: 512,
      height: 345,
    })
  })

  test('AVIFs that are rotated, mirrored and cropped by their container are upright', async () => {
    const plain = await shown('library/formats/avif/kimono.avif')
    for (const name of ['rotate90', 'rotate270', 'mirror-horizontal']) {
      expect(difference(plain, await shown(`library/formats/avif/kimono.${name}.avif`))).toBeLessThan(4)
    }
    expect(await decodeOnce('library/formats/avif/kimono.crop.avif')).toMatchObject({ width: 385, height: 330 })
  })

  test('one picture looks similar in every format and colour space', async () => {
    const photos = ['png', 'tif', 'gif', 'webp', 'bmp'].map(ending => `photo.${ending}`)
    const { phash = '' } = await decodeOnce('library/formats/made/photo.png')
    for (const name of [
      ...photos,
      'cmyk.jpg',
      'progressive.jpg',
      'grey.jpg',
      'sixteen bit grey.png',
      'lossless.webp',
      'palette.png',
    ]) {
      const result = await decodeOnce(`library/formats/made/${name}`)
      expect([name, hashDistance(phash, result.phash ?? '') <= 8]).toEqual([name, true])
    }
    // Without a profile, CMYK is converted with a standard press profile, which does not match this file.
    const cmyk = await shown('library/formats/made/cmyk.jpg')
    expect(difference(await shown('library/formats/made/photo.png'), cmyk)).toBeLessThan(20)
  })

  test('a Display P3 picture is more saturated than the same pixels without a profile', async () => {
    const [p3, plain] = await Promise.all(
      ['P3', 'sRGB'].map(space => shown(`library/2012/2012-08/Iceland-${space}.jpg`)),
    )
    const mean = (pixels: typeof p3, channel: number) => {
      const values = [...(pixels?.data ?? [])].filter((_, index) => index % 3 === channel)
      return values.reduce((sum, value) => sum + value, 0) / values.length
    }
    expect(mean(p3, 0)).toBeGreaterThan(mean(plain, 0) + 2)
    expect(mean(p3, 2)).toBeLessThan(mean(plain, 2) - 2)
  })

  test('an iPhone HEIC with its rotation in both container and EXIF is rotated once', async () => {
    const result = await decodeOnce('library/formats/heic/iphone_13_pro_max.HEIC')
    expect(result).toMatchObject({ mime: 'image/heic', width: 3024, height: 4032, problems: [] })
    const { width, height } = await shown('library/formats/heic/iphone_13_pro_max.HEIC')
    expect([width, height]).toEqual([360, 480])
  })

  test('animations report their number of frames', async () => {
    const paths = ['made/animated.gif', 'made/animated.webp', 'gif/earth.gif', 'made/photo.gif'].map(
      path => `library/formats/${path}`,
    )
    const frameCounts = await Promise.all(paths.map(async path => (await decodeOnce(path)).frames ?? 1))
    const truth = paths.map(path => expected.find(file => file.path === path)?.pixels?.frames ?? 1)
    expect(frameCounts).toEqual(truth)
  })

  test('JPEG XL and RAW files are shown', async () => {
    expect(await decodeOnce('library/formats/jxl/test.jxl')).toMatchObject({
      mime: 'image/jxl',
      width: 1,
      height: 1,
      problems: [],
    })
    expect(await decodeOnce('library/formats/raw/canon_eos_6d.dng')).toMatchObject({
      mime: 'image/x-adobe-dng',
      problems: [],
    })
  })
})
