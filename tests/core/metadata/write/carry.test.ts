import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { memorySource } from '../../../../core/metadata/byte-source.ts'
import { mergeMetadata } from '../../../../core/metadata/merge.ts'
import { readMetadataOf } from '../../../../core/metadata/read.ts'
import { withMetadataOf } from '../../../../core/metadata/write/carry.ts'
import { jpegExif, jpegPicture } from '../../../../core/metadata/write/jpeg-file.ts'

const about = { name: 'one.jpg', mtimeMs: Date.UTC(2026, 10, 21), now: Date.UTC(2026, 10, 22), zone: 'UTC' }

const packet = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
 xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#">
<dc:subject><rdf:Bag><rdf:li>Sea</rdf:li><rdf:li>Summer</rdf:li></rdf:Bag></dc:subject>
<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions stDim:w="64" stDim:h="48" stDim:unit="pixel"/>
<mwg-rs:RegionList><rdf:Bag><rdf:li><rdf:Description mwg-rs:Name="Anna" mwg-rs:Type="Face">
<mwg-rs:Area stArea:x="0.5" stArea:y="0.5" stArea:w="0.2" stArea:h="0.2" stArea:unit="normalized"/></rdf:Description></rdf:li>
</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>`

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 90, g: 120, b: 40 } } })

async function taggedPicture(): Promise<Uint8Array> {
  return flat(64, 48)
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Make: 'Leica', Model: 'M6' },
      IFD2: { DateTimeOriginal: '2019:01:03 18:58:01' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '38/1 43/1 0/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '9/1 8/1 0/1',
      },
    })
    .withXmp(packet)
    .jpeg()
    .toBuffer()
}

const mergedTags = (bytes: Uint8Array) =>
  mergeMetadata({ ...about, file: readMetadataOf(memorySource(bytes), about.name), companions: [], sidecars: [] })

describe('the metadata of a picture', () => {
  test('is copied to a cropped picture: date, place, keywords, camera, and people without their regions', async () => {
    const old = await taggedPicture()
    expect(mergedTags(old)).toMatchObject({ orientation: 6, regions: [{ name: 'Anna' }] })
    const cut = await flat(32, 16).jpeg().toBuffer()
    const carried = withMetadataOf(old, cut, about)
    expect(mergedTags(carried)).toMatchObject({
      date: { local: '2019-01-03 18:58:01' },
      keywords: ['Sea', 'Summer'],
      camera: { make: 'Leica', model: 'M6' },
      people: ['Anna'],
      regions: [],
      // The browser that cropped the picture drew it upright.
      orientation: 1,
      width: 32,
      height: 16,
    })
    expect(mergedTags(carried).latitude).toBeCloseTo(38.7167, 3)
    const pixels = (bytes: Uint8Array) => Buffer.concat(jpegPicture(bytes) ?? [])
    expect(pixels(carried).equals(pixels(cut))).toBe(true)
  })

  test('includes regions if the new picture has the same size', async () => {
    const old = await taggedPicture()
    // The orientation of the old picture swaps its width and height.
    const retouched = await flat(48, 64).jpeg().toBuffer()
    const [before] = mergedTags(old).regions
    const [after] = mergedTags(withMetadataOf(old, retouched, about)).regions
    expect(after?.name).toBe('Anna')
    for (const side of ['x', 'y', 'width', 'height'] as const)
      expect(after?.[side]).toBeCloseTo(before?.[side] ?? -1, 0)
  })

  test('is copied without the thumbnail, which may show what was cut off', async () => {
    const [exif] = jpegExif(await taggedPicture())
    if (exif === undefined) throw new Error('sharp wrote no EXIF')
    // A second directory with a thumbnail after the first one.
    const tiff = Buffer.from(exif.subarray(6))
    const first = tiff.readUInt32LE(4)
    const end = first + 2 + tiff.readUInt16LE(first) * 12
    const directory = tiff.length + (tiff.length % 2)
    tiff.writeUInt32LE(directory, end)
    const more = Buffer.alloc(directory - tiff.length + 2 + 24 + 4)
    const at = directory - tiff.length
    more.writeUInt16LE(2, at)
    ;[
      [0x201, directory + 30],
      [0x202, 9],
    ].forEach(([tag = 0, value = 0], n) => {
      more.writeUInt16LE(tag, at + 2 + n * 12)
      more.writeUInt16LE(4, at + 4 + n * 12)
      more.writeUInt32LE(1, at + 6 + n * 12)
      more.writeUInt32LE(value, at + 10 + n * 12)
    })
    const content = Buffer.concat([Buffer.from('Exif\0\0'), tiff, more, Buffer.from('THUMBNAIL')])
    const bare = await flat(64, 48).jpeg().toBuffer()
    const head = Buffer.of(0xff, 0xe1, 0, 0)
    head.writeUInt16BE(content.length + 2, 2)
    const old = Buffer.concat([bare.subarray(0, 2), head, content, bare.subarray(2)])
    expect(mergedTags(old).camera).toMatchObject({ make: 'Leica' })
    const carried = withMetadataOf(old, await flat(32, 16).jpeg().toBuffer(), about)
    expect(mergedTags(carried).camera).toMatchObject({ make: 'Leica' })
    expect(Buffer.from(carried).includes('THUMBNAIL')).toBe(false)
  })

  test('is not copied to a picture with its own metadata, or to a file that is not a picture', async () => {
    const old = await taggedPicture()
    const own = await flat(32, 16)
      .withExif({ IFD2: { DateTimeOriginal: '2020:05:05 10:00:00' } })
      .jpeg()
      .toBuffer()
    expect(withMetadataOf(old, own, about)).toBe(own)
    const text = Buffer.from('no picture')
    expect(withMetadataOf(old, text, about)).toBe(text)
  })

  test.each(['png', 'webp'] as const)('is copied to %s too', async kind => {
    const fresh = await flat(32, 16).toFormat(kind).toBuffer()
    expect(mergedTags(withMetadataOf(await taggedPicture(), fresh, about))).toMatchObject({
      date: { local: '2019-01-03 18:58:01' },
      keywords: ['Sea', 'Summer'],
      people: ['Anna'],
      camera: { make: 'Leica', model: 'M6' },
    })
  })

  test.each(['jpeg', 'png', 'webp'] as const)('includes camera fields that are only in XMP, in %s', async kind => {
    const noted = packet.replace(
      '<dc:subject>',
      `<aux:Lens xmlns:aux="http://ns.adobe.com/exif/1.0/aux/">18-250mm F3.5-6.3</aux:Lens>
<exif:ExposureTime xmlns:exif="http://ns.adobe.com/exif/1.0/">1/60</exif:ExposureTime>
<exif:FocalLength xmlns:exif="http://ns.adobe.com/exif/1.0/">428/100</exif:FocalLength>
<exif:GPSAltitude xmlns:exif="http://ns.adobe.com/exif/1.0/">217/1</exif:GPSAltitude>
<exif:GPSLatitude xmlns:exif="http://ns.adobe.com/exif/1.0/">38,43N</exif:GPSLatitude>
<exif:GPSLongitude xmlns:exif="http://ns.adobe.com/exif/1.0/">9,8W</exif:GPSLongitude>
<dc:subject>`,
    )
    const old = await flat(64, 48).withXmp(noted).toFormat(kind).toBuffer()
    const before = mergedTags(old)
    expect(before).toMatchObject({ camera: { lens: '18-250mm F3.5-6.3', exposure: 0.0166667 }, altitude: 217 })
    const after = mergedTags(withMetadataOf(old, await flat(32, 16).toFormat(kind).toBuffer(), about))
    expect(after.camera).toEqual(before.camera)
    expect(after.altitude).toBe(before.altitude)
  })

  test.each([
    ['png', 'webp'],
    ['webp', 'png'],
    ['png', 'jpeg'],
  ] as const)('includes EXIF fields when copied from %s to %s', async (from, to) => {
    const old = await flat(64, 48)
      .withExif({ IFD0: { Make: 'Leica', Model: 'M6', Software: 'darkroom 3' }, IFD2: { LensModel: 'Summicron' } })
      .toFormat(from)
      .toBuffer()
    const carried = withMetadataOf(old, await flat(32, 16).toFormat(to).toBuffer(), about)
    expect(mergedTags(carried).camera).toEqual({ make: 'Leica', model: 'M6', lens: 'Summicron' })
    const { exif, width } = await sharp(carried).metadata()
    expect(width).toBe(32)
    expect(Buffer.from(exif ?? []).includes('darkroom 3')).toBe(true)
  })
})
