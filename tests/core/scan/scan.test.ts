import { describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { renditionPath } from '../../../core/media/cache/renditions.ts'
import { countMediumDue } from '../../../core/scan/renditions-job.ts'
import { endlessDrawing } from '../../support/endless-drawing.ts'
import { libraryContents, openScanningLibrary, picture, takenAt } from '../../support/scanning-library.ts'
import { be32, box, bytes, movieHeader, tiff, utf8, xmpSegment } from '../metadata/build.ts'

const emptyXmp =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>'

function keywordsXmp(...keywords: string[]): string {
  return emptyXmp.replace(
    '"/></x:xmpmeta>',
    `"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag>${keywords
      .map(keyword => `<rdf:li>${keyword}</rdf:li>`)
      .join('')}</rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`,
  )
}

describe('a scan', () => {
  test('creates an item for every picture, with its date and first renditions', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1, exif: takenAt('2019-08-03 14:22:33') }))
    library.put('trip/IMG_20200102_030405.jpg', await picture({ seed: 2 }))
    library.put('trip/notes.txt', 'not ours')
    const scan = await library.scan()
    expect(scan).toMatchObject({
      state: 'done',
      problems: 0,
      figures: { found: 2, new: 2, changed: 0, moved: 0, missing: 0, failed: 0 },
    })
    const items = library.items()
    expect([...items.keys()]).toEqual(['a.jpg', 'trip/IMG_20200102_030405.jpg'])
    expect(items.get('a.jpg')).toMatchObject({ taken_at: '2019-08-03 14:22:33', taken_source: 'exif-original' })
    expect(items.get('trip/IMG_20200102_030405.jpg')).toMatchObject({
      taken_at: '2020-01-02 03:04:05',
      taken_source: 'name',
    })
    for (const { content } of items.values()) {
      for (const size of ['tiny', 'small'] as const)
        expect(existsSync(renditionPath(library.library.cache, content, size))).toBe(true)
    }
  })

  test.each([
    ['a few files makes medium sizes too and leaves none to the job', 3, 0],
    ['many files makes the sizes for lists and leaves medium ones to the job', 101, 101],
  ])('of %s', async (_, files, due) => {
    const library = openScanningLibrary()
    const one = await picture({ seed: 1 })
    // Appended bytes make each content different without generating new pictures.
    for (let n = 0; n < files; n++) library.put(`${n}.jpg`, Buffer.concat([one, Buffer.from(String(n))]))
    await library.scan()
    const { cache, db } = library.library
    const isThere = (size: 'tiny' | 'small' | 'medium') =>
      [...library.items().values()].every(({ content }) => existsSync(renditionPath(cache, content, size)))
    expect([isThere('tiny'), isThere('small'), isThere('medium')]).toEqual([true, true, due === 0])
    expect(countMediumDue(db)).toBe(due)
  })

  test('reads no file the second time', async () => {
    const library = openScanningLibrary()
    for (let n = 0; n < 5; n++) library.put(`d${n % 2}/${n}.jpg`, await picture({ seed: n }))
    await library.scan()
    const second = await library.scan()
    expect(second).toMatchObject({ state: 'done', done: 0, total: 0, figures: { found: 5, new: 0, changed: 0 } })
  })

  test('reads only new and changed files, and keeps the items of changed files', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    library.put('b.jpg', await picture({ seed: 2 }))
    await library.scan()
    const before = library.items()
    library.put('b.jpg', await picture({ seed: 3 }))
    library.put('c.jpg', await picture({ seed: 4 }))
    expect(await library.scan()).toMatchObject({ total: 2, figures: { new: 1, changed: 1 } })
    const after = library.items()
    expect(after.get('b.jpg')?.id).toBe(before.get('b.jpg')?.id ?? 0)
    expect(after.get('b.jpg')?.content).not.toBe(before.get('b.jpg')?.content ?? '')
  })

  test('with --full reads everything again, and changes nothing if nothing differs', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1, xmp: keywordsXmp('sea') }))
    await library.scan()
    const before = libraryContents(library)
    expect(await library.scan({ full: true })).toMatchObject({ total: 1, figures: { new: 0 } })
    expect(libraryContents(library)).toEqual(before)
  })

  test('of a part of a collection does not affect the rest', async () => {
    const library = openScanningLibrary()
    library.put('a/1.jpg', await picture({ seed: 1 }))
    library.put('b/2.jpg', await picture({ seed: 2 }))
    await library.scan()
    rmSync(join(library.root, 'a'), { recursive: true })
    library.put('b/3.jpg', await picture({ seed: 3 }))
    expect(await library.scan({ below: 'b' })).toMatchObject({ figures: { found: 2, new: 1, missing: 0 } })
    expect(library.items().get('a/1.jpg')?.missing).toBeNull()
  })
})

describe('moved files', () => {
  test('keep their item, with the tags that users wrote', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1, exif: takenAt('2019-08-03 14:22:33') }))
    library.put('b.jpg', await picture({ seed: 2 }))
    await library.scan()
    const before = library.items().get('a.jpg')
    const edited = JSON.stringify({ ...before?.tags, Description: { v: 2, u: 1, d: 'Ours' } })
    await library.library.db.transact(
      { userId: 1 },
      tx => tx.run('UPDATE items SET tags = ? WHERE id = ?', edited, before?.id ?? 0).changes,
    )
    mkdirSync(join(library.root, 'album'))
    renameSync(join(library.root, 'a.jpg'), join(library.root, 'album/first.jpg'))
    expect(await library.scan()).toMatchObject({ figures: { new: 0, moved: 1, missing: 0 } })
    const after = library.items()
    expect([...after.keys()]).toEqual(['b.jpg', 'album/first.jpg'])
    expect(after.get('album/first.jpg')).toMatchObject({ id: before?.id, tags: { Description: { d: 'Ours' } } })
    expect(await library.scan()).toMatchObject({ total: 0, figures: { moved: 0, missing: 0 } })
  })

  test('a copy does not take the item of its original, even if the original was touched or briefly missing', async () => {
    const library = openScanningLibrary()
    const at = (name: string) => join(library.root, name)
    for (const [n, name] of ['touched/a.jpg', 'away/b.jpg'].entries()) library.put(name, await picture({ seed: n }))
    await library.scan()
    const before = library.items()
    utimesSync(at('touched/a.jpg'), 1_000_000, 1_000_000)
    renameSync(at('away/b.jpg'), join(library.data, 'b.jpg'))
    await library.scan({ below: 'away' })
    renameSync(join(library.data, 'b.jpg'), at('away/b.jpg'))
    mkdirSync(at('copies'))
    for (const name of ['touched/a.jpg', 'away/b.jpg']) copyFileSync(at(name), at(`copies/${name.slice(-5)}`))
    // The copies are scanned first, and the originals are found where they were.
    expect(await library.scan({ below: 'copies' })).toMatchObject({ figures: { new: 2, moved: 0 } })
    await library.scan()
    const after = library.items()
    for (const name of ['touched/a.jpg', 'away/b.jpg']) {
      expect(after.get(name)).toMatchObject({ id: before.get(name)?.id ?? 0, missing: null })
    }
    expect(after.size).toBe(4)
  })

  test('a copy takes the item of a missing file only if the disk is connected', async () => {
    const library = openScanningLibrary()
    const { db, collections, jobs } = library.library
    for (let n = 0; n < 3; n++) library.put(`disk/${n}.jpg`, await picture({ seed: n }))
    await library.scan()
    const before = library.items()
    const other = join(library.data, '../other')
    mkdirSync(other)
    copyFileSync(join(library.root, 'disk/0.jpg'), join(other, 'copy.jpg'))
    const scanOther = async () => {
      const { row } = await collections.resolve(terminalViewer, other, { create: true })
      await jobs.run(
        await jobs.enqueue(terminalViewer, 'scan', { collectionId: row.id, full: true }, { inProcess: true }),
      )
    }
    const away = join(library.data, '../away')
    const placeOf = () =>
      db.get(
        'SELECT c.path FROM items AS i JOIN collections AS c ON c.id = i.collection_id WHERE i.id = ?',
        before.get('disk/0.jpg')?.id ?? 0,
      )
    // Only a file of the mount point is left, and the known disk has another device number.
    renameSync(join(library.root, 'disk'), away)
    library.put('not ours.txt', 'mount me')
    const device = db.get<{ root_device: string }>('SELECT root_device FROM collections')?.root_device ?? ''
    const setDevice = (to: string) =>
      db.transact(terminalViewer, tx => void tx.run('UPDATE collections SET root_device = ?', to))
    await setDevice('1')
    await scanOther()
    expect(placeOf()).toEqual({ path: library.root })
    // The disk has another device number but its other files exist, so the missing file has moved.
    renameSync(away, join(library.root, 'disk'))
    renameSync(join(library.root, 'disk/0.jpg'), away)
    copyFileSync(away, join(other, 'second.jpg'))
    await scanOther()
    expect(placeOf()).toEqual({ path: other })
    // The file is back: the copy keeps the item, and the file gets a new one.
    await setDevice(device)
    renameSync(away, join(library.root, 'disk/0.jpg'))
    expect(await library.scan()).toMatchObject({ figures: { new: 1 } })
    expect(library.items().size).toBe(5)
  })

  test('two files that swapped names are recognized by content', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1, exif: takenAt('2019-08-03 14:22:33') }))
    library.put('b.jpg', await picture({ seed: 2, exif: takenAt('2001-01-01 01:01:01') }))
    await library.scan()
    const before = library.items()
    const at = (name: string) => join(library.root, name)
    renameSync(at('a.jpg'), at('x'))
    renameSync(at('b.jpg'), at('a.jpg'))
    renameSync(at('x'), at('b.jpg'))
    expect(await library.scan()).toMatchObject({ figures: { new: 0, moved: 2, missing: 0 } })
    const after = library.items()
    expect(after.get('a.jpg')?.id).toBe(before.get('b.jpg')?.id ?? 0)
    expect(after.get('b.jpg')?.id).toBe(before.get('a.jpg')?.id ?? 0)
  })

  test('a file moved over another keeps its item, and the item of the replaced file is missing until its file is back', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    const second = await picture({ seed: 2, width: 80 })
    library.put('b.jpg', second)
    await library.scan()
    const idOf = (name: string) => library.items().get(name)?.id ?? 0
    const [a, b] = [idOf('a.jpg'), idOf('b.jpg')]
    renameSync(join(library.root, 'a.jpg'), join(library.root, 'b.jpg'))
    await library.scan()
    const rows = () =>
      library.library.db.all<{ id: number; gone: number; files: number }>(
        `SELECT id, missing IS NOT NULL AS gone, (SELECT count(*) FROM files WHERE item_id = i.id) AS files
         FROM items AS i ORDER BY id`,
      )
    // The order of two new files is not defined.
    const expected = [
      { id: a, gone: 0, files: 1 },
      { id: b, gone: 1, files: 0 },
    ].sort((x, y) => x.id - y.id)
    expect(rows()).toEqual(expected)
    expect(await library.scan()).toMatchObject({ total: 0, figures: { moved: 0, missing: 0 } })
    expect(rows()).toEqual(expected)
    library.put('c.jpg', second)
    await library.scan()
    expect(rows().map(({ gone, files }) => [gone, files])).toEqual([
      [0, 1],
      [0, 1],
    ])
  })

  test('a copy is an item of its own', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    await library.scan()
    const before = library.items().get('a.jpg')
    copyFileSync(join(library.root, 'a.jpg'), join(library.root, 'copy.jpg'))
    expect(await library.scan()).toMatchObject({ figures: { new: 1, moved: 0 } })
    expect(library.items().get('a.jpg')?.id).toBe(before?.id ?? 0)
    expect(library.items().get('copy.jpg')).toMatchObject({ content: before?.content })
  })

  test('two copies that were both moved keep their items by name', async () => {
    const library = openScanningLibrary()
    const bytes = await picture({ seed: 1 })
    library.put('one.jpg', bytes)
    library.put('two.jpg', bytes)
    await library.scan()
    const before = library.items()
    mkdirSync(join(library.root, 'there'))
    for (const name of ['two.jpg', 'one.jpg']) renameSync(join(library.root, name), join(library.root, 'there', name))
    expect(await library.scan()).toMatchObject({ figures: { new: 0, moved: 2, missing: 0 } })
    const after = library.items()
    expect(after.get('there/one.jpg')?.id).toBe(before.get('one.jpg')?.id ?? 0)
    expect(after.get('there/two.jpg')?.id).toBe(before.get('two.jpg')?.id ?? 0)
  })

  test('all items of a renamed directory are kept', async () => {
    const library = openScanningLibrary()
    for (let n = 0; n < 60; n++) library.put(`old/${n}.jpg`, await picture({ seed: n }))
    await library.scan()
    const ids = [...library.items().values()].map(item => item.id).sort()
    renameSync(join(library.root, 'old'), join(library.root, 'new'))
    expect(await library.scan()).toMatchObject({ state: 'done', figures: { new: 0, moved: 60, missing: 0 } })
    expect([...library.items().values()].map(item => item.id).sort()).toEqual(ids)
  })

  test('the items of a directory replaced by a link, and of a file that replaces its folder, are kept', async () => {
    const library = openScanningLibrary()
    const at = (name: string) => join(library.root, name)
    for (const n of [1, 2]) library.put(`2019/sub/${n}.jpg`, await picture({ seed: n }))
    library.put('z.jpg/x.jpg', await picture({ seed: 3 }))
    await library.scan()
    const ids = [...library.items().values()].map(item => item.id).sort()
    mkdirSync(at('archive'))
    renameSync(at('2019'), at('archive/2019'))
    symlinkSync('archive/2019', at('2019'))
    renameSync(at('z.jpg/x.jpg'), at('t'))
    rmSync(at('z.jpg'), { recursive: true })
    renameSync(at('t'), at('z.jpg'))
    expect(await library.scan()).toMatchObject({ figures: { new: 0, moved: 3, missing: 0 } })
    expect([...library.items().keys()].sort()).toEqual(['archive/2019/sub/1.jpg', 'archive/2019/sub/2.jpg', 'z.jpg'])
    expect([...library.items().values()].map(item => item.id).sort()).toEqual(ids)
  })
})

describe('missing files', () => {
  test('make their item missing until they are back', async () => {
    const library = openScanningLibrary()
    const bytes = await picture({ seed: 1 })
    library.put('a.jpg', bytes)
    library.put('b.jpg', await picture({ seed: 2 }))
    await library.scan()
    const before = library.items().get('a.jpg')
    rmSync(join(library.root, 'a.jpg'))
    expect(await library.scan()).toMatchObject({ figures: { missing: 1 } })
    expect(library.items().get('a.jpg')?.missing).not.toBeNull()
    expect(await library.scan()).toMatchObject({ figures: { missing: 0 }, total: 0 })
    library.put('elsewhere/a.jpg', bytes)
    expect(await library.scan()).toMatchObject({ figures: { new: 0, moved: 1 } })
    expect(library.items().get('elsewhere/a.jpg')).toMatchObject({ id: before?.id, missing: null })
  })

  test('an empty directory stops the scan: nothing is marked missing, and the stop is recorded', async () => {
    const library = openScanningLibrary()
    for (let n = 0; n < 3; n++) library.put(`${n}.jpg`, await picture({ seed: n }))
    await library.scan()
    const away = `${library.root}-away`
    renameSync(library.root, away)
    mkdirSync(library.root)
    expect((await library.scan()).state).toBe('stopped')
    rmSync(library.root, { recursive: true })
    const { row } = await library.library.collections.resolve(terminalViewer, '1', { create: false })
    expect(row.safety_stop).toContain('Is its disk connected?')
    renameSync(away, library.root)
    expect(await library.scan()).toMatchObject({ state: 'done', total: 0, figures: { missing: 0 } })
    expect([...library.items().values()].every(item => item.missing === null)).toBe(true)
    expect(library.library.collections.byId(row.id)?.safety_stop).toBeNull()
  })

  test('more than 50 missing files that are more than 10 % of all stop the scan until a user accepts them', async () => {
    const library = openScanningLibrary()
    for (let n = 0; n < 60; n++) library.put(`${n % 2 === 0 ? 'stay' : 'go'}/${n}.jpg`, await picture({ seed: n }))
    for (let n = 60; n < 85; n++) library.put(`go/${n}.jpg`, await picture({ seed: n }))
    await library.scan()
    rmSync(join(library.root, 'go'), { recursive: true })
    const stopped = await library.scan()
    expect(stopped).toMatchObject({ state: 'stopped', figures: { missing: 0 } })
    expect([...library.items().values()].every(item => item.missing === null)).toBe(true)
    expect(await library.scan({ acceptMissing: true })).toMatchObject({ state: 'done', figures: { missing: 55 } })
  })
})

describe('files that belong together', () => {
  test('a RAW beside its JPEG is a companion, and its item survives the removal of the JPEG', async () => {
    const library = openScanningLibrary()
    library.put('IMG_1.JPG', await picture({ seed: 1 }))
    library.put('IMG_1.CR2', await picture({ seed: 1, width: 80 }))
    await library.scan()
    const before = library.items()
    expect([...before.keys()]).toEqual(['IMG_1.JPG'])
    rmSync(join(library.root, 'IMG_1.JPG'))
    await library.scan()
    expect([...library.items()]).toMatchObject([['IMG_1.CR2', { id: before.get('IMG_1.JPG')?.id, missing: null }]])
  })

  test('metadata missing in a JPEG comes from its RAW, except technical properties', async () => {
    const library = openScanningLibrary()
    const raw = tiff({
      ifd0: [
        [0x10f, 'Canon'],
        [0x112, [6]],
        [0x100, [80]],
        [0x101, [60]],
      ],
      exif: [[0x9003, '2019:08:03 14:22:33']],
      gps: [
        [1, 'N'],
        [2, { fractions: [48, 6, 0] }],
        [3, 'E'],
        [4, { fractions: [11, 36, 0] }],
      ],
    })
    library.put('stripped.JPG', await picture({ seed: 1 }))
    library.put('stripped.DNG', raw)
    library.put('dated.JPG', await picture({ seed: 2, exif: takenAt('2001-01-01 01:01:01') }))
    library.put('dated.DNG', raw)
    expect(await library.scan()).toMatchObject({ state: 'done', figures: { new: 2, failed: 0 } })
    const rows = library.library.db.all(
      `SELECT name, taken_at, taken_source, latitude, longitude, width, height, json_extract(details, '$.camera.make') AS make,
         json_extract(details, '$.orientation') AS orientation FROM items ORDER BY name`,
    )
    const here = { latitude: 48.1, longitude: 11.6, width: 64, height: 48, orientation: 1 }
    expect(rows).toEqual([
      { ...here, name: 'dated.JPG', taken_at: '2001-01-01 01:01:01', taken_source: 'exif-original', make: 'Test' },
      { ...here, name: 'stripped.JPG', taken_at: '2019-08-03 14:22:33', taken_source: 'exif-original', make: 'Canon' },
    ])
    expect(await library.scan()).toMatchObject({ total: 0 })
  })

  test('a video is paired with a JPEG by a date that is only in its RAW', async () => {
    const library = openScanningLibrary()
    const film = bytes(
      box('ftyp', 'qt  ', be32(0), 'qt  '),
      box('moov', movieHeader('2019-08-03T12:22:34Z', 2000)),
      box('mdat', 'x'),
    )
    const raw = tiff({ exif: [[0x9003, '2019:08:03 14:22:33']] })
    for (const stem of ['with', 'without']) {
      library.put(`${stem}.JPG`, await picture({ seed: stem.length }))
      library.put(`${stem}.MOV`, film)
    }
    library.put('with.DNG', raw)
    await library.scan()
    const items = [...library.items()].map(([name, { motion }]) => [name, motion])
    expect(items).toEqual([
      ['with.JPG', 1],
      ['without.JPG', 0],
      ['without.MOV', 0],
    ])
  })

  test('a problem in the metadata of a RAW belongs to the RAW', async () => {
    const library = openScanningLibrary()
    library.put('IMG_1.JPG', await picture({ seed: 1 }))
    library.put('IMG_1.DNG', tiff({ ifd0: [[700, utf8('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF')]] }))
    expect(await library.scan()).toMatchObject({ state: 'done', problems: 1 })
    expect(library.library.db.all('SELECT path, code, reason FROM problems')).toEqual([
      {
        path: 'IMG_1.DNG',
        code: 'metadata',
        reason: expect.stringMatching(/^The XMP packet is damaged. .* repair its metadata.$/),
      },
    ])
    expect(library.items().get('IMG_1.JPG')?.problem).toBeNull()
  })

  test('a file that cannot be decoded has only that problem, whatever its metadata', async () => {
    const library = openScanningLibrary()
    const damaged = xmpSegment('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF')
    library.put('cut.jpg', bytes([0xff, 0xd8], damaged, [0xff, 0xda, 0, 2]))
    await library.scan()
    expect(library.library.db.all('SELECT path, code FROM problems')).toEqual([
      { path: 'cut.jpg', code: 'undecodable' },
    ])
  })

  test('a sidecar shared by two pictures changes both when it is added and removed', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    library.put('a.png', await picture({ seed: 2 }))
    const before = await library.scan()
    expect(before.state).toBe('done')
    const rating = (name: string) =>
      library.library.db.get<{ rating: number | null }>('SELECT rating FROM items WHERE name = ?', name)?.rating ?? null
    const path = join(library.root, 'a.xmp')
    writeFileSync(
      path,
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>',
    )
    await library.scan()
    expect([rating('a.jpg'), rating('a.png')]).toEqual([4, 4])
    rmSync(path)
    await library.scan()
    expect([rating('a.jpg'), rating('a.png')]).toEqual([null, null])
  })

  test('a sidecar that is added, changed or removed changes its item', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    await library.scan()
    const keywords = () =>
      library.library.db.all<{ content: string }>(
        "SELECT k.content FROM items AS i, json_each(i.tags, '$.Keywords.d') AS j JOIN keystrings AS k ON k.id = j.value",
      )
    expect(keywords()).toEqual([])
    library.put('a.jpg.xmp', keywordsXmp('harbour'))
    expect(await library.scan()).toMatchObject({ figures: { new: 0, changed: 1 } })
    expect(keywords()).toEqual([{ content: 'harbour' }])
    library.put('a.jpg.xmp', keywordsXmp('harbour', 'evening'))
    utimesSync(join(library.root, 'a.jpg.xmp'), 1_700_000_000, 1_700_000_000)
    await library.scan()
    expect(keywords()).toEqual([{ content: 'harbour' }, { content: 'evening' }])
    rmSync(join(library.root, 'a.jpg.xmp'))
    await library.scan()
    expect(keywords()).toEqual([])
    expect(await library.scan()).toMatchObject({ total: 0, figures: { changed: 0 } })
  })

  test('keywords of a user are kept when the file is read again', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1, xmp: keywordsXmp('from file') }))
    await library.scan()
    const { id = 0, tags } = library.items().get('a.jpg') ?? {}
    const edited = JSON.stringify({ ...tags, Keywords: { v: 5, u: 1 } })
    await library.library.db.transact(
      { userId: 1 },
      tx => tx.run("UPDATE items SET tags = ?, keys = '[]' WHERE id = ?", edited, id).changes,
    )
    await library.scan({ full: true })
    expect(library.items().get('a.jpg')?.tags.Keywords).toEqual({ v: 5, u: 1 })
  })
})

describe('broken files', () => {
  test('are reported as problems until they are repaired, and do not stop the scan', async () => {
    const library = openScanningLibrary()
    const good = await picture({ seed: 1, width: 400, height: 300 })
    library.put('good.jpg', good)
    library.put('cut.jpg', good.subarray(0, 300))
    library.put('empty.jpg', '')
    library.put('text.jpg', 'this is no picture at all, whatever its name says')
    const scan = await library.scan()
    expect(scan).toMatchObject({ state: 'done', figures: { found: 4 } })
    const listed = () =>
      library.library.db.all<{ path: string; code: string }>('SELECT path, code FROM problems ORDER BY path')
    expect(listed().map(problem => problem.path)).toEqual(['cut.jpg', 'empty.jpg', 'text.jpg'])
    expect([...library.items().keys()]).toEqual(['cut.jpg', 'good.jpg'])
    expect(await library.scan()).toMatchObject({ total: 0 })
    library.put('cut.jpg', await picture({ seed: 2 }))
    library.put('empty.jpg', await picture({ seed: 3 }))
    rmSync(join(library.root, 'text.jpg'))
    await library.scan()
    expect(listed()).toEqual([])
    expect(library.items().get('cut.jpg')?.problem).toBeNull()
    writeFileSync(join(library.root, 'good.jpg'), '')
    await library.scan()
    expect(listed()).toMatchObject([{ path: 'good.jpg', code: 'empty' }])
    // A former picture remains an item, with a problem.
    expect(library.items().get('good.jpg')?.problem).toBeString()
    writeFileSync(join(library.root, 'good.jpg'), 'words')
    await library.scan()
    expect(library.items().get('good.jpg')?.problem).toStartWith('This is neither a picture nor a video. Give it')
    writeFileSync(join(library.root, 'good.jpg'), good)
    await library.scan()
    expect(library.items().get('good.jpg')?.problem).toBeNull()
  })

  test('an SVG that takes too long to render is an item with a problem, and other pictures are not affected', async () => {
    const library = openScanningLibrary()
    library.put('endless.svg', endlessDrawing())
    library.put('good.jpg', await picture({ seed: 1 }))
    expect(await library.scan()).toMatchObject({ state: 'done', problems: 1 })
    const [drawing, good] = ['endless.svg', 'good.jpg'].map(name => library.items().get(name))
    expect(drawing?.problem).toStartWith('Drawing it took longer than 5 seconds and was given up. Scan again')
    expect([drawing?.content === '', good?.problem]).toEqual([false, null])
    // The drawing is not rendered again while it is unchanged.
    expect(await library.scan()).toMatchObject({ total: 0 })
  }, 60_000)
})

describe('a later scan', () => {
  test('a JPEG beside an existing RAW gets the item of the RAW', async () => {
    const library = openScanningLibrary()
    library.put('IMG_1.CR2', await picture({ seed: 1, width: 80 }))
    await library.scan()
    const before = library.items().get('IMG_1.CR2')
    library.put('IMG_1.JPG', await picture({ seed: 2 }))
    expect(await library.scan()).toMatchObject({ figures: { new: 0, changed: 1, missing: 0 } })
    expect([...library.items()]).toMatchObject([['IMG_1.JPG', { id: before?.id }]])
    expect(await library.scan()).toMatchObject({ total: 0 })
  })

  test('a file that could not be read is tried again, even if it is unchanged', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    await library.scan()
    const { db } = library.library
    // As after a scan without permission to read the file.
    await db.transact({ userId: null }, tx => {
      tx.run('UPDATE files SET mtime_ns = -1')
      tx.run('UPDATE dirs SET fingerprint = NULL')
      tx.run(
        "INSERT INTO problems (collection_id, item_id, path, code, reason, at) VALUES (1, 1, 'a.jpg', 'unreadable', 'No permission', 0)",
      )
    })
    expect(await library.scan()).toMatchObject({ total: 1, problems: 0 })
    expect(await library.scan()).toMatchObject({ total: 0, problems: 0 })
  })

  test('the problem of a directory is removed when it can be read again', async () => {
    const library = openScanningLibrary()
    library.put('a.jpg', await picture({ seed: 1 }))
    await library.scan()
    await library.library.db.transact({ userId: null }, tx => {
      tx.run("INSERT INTO problems (collection_id, path, code, reason, at) VALUES (1, 'sub', 'directory', 'EIO', 0)")
    })
    expect(await library.scan()).toMatchObject({ problems: 0 })
  })
})
