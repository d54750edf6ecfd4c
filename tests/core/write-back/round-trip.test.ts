import { describe, expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openLibrary } from '../../../core/library.ts'
import { jpegPicture } from '../../../core/metadata/write/jpeg-file.ts'
import { openXml } from '../../../core/metadata/write/xml-source.ts'
import type { XmlElement } from '../../../core/metadata/xmp/xml.ts'
import { prefixedName } from '../../../core/metadata/xmp/xmp.ts'
import { isLong } from '../../support/long.ts'
import { describeWithSamples, mustNotSkip } from '../../support/samples.ts'
import { openScanningLibrary, picture, type ScanningLibrary, takenAt } from '../../support/scanning-library.ts'
import { editTags, type TagEdit, tagsByPath } from '../../support/tagging.ts'

/** One of four edits in turn: all tags are deleted, all are written, or (two edits) some are. */
function editOf(n: number, { width, height }: { width: number; height: number }): TagEdit {
  const longer = Math.max(width, height, 1)
  const tenths = (part: number, side: number) => Math.round((part * side * 10) / longer) / 10
  const box = (x: number, y: number) =>
    [tenths(x, width), tenths(y, height), tenths(200, width), tenths(150, height)] as const
  const hasSize = width > 0
  switch (n % 4) {
    case 0:
      return {
        date: '',
        description: '',
        keywords: [],
        category: [],
        author: [],
        place: null,
        rating: null,
        people: [],
        objects: [],
      }
    case 1:
      return {
        date: '2015-03-04 05:06:07',
        offset: 660,
        description: `First line\r\nsecond 😀 & <${n}>`,
        keywords: ['sea', 'Straße & <Ü>', 'שלום', `number ${n}`],
        category: ['Holiday', 'Ö'],
        author: ['Jo', 'Ann'],
        place: { latitude: -33.856789123, longitude: 151.215296001, placeName: 'Sydney, NSW, Australia' },
        rating: n % 6,
        rotation: ([0, 90, 180, 270] as const)[(n >> 2) % 4] ?? 0,
        ...(hasSize
          ? {
              people: [{ name: 'Anna', box: box(100, 200) }, { name: 'Bob' }],
              objects: [{ name: 'Dog', box: box(600, 500) }, { name: 'Cup' }],
            }
          : {}),
      }
    case 2:
      return { keywords: ['only'], place: { latitude: null, longitude: null, placeName: 'Somewhere' }, rotation: 90 }
    default:
      return {
        description: `d ${n}`,
        rating: 5,
        ...(hasSize ? { people: [{ name: 'Carla', box: box(300, 300) }] } : {}),
      }
  }
}

async function runJob(library: ScanningLibrary, kind: string) {
  const { jobs } = library.library
  const row = await jobs.run(await jobs.enqueue(terminalViewer, kind, { collectionId: 1 }, { inProcess: true }))
  return { ...row, figures: JSON.parse(row?.counts ?? '{}') }
}

async function tagsOfNewLibrary(library: ScanningLibrary) {
  const data = `${library.data}-new`
  const fresh = openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none' })
  const { row } = await fresh.collections.resolve(terminalViewer, library.root, { create: true })
  await fresh.jobs.run(await fresh.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { inProcess: true }))
  const tags = tagsByPath(fresh)
  fresh.close()
  return tags
}

/** Properties in a sidecar that we never write, verbatim. */
function foreignParts(bytes: Uint8Array): string[] {
  const source = openXml(bytes)
  if (source === null) return []
  const ours =
    /^(dc:(subject|description|creator)|lr:|digiKam:|MicrosoftPhoto:|MP:|mwg-rs:|keepsake:|photoshop:|Iptc4xmp|xmp:Rating|exif:(GPS|DateTimeOriginal|OffsetTime|SubSec)|exifEX:OffsetTime|mediapro:|pdf:Keywords|tiff:(Artist|ImageDescription))/
  const elements = (element: XmlElement): XmlElement[] =>
    prefixedName(element.name) === 'rdf:Description' ? element.children : element.children.flatMap(elements)
  return elements(source.root)
    .filter(({ name }) => !ours.test(prefixedName(name)))
    .map(({ start, end }) => source.text.slice(start, end))
}

const withSidecars = ['tags & captions', 'sidecars', 'live-photos']
// Sidecars hardly depend on the format of the picture, and RAW and HEIC pictures take long to decode.
const raws = ['canon_eos_6d.dng', 'canon_eos_6d.xmp'].map(name => `formats/raw/${name}`)
const heics = ['iphone_7.heic', 'iphone_7.xmp', 'samplefilehub.heif'].map(name => `formats/heic/${name}`)
const all = [...withSidecars, 'orientation', 'formats/heic', 'formats/raw']
const copied = {
  file: isLong ? all : [...withSidecars, 'orientation/made', ...heics, ...raws],
  sidecar: isLong ? all : withSidecars,
}

describeWithSamples('tags written back into real files', samples => {
  test.each(['sidecar', 'file'] as const)(
    'are the same in a new library, and image data is unchanged (%s)',
    async mode => {
      const library = openScanningLibrary()
      const original = (path: string) => readFileSync(join(samples, 'library', path))
      for (const path of copied[mode])
        cpSync(join(samples, 'library', path), join(library.root, path), { recursive: true })
      await library.scan()
      const { db } = library.library
      await db.transact({ userId: null }, tx => {
        tx.run('UPDATE collections SET write_back = ?', mode)
      })
      // Without edits there is nothing to write.
      expect(await runJob(library, 'metadata-export')).toMatchObject({ figures: { written: 0, failed: 0, skipped: 0 } })
      const items = db.all<{ id: number; width: number; height: number }>(
        'SELECT i.id, i.width, i.height FROM items AS i JOIN dirs AS d ON d.id = i.dir_id ORDER BY d.path, i.name',
      )
      for (const [n, item] of items.entries()) await editTags(library.library, item.id, editOf(n, item))
      expect(await runJob(library, 'metadata-export')).toMatchObject({
        problems: 0,
        figures: { failed: 0, skipped: 0 },
      })
      expect(await runJob(library, 'metadata-export')).toMatchObject({ figures: { written: 0 } })
      expect(await library.scan()).toMatchObject({ total: 0, figures: { new: 0, changed: 0, moved: 0, missing: 0 } })

      const here = tagsByPath(library.library)
      const there = await tagsOfNewLibrary(library)
      expect([...there.keys()]).toEqual([...here.keys()])
      for (const [path, tags] of here) expect([path, there.get(path)]).toEqual([path, tags])

      const paths = readdirSync(library.root, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name).slice(library.root.length + 1))
      for (const path of paths.filter(one => here.has(one))) {
        const [before, after] = [original(path), readFileSync(join(library.root, path))]
        if (before.equals(after)) continue
        expect(mode).toBe('file')
        // Compares JPEG files only: PNG and WebP have their own tests, and other formats are not written.
        const [pictureBefore, pictureAfter] = [jpegPicture(before), jpegPicture(after)]
        if (pictureBefore !== null)
          expect(Buffer.concat(pictureAfter ?? []).equals(Buffer.concat(pictureBefore))).toBe(true)
      }
      for (const path of paths.filter(one => /\.xmp$/i.test(one))) {
        const before = await Bun.file(join(samples, 'library', path)).exists()
        if (!before) continue
        const after = readFileSync(join(library.root, path)).toString('latin1')
        for (const part of foreignParts(original(path))) expect([path, after.includes(part)]).toEqual([path, true])
      }
    },
    120_000,
  )
})

const exiftool = Bun.which('exiftool')
const mustCompare = exiftool !== null || mustNotSkip()
if (exiftool === null) console.warn('SKIPPED: there is no exiftool to read what we wrote')

const exiftoolOutput = z.looseObject({
  'XMP:Description': z.string(),
  'XMP:Subject': z.array(z.string()),
  'XMP:Rating': z.number(),
  'XMP:GPSLatitude': z.number(),
  'XMP:GPSLongitude': z.number(),
  'XMP:DateTimeOriginal': z.string(),
  'XMP:Creator': z.array(z.string()),
  'XMP:City': z.string(),
  'XMP:PersonInImage': z.array(z.string()),
  'XMP:RegionInfo': z.object({
    RegionList: z.array(z.looseObject({ Name: z.string(), Type: z.string(), Area: z.record(z.string(), z.unknown()) })),
  }),
})

describe('another program', () => {
  test.skipIf(!mustCompare)('reads the written tags from files and sidecars', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1, width: 400, height: 300, exif: takenAt('2001-01-01 00:00:00') }))
    library.put('b.jpg', await picture({ seed: 2, width: 400, height: 300 }))
    await library.scan()
    const { db } = library.library
    const write = async (mode: string, path: string) => {
      await db.transact({ userId: null }, tx => {
        tx.run('UPDATE collections SET write_back = ?', mode)
      })
      const id = library.items().get(path)?.id ?? 0
      await editTags(library.library, id, {
        ...editOf(1, { width: 400, height: 300 }),
        rating: 4,
        people: [{ name: 'Anna', box: [100, 150, 250, 300] }, { name: 'Bob' }],
        objects: [],
      })
      expect(await runJob(library, 'metadata-write')).toMatchObject({ figures: { written: 1 } })
    }
    await write('file', 'a.jpg')
    await write('sidecar', 'b.jpg')
    for (const path of ['a.jpg', 'b.jpg.xmp']) {
      const run = Bun.spawnSync([exiftool ?? 'exiftool', '-j', '-G', '-n', '-struct', '-all', join(library.root, path)])
      expect(run.exitCode).toBe(0)
      const [first] = z.array(exiftoolOutput).parse(JSON.parse(run.stdout.toString()))
      expect(first).toMatchObject({
        'XMP:Description': 'First line\r\nsecond 😀 & <1>',
        'XMP:Subject': ['sea', 'Straße & <Ü>', 'שלום', 'number 1'],
        'XMP:Rating': 4,
        'XMP:GPSLatitude': expect.closeTo(-33.856789123, 8),
        'XMP:GPSLongitude': expect.closeTo(151.215296001, 8),
        'XMP:DateTimeOriginal': '2015:03:04 05:06:07+11:00',
        'XMP:Creator': ['Jo', 'Ann'],
        'XMP:City': 'Sydney',
        'XMP:PersonInImage': ['Bob'],
        'XMP:RegionInfo': {
          RegionList: [{ Name: 'Anna', Type: 'Face', Area: { X: 0.225, Y: 0.4, W: 0.25, H: 0.4, Unit: 'normalized' } }],
        },
      })
      expect(first?.['ExifTool:Warning']).toBeUndefined()
      if (path !== 'a.jpg') continue
      expect(first).toMatchObject({
        'EXIF:DateTimeOriginal': '2015:03:04 05:06:07',
        'EXIF:OffsetTimeOriginal': '+11:00',
        'EXIF:GPSLatitude': expect.closeTo(33.856789123, 7),
        'EXIF:GPSLatitudeRef': 'S',
        'EXIF:GPSLongitude': expect.closeTo(151.215296001, 7),
      })
    }
    // exiftool also finds no errors in the file.
    const check = Bun.spawnSync([
      exiftool ?? 'exiftool',
      '-validate',
      '-warning',
      '-error',
      '-a',
      join(library.root, 'a.jpg'),
    ])
    expect(check.stdout.toString()).not.toMatch(/Error|corrupt|Bad |Truncated/i)
  })
})
