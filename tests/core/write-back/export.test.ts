import { describe, expect, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { openLibrary } from '../../../core/library.ts'
import { renditionPath } from '../../../core/media/cache/renditions.ts'
import { contentKeyOf } from '../../../core/media/decode/content-key.ts'
import { memorySource } from '../../../core/metadata/byte-source.ts'
import { readMetadataOf } from '../../../core/metadata/read.ts'
import { parseXmpSidecar } from '../../../core/metadata/xmp/sidecar.ts'
import { Failure } from '../../../schema/errors.ts'
import { cleanEnvironment, programCommand } from '../../support/command.ts'
import { openScanningLibrary, picture, type ScanningLibrary, takenAt } from '../../support/scanning-library.ts'
import { editTags, type TagEdit, tagsByPath } from '../../support/tagging.ts'
import { exifSegment, iptc, iptcSegment } from '../metadata/build.ts'

const canDropRights = process.geteuid?.() === 0 && Bun.which('setpriv') !== null
if (!canDropRights) console.warn('SKIPPED: only root with setpriv can start a process without one of its rights')

const everything: TagEdit = {
  date: '2015-03-04 05:06:07',
  offset: 660,
  description: 'Two lines\r\nand 😀',
  keywords: ['sea', 'Straße & <more>'],
  category: ['Holiday', 'Ö'],
  author: ['Jo', 'Ann'],
  place: { latitude: -33.856789123, longitude: 151.215296001, placeName: 'Sydney, NSW, Australia' },
  rating: 4,
  rotation: 270,
  people: [{ name: 'Anna', box: [100, 200, 300.2, 250] }, { name: 'Zoe' }],
  objects: [{ name: 'Dog', box: [700, 10, 20, 20] }, { name: 'Cup' }],
}

/** Scans the pictures, and sets how the collection writes metadata. */
async function scanPictures(library: ScanningLibrary, writeBack: 'off' | 'sidecar' | 'file' = 'off') {
  await library.scan()
  await library.library.db.transact({ userId: null }, tx => {
    tx.run('UPDATE collections SET write_back = ?', writeBack)
  })
}

async function runJob(library: ScanningLibrary, kind: string) {
  const { jobs } = library.library
  const row = await jobs.run(await jobs.enqueue(terminalViewer, kind, { collectionId: 1 }, { inProcess: true }))
  if (row === null) throw new Error('somebody else had the job')
  return { ...row, figures: JSON.parse(row.counts) }
}

function idOf(library: ScanningLibrary, path: string): number {
  const item = library.items().get(path)
  if (item === undefined) throw new Error(`there is no ${path}`)
  return item.id
}

/** Tags of the pictures in a new library. */
async function tagsOfNewLibrary(library: ScanningLibrary) {
  const data = `${library.data}-${crypto.randomUUID()}`
  const fresh = openLibrary({ role: 'worker', data, create: true, environment: {}, stderrLevel: 'none' })
  const { row } = await fresh.collections.resolve(terminalViewer, library.root, { create: true })
  await fresh.jobs.run(await fresh.jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id }, { inProcess: true }))
  const tags = tagsByPath(fresh)
  fresh.close()
  return tags
}

const bytesOf = (library: ScanningLibrary, path: string) => readFileSync(join(library.root, path))

function problemsOf(library: ScanningLibrary, code = 'metadata-write') {
  return library.library.db.all<{ path: string; reason: string }>(
    'SELECT path, reason FROM problems WHERE code = ? ORDER BY path',
    code,
  )
}

describe('an export', () => {
  test('writes tags into sidecars so that a new library reads the same tags, and does not change the pictures', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1, exif: takenAt('2019-08-03 14:22:33') }))
    library.put('b/c.jpg', await picture({ seed: 2 }))
    library.put(
      'd.tif',
      await sharp(await picture({ seed: 3 }))
        .tiff()
        .toBuffer(),
    )
    await scanPictures(library)
    const before = bytesOf(library, 'a.jpg')
    for (const path of ['a.jpg', 'd.tif']) await editTags(library.library, idOf(library, path), everything)
    const job = await runJob(library, 'metadata-export')
    expect(job).toMatchObject({ state: 'done', figures: { written: 2, unchanged: 1, skipped: 0, failed: 0 } })
    expect(existsSync(join(library.root, 'b/c.jpg.xmp'))).toBe(false)
    expect(bytesOf(library, 'a.jpg').equals(before)).toBe(true)
    expect(tagsByPath(library.library).get('a.jpg')).toMatchObject({
      keywords: ['sea', 'Straße & <more>'],
      rotation: 270,
    })
    expect(await tagsOfNewLibrary(library)).toEqual(tagsByPath(library.library))
    expect(await library.scan()).toMatchObject({ done: 0, total: 0, figures: { new: 0, changed: 0 } })
    expect(await runJob(library, 'metadata-export')).toMatchObject({ figures: { written: 0, unchanged: 3 } })
  })

  test('deletes tags even if they are still in the picture', async () => {
    const library = openScanningLibrary()
    const jpeg = await picture({ seed: 1 })
    const old = Buffer.concat([
      jpeg.subarray(0, 2),
      exifSegment({
        ifd0: [[0x10e, 'Old']],
        exif: [[0x9003, '2001:02:03 04:05:06']],
        gps: [
          [1, 'N'],
          [2, { fractions: [48, 8, 30] }],
          [3, 'E'],
          [4, { fractions: [11, 34, 0] }],
        ],
      }),
      iptcSegment(
        iptc([
          [25, 'old'],
          [25, 'older'],
          [80, 'Old'],
          [90, 'Oldtown'],
        ]),
      ),
      jpeg.subarray(2),
    ])
    library.put('a.jpg', old)
    library.put('b.jpg', Buffer.concat([old, Buffer.from('b')]))
    await scanPictures(library)
    expect(tagsByPath(library.library).get('a.jpg')).toMatchObject({ description: 'Old', keywords: ['old', 'older'] })
    await editTags(library.library, idOf(library, 'a.jpg'), {
      date: '',
      description: '',
      keywords: ['older'],
      author: [],
      place: null,
    })
    expect(await runJob(library, 'metadata-export')).toMatchObject({ figures: { written: 1, unchanged: 1 } })
    const fresh = await tagsOfNewLibrary(library)
    expect(fresh.get('a.jpg')).toMatchObject({
      keywords: ['older'],
      author: [],
      position: null,
      placeName: '',
      date: null,
    })
    expect(fresh).toEqual(tagsByPath(library.library))
    expect(bytesOf(library, 'a.jpg').equals(old)).toBe(true)
  })

  test('updates an existing sidecar, and keeps properties of other programs', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    const theirs =
      '<darktable:history xmlns:darktable="http://darktable.sf.net/"><rdf:Seq><rdf:li darktable:num="0"/></rdf:Seq></darktable:history>'
    library.put(
      'a.xmp',
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="">${theirs}</rdf:Description></rdf:RDF></x:xmpmeta>`,
    )
    await scanPictures(library)
    await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['sea'], rating: 5 })
    await runJob(library, 'metadata-export')
    expect(readdirSync(library.root).sort()).toEqual(['a.jpg', 'a.xmp'])
    expect(bytesOf(library, 'a.xmp').toString()).toContain(theirs)
    expect(parseXmpSidecar(bytesOf(library, 'a.xmp'))).toMatchObject({ keywords: ['sea'], rating: 5 })
  })

  test('does not write into a sidecar shared by two pictures', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    library.put(
      'a.png',
      await sharp(await picture({ seed: 2 }))
        .png()
        .toBuffer(),
    )
    const shared = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>both</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`
    library.put('a.xmp', shared)
    await scanPictures(library)
    await editTags(library.library, idOf(library, 'a.png'), { keywords: ['only png'] })
    await runJob(library, 'metadata-export')
    expect(bytesOf(library, 'a.xmp').toString()).toBe(shared)
    const fresh = await tagsOfNewLibrary(library)
    expect(fresh.get('a.png')?.keywords).toEqual(['only png'])
    expect(fresh.get('a.jpg')?.keywords).toEqual(['both'])
  })

  test('reports a damaged sidecar and does not change it', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    library.put('a.jpg.xmp', '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF')
    await scanPictures(library)
    await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['sea'] })
    expect(await runJob(library, 'metadata-export')).toMatchObject({
      state: 'done',
      problems: 1,
      figures: { failed: 1 },
    })
    expect(bytesOf(library, 'a.jpg.xmp').toString()).toBe('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF')
    expect(problemsOf(library)).toEqual([{ path: 'a.jpg', reason: expect.stringContaining('damaged XML') }])
    library.put('a.jpg.xmp', '')
    await library.scan()
    expect(await runJob(library, 'metadata-export')).toMatchObject({ figures: { written: 1 } })
    expect(problemsOf(library)).toEqual([])
  })

  test('skips a file that another program changed since the last scan', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    library.put('b.jpg', await picture({ seed: 2 }))
    await scanPictures(library)
    await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['sea'] })
    await editTags(library.library, idOf(library, 'b.jpg'), { keywords: ['sea'] })
    library.put('a.jpg', await picture({ seed: 1, exif: takenAt('2020-01-01 00:00:00') }))
    expect(await runJob(library, 'metadata-export')).toMatchObject({ figures: { written: 1, skipped: 1 } })
    expect(problemsOf(library)).toEqual([{ path: 'a.jpg', reason: expect.stringContaining('scan the collection') }])
    await library.scan()
    expect(await runJob(library, 'metadata-export')).toMatchObject({
      figures: { written: 1, unchanged: 1, skipped: 0 },
    })
    expect(problemsOf(library)).toEqual([])
  })

  test('reports a file that cannot be written, and continues', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    library.put('b.jpg', await picture({ seed: 2 }))
    mkdirSync(join(library.root, 'a.jpg.xmp'))
    await scanPictures(library)
    for (const path of ['a.jpg', 'b.jpg']) await editTags(library.library, idOf(library, path), { keywords: ['sea'] })
    expect(await runJob(library, 'metadata-export')).toMatchObject({
      state: 'done',
      problems: 1,
      figures: { written: 1, failed: 1 },
    })
    expect(problemsOf(library)).toMatchObject([{ path: 'a.jpg' }])
    expect(readdirSync(library.root).sort()).toEqual(['a.jpg', 'a.jpg.xmp', 'b.jpg', 'b.jpg.xmp'])
  })

  test('does not start while the disk is disconnected', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    await scanPictures(library)
    await library.library.db.transact({ userId: null }, tx => {
      tx.run("UPDATE collections SET path = '/nowhere/at/all'")
    })
    await expect(runJob(library, 'metadata-export')).rejects.toThrow(Failure)
  })
})

describe('a collection that writes metadata', () => {
  test('writes tags into JPEG, PNG and WebP files, and into sidecars of other formats; no scan is needed afterwards', async () => {
    const library = openScanningLibrary()
    const plain = await picture({ seed: 1, exif: takenAt('2019-08-03 14:22:33') })
    library.put('a.jpg', plain)
    library.put(
      'b.png',
      await sharp(await picture({ seed: 2 }))
        .png()
        .toBuffer(),
    )
    library.put(
      'c.webp',
      await sharp(await picture({ seed: 3 }))
        .webp()
        .toBuffer(),
    )
    library.put(
      'd.tif',
      await sharp(await picture({ seed: 4 }))
        .tiff()
        .toBuffer(),
    )
    // Without a date in their metadata, pictures have the time of the file.
    for (const path of ['a.jpg', 'b.png', 'c.webp'])
      utimesSync(join(library.root, path), 1_500_000_000.25, 1_500_000_000.25)
    await scanPictures(library, 'file')
    const before = library.items()
    const { date: _, ...undated } = everything
    for (const path of before.keys())
      await editTags(library.library, idOf(library, path), path === 'a.jpg' ? everything : undated)
    expect(await runJob(library, 'metadata-write')).toMatchObject({
      state: 'done',
      figures: { written: 4, sidecars: 1, unchanged: 0, skipped: 0, failed: 0 },
    })
    expect(readdirSync(library.root).sort()).toEqual(['a.jpg', 'b.png', 'c.webp', 'd.tif', 'd.tif.xmp'])
    expect(statSync(join(library.root, 'b.png')).mtimeMs).toBe(1_500_000_000_250)
    const after = library.items()
    for (const path of ['a.jpg', 'b.png', 'c.webp']) {
      const { content = '' } = after.get(path) ?? {}
      expect(content).toBe(contentKeyOf(bytesOf(library, path)))
      expect(content).not.toBe(before.get(path)?.content ?? '')
      expect(existsSync(renditionPath(library.library.cache, content, 'small'))).toBe(true)
      expect(existsSync(renditionPath(library.library.cache, before.get(path)?.content ?? '', 'small'))).toBe(false)
    }
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
    expect((await pixels(bytesOf(library, 'a.jpg'))).equals(await pixels(plain))).toBe(true)
    expect(await tagsOfNewLibrary(library)).toEqual(tagsByPath(library.library))
    expect(after.get('b.png')).toMatchObject({ taken_at: before.get('b.png')?.taken_at, taken_source: 'file' })
    expect(await library.scan()).toMatchObject({ done: 0, total: 0, figures: { new: 0, changed: 0, moved: 0 } })
    expect(library.library.db.all('SELECT * FROM metadata_due')).toEqual([])
  })

  test('removes a position from the picture itself, where a sidecar could only hide it', async () => {
    const library = openScanningLibrary()
    const gps = exifSegment({
      gps: [
        [1, 'N'],
        [2, { fractions: [48, 8, 30] }],
        [3, 'E'],
        [4, { fractions: [11, 34, 0] }],
      ],
    })
    const plain = await picture({ seed: 1 })
    library.put('a.jpg', Buffer.concat([plain.subarray(0, 2), gps, plain.subarray(2)]))
    await scanPictures(library, 'sidecar')
    await editTags(library.library, idOf(library, 'a.jpg'), { place: null })
    expect(await runJob(library, 'metadata-write')).toMatchObject({ figures: { written: 1, failed: 0 } })
    const expected = [{ path: 'a.jpg', reason: expect.stringContaining('still stands in the file itself') }]
    expect(problemsOf(library, 'metadata-beside')).toEqual(expected)
    expect(await runJob(library, 'metadata-export')).toMatchObject({ figures: { written: 0, unchanged: 1 } })
    expect(problemsOf(library, 'metadata-beside')).toEqual(expected)
    // The suggested remedy: write into files, and export everything again.
    await scanPictures(library, 'file')
    expect(await runJob(library, 'metadata-export')).toMatchObject({ figures: { written: 1, sidecars: 0 } })
    expect(readMetadataOf(memorySource(bytesOf(library, 'a.jpg')), 'a.jpg').latitude).toBeUndefined()
    expect(problemsOf(library, 'metadata-beside')).toEqual([])
    expect(await runJob(library, 'metadata-export')).toMatchObject({ figures: { written: 0, unchanged: 1 } })
  })

  test('reports that a box is not written if the size of the picture is unknown', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', (await picture({ seed: 1 })).subarray(0, 100))
    await scanPictures(library, 'sidecar')
    const id = idOf(library, 'a.jpg')
    await editTags(library.library, id, { people: [{ name: 'Anna', box: [100, 100, 200, 200] }] })
    expect(await runJob(library, 'metadata-write')).toMatchObject({
      problems: 1,
      figures: { written: 1, incomplete: 1 },
    })
    expect(parseXmpSidecar(bytesOf(library, 'a.jpg.xmp')).people).toEqual(['Anna'])
    expect(problemsOf(library, 'metadata-shortfall')).toEqual([
      { path: 'a.jpg', reason: expect.stringContaining('the size of the picture is not known') },
    ])
  })

  test('writes a sidecar for a file with hard links, and reports the reason', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    linkSync(join(library.root, 'a.jpg'), `${library.data}-other.jpg`)
    await scanPictures(library, 'file')
    const before = bytesOf(library, 'a.jpg')
    await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['sea'] })
    expect(await runJob(library, 'metadata-write')).toMatchObject({ figures: { written: 1, sidecars: 1, failed: 0 } })
    expect(bytesOf(library, 'a.jpg').equals(before)).toBe(true)
    expect(statSync(join(library.root, 'a.jpg')).nlink).toBe(2)
    expect(parseXmpSidecar(bytesOf(library, 'a.jpg.xmp')).keywords).toEqual(['sea'])
    const expected = [{ path: 'a.jpg', reason: expect.stringContaining('2 names (hard links)') }]
    expect(problemsOf(library, 'metadata-beside')).toEqual(expected)
    // The problem remains while the reason does.
    expect(await runJob(library, 'metadata-export')).toMatchObject({ figures: { written: 0, unchanged: 1 } })
    expect(problemsOf(library, 'metadata-beside')).toEqual(expected)
    unlinkSync(`${library.data}-other.jpg`)
    await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['beach'] })
    await runJob(library, 'metadata-write')
    expect(bytesOf(library, 'a.jpg').toString('latin1')).toContain('beach')
    expect(problemsOf(library, 'metadata-beside')).toEqual([])
  })

  test.skipIf(!canDropRights)(
    'writes a sidecar if the owner of the file cannot be kept, as in a container',
    async () => {
      const library = openScanningLibrary()
      library.put('a.jpg', await picture({ seed: 1 }))
      chownSync(join(library.root, 'a.jpg'), 1234, 1235)
      await scanPictures(library, 'file')
      await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['sea'] })
      const before = bytesOf(library, 'a.jpg')
      // Root without CAP_CHOWN: the process notices it only when it cannot change the owner.
      const command = [...programCommand(), '--data', library.data, 'meta', 'export', library.root]
      const rights = ['--inh-caps', '-chown', '--bounding-set', '-chown']
      const ran = Bun.spawnSync(['setpriv', ...rights, ...command], { env: cleanEnvironment() })
      expect(ran.stderr.toString()).not.toContain('rror')
      expect(bytesOf(library, 'a.jpg').equals(before)).toBe(true)
      expect(statSync(join(library.root, 'a.jpg'))).toMatchObject({ uid: 1234, gid: 1235 })
      expect(parseXmpSidecar(bytesOf(library, 'a.jpg.xmp')).keywords).toEqual(['sea'])
      expect(problemsOf(library, 'metadata-beside')).toEqual([
        { path: 'a.jpg', reason: expect.stringContaining('a new file could not be given its owner') },
      ])
      expect(problemsOf(library)).toEqual([])
      expect(readdirSync(library.root).sort()).toEqual(['a.jpg', 'a.jpg.xmp'])
    },
  )

  test('writes a sidecar if writing would lose a field because of the EXIF layout', async () => {
    const library = openScanningLibrary()
    // Two tags point to the same EXIF directory, but only one of them can be updated.
    const odd = exifSegment({ exif: [[0x9003, '2001:02:03 04:05:06']], ifd0: [[0x8768, [38]]] })
    odd.set([0x69], Buffer.from(odd).indexOf(Buffer.of(0x68, 0x87)))
    const plain = await picture({ seed: 1 })
    library.put('a.jpg', Buffer.concat([plain.subarray(0, 2), odd, plain.subarray(2)]))
    await scanPictures(library, 'file')
    const before = bytesOf(library, 'a.jpg')
    await editTags(library.library, idOf(library, 'a.jpg'), {
      date: '2019-08-01 14:22:33',
      description: 'x'.repeat(99),
    })
    expect(await runJob(library, 'metadata-write')).toMatchObject({ figures: { written: 1, sidecars: 1, failed: 0 } })
    expect(bytesOf(library, 'a.jpg').equals(before)).toBe(true)
    expect(problemsOf(library, 'metadata-beside')).toEqual([
      { path: 'a.jpg', reason: expect.stringContaining('other fields of it would change') },
    ])
    expect(await tagsOfNewLibrary(library)).toEqual(tagsByPath(library.library))
  })

  test('updates an existing sidecar besides the file', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    await scanPictures(library, 'sidecar')
    await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['first'], description: 'kept' })
    await runJob(library, 'metadata-write')
    await scanPictures(library, 'file')
    await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['second'] })
    expect(await runJob(library, 'metadata-write')).toMatchObject({ figures: { written: 1, sidecars: 0 } })
    expect(parseXmpSidecar(bytesOf(library, 'a.jpg.xmp'))).toMatchObject({ keywords: ['second'], description: 'kept' })
    expect(bytesOf(library, 'a.jpg').toString('latin1')).toContain('<rdf:li>second</rdf:li>')
    expect(await tagsOfNewLibrary(library)).toEqual(tagsByPath(library.library))
  })

  test('keeps renditions that a copy of the picture still needs', async () => {
    const library = openScanningLibrary()
    const same = await picture({ seed: 1 })
    library.put('a.jpg', same)
    library.put('b.jpg', same)
    await scanPictures(library, 'file')
    await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['sea'] })
    await runJob(library, 'metadata-write')
    for (const { content } of library.items().values())
      expect(existsSync(renditionPath(library.library.cache, content, 'small'))).toBe(true)
    expect(await library.scan()).toMatchObject({ total: 0, figures: { moved: 0 } })
  })
})

describe('after an edit', () => {
  test('the item is due if the collection writes metadata, and not otherwise', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    await scanPictures(library)
    const { metadata, db } = library.library
    await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['sea'] })
    expect(metadata.due()).toEqual([])
    await scanPictures(library, 'sidecar')
    await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['lake'] })
    expect(metadata.due()).toEqual([1])
    await metadata.queueDue()
    await metadata.queueDue()
    const waiting = db.all<{ id: number; kind: string }>("SELECT id, kind FROM jobs WHERE state = 'queued'")
    expect(waiting).toMatchObject([{ kind: 'metadata-write' }])
    await library.library.jobs.run(waiting[0]?.id ?? 0)
    expect(metadata.due()).toEqual([])
    expect(parseXmpSidecar(bytesOf(library, 'a.jpg.xmp')).keywords).toEqual(['lake'])
  })
})

describe('starting an export or import', () => {
  async function scannedPicture() {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    await library.scan()
    return library
  }

  test('requires the right to administer the collection', async () => {
    const { library } = await scannedPicture()
    const viewer = { ...terminalViewer, kind: 'user' as const, userId: 7, globalAdmin: false }
    const rights = (right: object) => ({
      ...viewer,
      rights: new Map([[1, { view: true, create: true, update: true, admin: false, ...right }]]),
    })
    for (const call of ['startExport', 'startImport'] as const) {
      await expect(library.metadata[call](rights({}), 1)).rejects.toMatchObject({ code: 'denied' })
      await expect(library.metadata[call](viewer, 1)).rejects.toMatchObject({ code: 'notFound' })
    }
    const id = await library.metadata.startExport(rights({ admin: true }), 1)
    expect(library.jobs.row(id)).toMatchObject({ kind: 'metadata-export', collectionId: 1, userId: 7 })
  })

  test('of a read-only collection is refused for an export and allowed for an import', async () => {
    const { library } = await scannedPicture()
    await library.db.transact({ userId: null }, tx => {
      tx.run('UPDATE collections SET readonly = 1')
    })
    await expect(library.metadata.startExport(terminalViewer, 1)).rejects.toMatchObject({ code: 'denied' })
    expect(await library.metadata.startImport(terminalViewer, 1)).toBeNumber()
  })
})

test('an import reads metadata again, overrides edits of users, and can be undone', async () => {
  const library = openScanningLibrary()
  const sidecar = (keyword: string, rating: number) =>
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="${rating}"><dc:subject><rdf:Bag><rdf:li>${keyword}</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`
  for (const name of ['a', 'b']) {
    library.put(`${name}.jpg`, await picture({ seed: name.charCodeAt(0) }))
    library.put(`${name}.jpg.xmp`, sidecar('old', 1))
    utimesSync(join(library.root, `${name}.jpg.xmp`), 1_600_000_000, 1_600_000_000)
  }
  await scanPictures(library)
  await editTags(library.library, idOf(library, 'a.jpg'), { keywords: ['mine'], description: 'Mine, too' })
  for (const name of ['a', 'b']) {
    // Another program changes the sidecar and keeps its modification time, so that a scan does not notice the change.
    writeFileSync(join(library.root, `${name}.jpg.xmp`), sidecar('new', 2))
    utimesSync(join(library.root, `${name}.jpg.xmp`), 1_600_000_000, 1_600_000_000)
  }
  await library.scan()
  expect(tagsByPath(library.library).get('b.jpg')).toMatchObject({ keywords: ['old'], rating: 1 })
  expect(await runJob(library, 'metadata-import')).toMatchObject({ state: 'done', kind: 'metadata-import' })
  const tags = tagsByPath(library.library)
  // The file has no description, so the user's description is kept.
  expect(tags.get('a.jpg')).toMatchObject({ keywords: ['new'], rating: 2, description: 'Mine, too' })
  const { steps } = library.library.history.list(terminalViewer, { collectionId: 0 }, {})
  const step = steps.find(({ operation }) => operation === 'metadata.import')
  expect(step).toMatchObject({ items: 1, undoable: true })
  expect(tags.get('b.jpg')).toMatchObject({ keywords: ['new'], rating: 2 })
  const { jobs, history } = library.library
  await jobs.run(await jobs.enqueue(terminalViewer, 'undo', history.planUndo(terminalViewer, step?.step ?? '')))
  expect(tagsByPath(library.library).get('a.jpg')).toMatchObject({ keywords: ['mine'], description: 'Mine, too' })
})
