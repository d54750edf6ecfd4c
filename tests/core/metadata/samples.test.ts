/** Compares pictures, videos and sidecars of the samples' library with exiftool and ffprobe. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { mergeMetadata } from '../../../core/metadata/merge.ts'
import { parseXmpSidecar } from '../../../core/metadata/xmp/sidecar.ts'
import { sidecarsFor } from '../../../core/metadata/xmp/sidecar-names.ts'
import { describeWithSamples, type ExpectedFile, expectedFiles } from '../../support/samples.ts'
import { readMetadata, readMetadataFrom } from './build.ts'
import { differences } from './compare.ts'

const commas = 'a program joined all keywords with commas, and lists each elsewhere: the joined text is no keyword'
const container = 'HEIF is turned by irot and imir, not by EXIF; the displayed sizes agree with that'
const mojibake = 'the IPTC block is in UTF-8 but does not declare it, so exiftool reads it as Latin-1'
const bom = 'the sidecar begins with two byte order marks, which exiftool does not understand'

/** Intended differences: the fields of each file with the reason. */
const explained: Record<string, { fields: string[]; reason: string }> = {
  '1999/1999-05/kodak-dc240.jpg': {
    fields: ['dateCreated'],
    reason: 'exiftool composes this date from the maker note; EXIF has the same day with a time',
  },
  '2013/2013-08/altitude.jpg': { fields: ['altitude'], reason: '4,294,967,284 m is a negative number written wrongly' },
  '2015/Wild animals (people tags)/IMG_5910.jpg.xmp': {
    fields: ['keywords'],
    reason: `EXPECTED.json lists pdf:Keywords as one keyword, but ${commas}`,
  },
  '2021/made for tests/gps/latitude 95.jpg': { fields: ['gps'], reason: 'latitude 95 is no position' },
  '2021/made for tests/gps/latitude only.jpg': {
    fields: ['gps'],
    reason: 'a latitude without a longitude is no position',
  },
  '2021/made for tests/gps/place 6.jpg': { fields: ['gps', 'altitude'], reason: '0, 0 is no position' },
  '2021/made for tests/keywords/hierarchy and category.jpg': {
    fields: ['category'],
    reason: 'XMP has a second supplemental category; EXPECTED.json lists only the categories of IPTC',
  },
  '2021/made for tests/keywords/windows xp fields.jpg': {
    fields: ['title'],
    reason: 'the title is in a field of Windows that EXPECTED.json does not list',
  },
  '2021/made for tests/people regions/mwg three faces, pet and focus.jpg': {
    fields: ['regions'],
    reason: 'a focus region without a name is neither a person nor an object',
  },
  'formats/avif/kimono.crop.avif': {
    fields: ['display'],
    reason: 'its decoder shows only a part (clap); the metadata have the stored size',
  },
  'formats/avif/kimono.mirror-horizontal.avif': { fields: ['orientation'], reason: container },
  'formats/avif/kimono.rotate270.avif': { fields: ['orientation'], reason: container },
  'formats/avif/kimono.rotate90.avif': { fields: ['orientation'], reason: container },
  'formats/heic/Issue 437 (dotnet).heic': { fields: ['orientation'], reason: container },
  'formats/heic/iphone_7.heic': { fields: ['orientation'], reason: container },
  'live-photos/IMG_7943.HEIC': {
    fields: ['regions', 'display'],
    reason: 'EXPECTED.json lost the long numbers of the region; its decoder cuts off one row of 134 (clap)',
  },
  'sidecars/20240107_110258.jpg': { fields: ['keywords'], reason: mojibake },
  'sidecars/20240121_102400.JPG': { fields: ['keywords'], reason: mojibake },
  'sidecars/20240128_185808.JPG': { fields: ['keywords'], reason: mojibake },
  'sidecars/Chars.jpg.xmp': { fields: ['keywords'], reason: commas },
  'sidecars/Chars_exiftool.jpg.xmp': { fields: ['keywords'], reason: commas },
  'sidecars/orphans/2000.xmp': { fields: ['createDate'], reason: bom },
  'sidecars/orphans/2010.xmp': { fields: ['createDate'], reason: bom },
  'sidecars/orphans/2020.xmp': { fields: ['createDate'], reason: bom },
  'tags & captions/Chars.jpg': { fields: ['keywords'], reason: commas },
  'tags & captions/Chars_exiftool.jpg': { fields: ['keywords'], reason: commas },
  'videos/isom-avc1.mp4': { fields: ['gps', 'altitude'], reason: 'a device without a GPS fix writes zeros' },
}

const library = 'library/'

/** Videos that our reader reads only in part: ffprobe fills in the rest. tests/core/media checks their sizes. */
const byFfprobe = /\.(avi|mpg|mts|mkv|webm)$/i

describeWithSamples('the samples', samples => {
  const entries = expectedFiles(samples).filter(({ path }) => path.startsWith(library))
  const read = (entry: ExpectedFile) =>
    readMetadata(new Uint8Array(readFileSync(join(samples, entry.path))), entry.path)

  test('have the same metadata as with exiftool and ffprobe, apart from explained differences', async () => {
    const found: Record<string, string[]> = {}
    for (const entry of entries.filter(({ path }) => !byFfprobe.test(path))) {
      const all = differences(entry, await read(entry))
      if (all.length > 0) found[entry.path.slice(library.length)] = all
    }
    const unexplained = Object.entries(found).filter(([path, all]) => all.some(line => !isExplained(path, line)))
    expect(Object.fromEntries(unexplained)).toEqual({})
    // An explanation without a difference must be removed.
    const stale = Object.entries(explained).filter(
      ([path, { fields }]) => !fields.every(field => found[path]?.some(line => line.startsWith(`${field}:`))),
    )
    expect(stale).toEqual([])
    expect(entries.length).toBeGreaterThan(500)
  })

  test('of camcorders have date and make, which ffprobe does not read', async () => {
    const path = `${library}videos/Sony ILCE-7M3 (A7M3).mts`
    const found = await readMetadata(new Uint8Array(readFileSync(join(samples, path))), path)
    const date = expectedFiles(samples).find(entry => entry.path === path)?.dateTimeOriginal ?? ''
    expect(found.dates[0]?.local).toBe(date.slice(0, 19).replace(':', '-').replace(':', '-'))
    expect(found.camera.make).toBe('Sony')
  })

  test('have the same metadata from disk as from memory', async () => {
    for (const entry of entries) {
      const fromDisk = await readMetadataFrom(join(samples, entry.path), entry.path)
      expect(fromDisk, entry.path).toEqual(await read(entry))
    }
  })

  test('have warnings only if something is wrong', async () => {
    const warned: Record<string, string[]> = {}
    for (const entry of entries) {
      const { warnings } = await read(entry)
      if (warnings.length > 0) warned[entry.path.slice(library.length)] = warnings
    }
    expect(warned).toEqual({
      '2021/made for tests/gps/latitude 95.jpg': ['The position is not on the globe'],
      'sidecars/made/bad.xmp': ['The XMP packet is damaged'],
    })
  })

  const names = entries.map(({ path }) => path)
  const merged = async (path: string) => {
    const file = library + path
    const directory = names.filter(name => dirname(name) === dirname(file)).map(name => basename(name))
    const sidecars = sidecarsFor(directory, basename(file)).map(({ name }) => ({
      kind: 'xmp' as const,
      data: parseXmpSidecar(new Uint8Array(readFileSync(join(samples, dirname(file), name)))),
    }))
    const metadata = await readMetadata(new Uint8Array(readFileSync(join(samples, file))), basename(file))
    const mtimeMs = Date.UTC(2022, 0, 2)
    return mergeMetadata({
      file: metadata,
      sidecars,
      name: basename(file),
      mtimeMs,
      now: Date.UTC(2026, 10, 21),
      zone: 'UTC',
    })
  }

  test('with sidecars take texts from the sidecar and join the keywords', async () => {
    expect(await merged('sidecars/made/conflict.jpg')).toMatchObject({
      description: 'From the sidecar',
      rating: 5,
      latitude: 10,
      longitude: 20,
      keywords: ['outside', 'inside'],
      date: { local: '2002-02-02 02:02:02' },
    })
    expect(await merged('sidecars/made/full.jpg')).toMatchObject({
      description: 'From the sidecar full.jpg.xmp',
      keywords: ['sidecar', 'two'],
    })
    expect(await merged('sidecars/made/name.jpg')).toMatchObject({
      description: 'From the sidecar name.xmp',
      latitude: 40.446111117,
    })
    expect(await merged('sidecars/made/entities.jpg')).toMatchObject({ description: '&d;&e;' })
  })

  test('have the date of the best source', async () => {
    const dates: [path: string, local: string, offset: number | null, source: string][] = [
      ['2021/made for tests/dates/with offset and subseconds.jpg', '2021-05-03 01:02:03', 345, 'exif-original'],
      ['2021/made for tests/dates/only xmp date.jpg', '2007-12-06 14:33:18', 540, 'iptc'],
      ['2021/made for tests/dates/only iptc date.jpg', '2009-08-07 06:05:04', 0, 'iptc'],
      ['2021/made for tests/dates/date in the name 2014-07-15 18.30.00.jpg', '2014-07-15 18:30:00', null, 'name'],
      ['2021/made for tests/dates/far past.jpg', '1888-10-14 10:00:00', null, 'exif-original'],
      ['2021/made for tests/dates/far future.jpg', '2022-01-02 00:00:00', 0, 'file'],
      ['2021/made for tests/dates/after 2038.jpg', '2022-01-02 00:00:00', 0, 'file'],
      ['2021/made for tests/dates/zero.jpg', '2022-01-02 00:00:00', 0, 'file'],
      ['2021/made for tests/dates/month 13.jpg', '2022-01-02 00:00:00', 0, 'file'],
      ['2021/made for tests/dates/blank.jpg', '2022-01-02 00:00:00', 0, 'file'],
      ['timestamps & zones/big_ben_no_tsoffset_but_gps_utc.jpg', '2023-06-07 13:45:55', 60, 'exif-original'],
      [
        'timestamps & zones/big_ben_no_tsoffset_but_gps_utc_off_by_1min.jpg',
        '2023-06-07 13:45:55',
        60,
        'exif-original',
      ],
      ['timestamps & zones/newyear_sydney.jpg', '2019-01-01 00:15:00', 660, 'exif-original'],
      [
        'timestamps & zones/sydney_opera_house_no_tsoffset_but_gps_utc.jpg',
        '2020-09-19 20:55:57',
        600,
        'exif-original',
      ],
      ['videos/gps/made gps.mp4', '2021-05-15 20:20:30', 600, 'quicktime'],
      ['videos/gps/with-gps.mov', '2019-07-24 11:25:40', 180, 'quicktime'],
      ['videos/made/plain.mp4', '2021-06-15 10:20:30', 0, 'quicktime'],
      ['videos/video.mp4', '2019-02-15 16:13:20', -300, 'quicktime'],
    ]
    for (const [path, local, offset, source] of dates)
      expect((await merged(path)).date, path).toMatchObject({ local, offset, source })
  })

  test('have the same faces at the same places in any orientation', async () => {
    const folder = 'orientation/rotated photo with people/photo'
    const boxes: number[][] = []
    for (const name of ['3.embedded', '3.embedded_sidecar', '6.embedded_sidecar', '8.embedded', '8.embedded_sidecar']) {
      const { regions, people, width, height } = await merged(`${folder}.${name}.jpg`)
      expect(regions.map(region => region.name)).toEqual(['Marie Curie', 'Pierre Curie'])
      expect([people, width, height]).toEqual([[], 840, 700])
      boxes.push(regions.flatMap(({ x, y, width, height }) => [x, y, width, height]).map(Math.round))
    }
    expect(boxes).toEqual(Array.from({ length: 5 }, () => [312, 174, 113, 165, 639, 99, 96, 201]))
  })

  test('of a Live Photo have the same identifier', async () => {
    const still = await merged('live-photos/IMG_7943.HEIC')
    const film = await merged('live-photos/IMG_7943_HEVC.MOV')
    expect(still.contentIdentifier).toBe('9B539AB8-A668-4FA6-9207-EB653A5E7E3C')
    expect(film.contentIdentifier).toBe(still.contentIdentifier)
  })
})

function isExplained(path: string, line: string): boolean {
  return explained[path]?.fields.some(field => line.startsWith(`${field}:`)) ?? false
}
