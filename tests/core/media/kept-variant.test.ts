import { describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import {
  findVariants,
  isStorageFailure,
  markedFilm,
  markedJpeg,
  storeVariant,
  type VariantPlace,
} from '../../../core/media/cache/kept-variant.ts'
import { picture } from '../../support/scanning-library.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const content = '0123456789abcdef-2s'
const other = 'fedcba9876543210-zz'

function placeFor(name: string | Uint8Array, dir = ''): VariantPlace {
  const root = temporaryDirectory()
  const place = { root: join(root, 'variants'), collectionPath: join(root, 'pictures') }
  mkdirSync(place.root)
  mkdirSync(place.collectionPath)
  return { ...place, dirBytes: Buffer.from(dir), nameBytes: Buffer.from(name) }
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

const names = (place: VariantPlace) => readdirSync(place.root, { recursive: true }).map(String).sort()
const keepJpeg = (place: VariantPlace, jpeg: Uint8Array) =>
  storeVariant(place, 'image', content, markedJpeg(jpeg, content))

describe('a kept variant', () => {
  test('has the relative path of its file, the same pixels, and a mark of its source', async () => {
    const place = placeFor('IMG_1.HEIC', 'trip/day 1')
    const jpeg = await picture({ seed: 1 })
    const path = await keepJpeg(place, jpeg)
    expect(path.toString()).toBe(join(place.root, 'trip/day 1/IMG_1.jpg'))
    expect(names(place)).toEqual(['trip', 'trip/day 1', 'trip/day 1/IMG_1.jpg'])
    const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()
    expect((await pixels(readFileSync(path))).equals(await pixels(jpeg))).toBe(true)
    expect(await findVariants(place, 'image', content)).toMatchObject({
      owners: null,
      kept: { path, name: 'IMG_1.jpg' },
    })
    // `other` is the content of a changed source, or of another file with the same stem.
    expect(await findVariants(place, 'image', other)).toEqual({ owners: null, kept: null })
    expect(await findVariants(place, 'video', content)).toEqual({ owners: null, kept: null })
  })

  test('may have EXIF at its beginning, and any file name', async () => {
    const place = placeFor(Buffer.of(0xe9, 0xff, 0x2e, 0x74, 0x69, 0x66))
    const jpeg = await sharp(await picture({ seed: 2 }))
      .withMetadata({ orientation: 1 })
      .jpeg()
      .toBuffer()
    const path = await keepJpeg(place, jpeg)
    expect(path.subarray(-6)).toEqual(Buffer.of(0xe9, 0xff, 0x2e, 0x6a, 0x70, 0x67))
    expect(await sharp(readFileSync(path)).metadata()).toMatchObject({ width: 64, height: 48 })
    expect((await findVariants(place, 'image', content)).kept?.path).toEqual(path)
  })

  test('counts as the owner’s after they have changed it', async () => {
    const place = placeFor('a.tif')
    const path = await keepJpeg(place, await picture({ seed: 1 }))
    appendFileSync(path, 'x')
    expect(await findVariants(place, 'image', content)).toMatchObject({ owners: { name: 'a.jpg' }, kept: null })
    truncateSync(path, 100)
    expect(await findVariants(place, 'image', content)).toMatchObject({ owners: { size: 100 }, kept: null })
  })

  test('can be stored twice, and beside a variant of the owner', async () => {
    const place = placeFor('a.tif')
    const jpeg = await picture({ seed: 1 })
    const path = await keepJpeg(place, jpeg)
    expect(await keepJpeg(place, jpeg)).toEqual(path)
    writeFileSync(join(place.root, 'a.png'), 'owner')
    expect(await findVariants(place, 'image', content)).toMatchObject({
      owners: { name: 'a.png' },
      kept: { name: 'a.jpg' },
    })
    expect(names(place)).toEqual(['a.jpg', 'a.png'])
  })

  test('of a video has its mark in a box at its end', async () => {
    const place = placeFor('clip.avi')
    const finished = join(place.collectionPath, 'finished')
    const film = Buffer.from('....ftypisom and what follows')
    film.writeUInt32BE(film.length)
    writeFileSync(finished, film)
    const pieces = markedFilm({ path: finished, size: film.length }, content, new AbortController().signal)
    const path = await storeVariant(place, 'video', content, pieces)
    expect(path.toString()).toBe(join(place.root, 'clip.mp4'))
    const kept = readFileSync(path)
    expect(kept.subarray(0, film.length).equals(film)).toBe(true)
    expect(kept.readUInt32BE(film.length)).toBe(kept.length - film.length)
    expect(kept.toString('latin1', film.length + 4, film.length + 8)).toBe('free')
    expect(await findVariants(place, 'video', content)).toMatchObject({ owners: null, kept: { name: 'clip.mp4' } })
    expect((await findVariants(place, 'video', other)).kept).toBeNull()
  })
})

describe('an existing file', () => {
  test('is never replaced if it is the owner’s, a variant of another source, or a directory', async () => {
    const jpeg = await picture({ seed: 1 })
    const place = placeFor('a.tif')
    const path = join(place.root, 'a.jpg')
    for (const theirs of [Buffer.from('owner'), markedJpeg(jpeg, other)]) {
      writeFileSync(path, theirs)
      const error = await errorOf(keepJpeg(place, jpeg))
      expect(error).toMatchObject({ code: 'conflict' })
      expect(isStorageFailure(error)).toBe(false)
      expect(readFileSync(path).equals(theirs)).toBe(true)
    }
    const another = placeFor('a.tif')
    mkdirSync(join(another.root, 'a.jpg'))
    expect(await errorOf(keepJpeg(another, jpeg))).toMatchObject({ code: 'conflict' })
    expect([names(place), names(another)]).toEqual([['a.jpg'], ['a.jpg']])
  })

  test('counts as the owner’s if its mark is not at the expected position', async () => {
    const place = placeFor('a.tif')
    const jpeg = markedJpeg(await picture({ seed: 1 }), content)
    writeFileSync(join(place.root, 'a.jpg'), Buffer.concat([Buffer.alloc(2000), jpeg]))
    expect(await findVariants(place, 'image', content)).toMatchObject({ owners: { name: 'a.jpg' }, kept: null })
  })

  test('is removed if a killed process left it unfinished long ago', async () => {
    const place = placeFor('a.tif')
    const [old, fresh] = ['.keepsake-0123456789abcdef.tmp', '.keepsake-fedcba9876543210.tmp']
    for (const name of [old, fresh]) writeFileSync(join(place.root, name), '')
    const before = new Date(Date.now() - 7_200_000)
    utimesSync(join(place.root, old), before, before)
    await keepJpeg(place, await picture({ seed: 1 }))
    expect(names(place)).toEqual([fresh, 'a.jpg'])
  })
})

describe('no variant is stored', () => {
  test('if the variants path does not exist, and the path is not created', async () => {
    const place = { ...placeFor('a.tif', 'sub'), root: join(temporaryDirectory(), 'unplugged') }
    const error = await errorOf(keepJpeg(place, await picture({ seed: 1 })))
    expect(error).toMatchObject({ code: 'ENOENT' })
    expect(isStorageFailure(error)).toBe(true)
    expect(existsSync(place.root)).toBe(false)
  })

  test('behind a link, or if a file is in the way', async () => {
    const jpeg = await picture({ seed: 1 })
    const place = placeFor('a.tif', 'sub')
    const outside = temporaryDirectory()
    symlinkSync(outside, join(place.root, 'sub'))
    expect(await errorOf(keepJpeg(place, jpeg))).toMatchObject({ code: expect.stringMatching(/^E(LOOP|NOTDIR)$/) })
    expect(readdirSync(outside)).toEqual([])
    const blocked = placeFor('a.tif', 'sub')
    writeFileSync(join(blocked.root, 'sub'), '')
    expect(await errorOf(keepJpeg(blocked, jpeg))).toMatchObject({ code: 'ENOTDIR' })
    expect(names(blocked)).toEqual(['sub'])
  })

  test('where a scan would add it to the collection', async () => {
    const place = placeFor('a.tif')
    const inside = { ...place, root: join(place.collectionPath, 'variants') }
    mkdirSync(inside.root)
    expect(await errorOf(keepJpeg(inside, await picture({ seed: 1 })))).toMatchObject({ code: 'invalid' })
    expect(names(inside)).toEqual([])
  })

  test('of a cancelled video', async () => {
    const place = placeFor('clip.avi')
    const finished = join(place.collectionPath, 'finished')
    writeFileSync(finished, 'film')
    const pieces = markedFilm({ path: finished, size: 4 }, content, AbortSignal.abort(new Error('enough')))
    expect(await errorOf(storeVariant(place, 'video', content, pieces))).toMatchObject({ message: 'enough' })
    expect(names(place)).toEqual([])
  })
})
