import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { terminalViewer, type Viewer } from '../../../core/accounts/access.ts'
import { isPrivateDirectory } from '../../../core/files/private-directory.ts'
import { sortPlan } from '../../../core/moving/sort-job.ts'
import {
  fileHashes,
  findFaults,
  itemPaths,
  itemPlaces,
  listFiles,
  openMovingLibrary,
  writeFileIn,
} from '../../support/moving-library.ts'
import { libraryContents, picture, takenAt } from '../../support/scanning-library.ts'

const xmp = (words: string) => `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
   xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/">${words}</rdf:Description></rdf:RDF></x:xmpmeta>`
const category = (word: string) => xmp(`<photoshop:Category>${word}</photoshop:Category>`)

/** Nothing is new, changed, moved or missing: the library matches the disk. */
const quiet = { new: 0, changed: 0, moved: 0, missing: 0, failed: 0 }

describe('a sort', () => {
  test('moves files into their folders, and nothing the second time', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true })
    writeFileIn(own.root, 'DSC1.JPG', await picture({ seed: 1, exif: takenAt('2019-08-01 14:22:33') }))
    writeFileIn(own.root, 'deep/er/DSC2.jpeg', await picture({ seed: 2, exif: takenAt('2020-01-31 00:00:00') }))
    writeFileIn(
      own.root,
      '2020/01/IMG_20200101_120000.jpg',
      await picture({ seed: 3, exif: takenAt('2020-01-01 12:00:00') }),
    )
    await moving.scan(own)
    const before = fileHashes(own.root)
    const ids = [...itemPlaces(moving.library).keys()].sort()
    const first = await moving.sort(own)
    expect(first.figures).toEqual({ selected: 2, moved: 2, skipped: 0, failed: 0 })
    expect(itemPaths(moving.library, own)).toEqual([
      '2019/08/IMG_20190801_142233.JPG',
      '2020/01/IMG_20200101_120000.jpg',
      '2020/01/IMG_20200131_000000.jpeg',
    ])
    expect(listFiles(own.root)).toEqual(itemPaths(moving.library, own))
    // Emptied folders are removed.
    expect(existsSync(join(own.root, 'deep'))).toBe(false)
    expect([...itemPlaces(moving.library).keys()].sort()).toEqual(ids)
    expect(findFaults(moving.library, [own], before)).toEqual([])
    expect((await moving.sort(own)).figures).toEqual({ selected: 0, moved: 0, skipped: 0, failed: 0 })
    expect((await moving.scan(own)).figures).toMatchObject(quiet)
    expect((await moving.scan(own, { full: true })).figures).toMatchObject({ new: 0, moved: 0, missing: 0, failed: 0 })
    expect(itemPaths(moving.library, own)).toEqual(listFiles(own.root))
  })

  test('gives the same library as a scan of the sorted files', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true, folderFormat: '{Category}/{Year}' })
    writeFileIn(
      own.root,
      'a.jpg',
      await picture({ seed: 1, exif: takenAt('2019-08-01 14:22:33'), xmp: category('Sea') }),
    )
    writeFileIn(own.root, 'b.jpg', await picture({ seed: 2, exif: takenAt('2019-08-02 14:22:33') }))
    writeFileIn(own.root, 'b.jpg.xmp', category('Hills'))
    await moving.scan(own)
    await moving.sort(own)
    await moving.scan(own)
    expect(listFiles(own.root)).toEqual([
      'Hills/2019/IMG_20190802_142233.jpg',
      'Hills/2019/IMG_20190802_142233.jpg.xmp',
      'Sea/2019/IMG_20190801_142233.jpg',
    ])
    const fresh = openMovingLibrary()
    await fresh.scan(await fresh.collection({ root: own.root }))
    const strip = (library: typeof moving) => {
      const { dirs, ...rest } = Object.assign({ dirs: [] }, libraryContents(library))
      return { ...rest, dirs: dirs.filter((dir: { path: string }) => /\d/.test(dir.path)) }
    }
    expect(strip(moving)).toEqual(strip(fresh))
  })

  test('numbers files taken in the same second, whatever their type, and moves companions and sidecars too', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true, variants: true })
    const exif = takenAt('2019-08-01 14:22:33')
    writeFileIn(own.root, 'a.jpg', await picture({ seed: 1, exif }))
    writeFileIn(own.root, 'a.dng', 'not really a raw file, but beside its picture')
    writeFileIn(own.root, 'a.jpg.xmp', category('One'))
    writeFileIn(own.root, 'a.xmp', category('Two'))
    writeFileIn(own.root, 'b.jpg', await picture({ seed: 2, exif }))
    writeFileIn(own.root, 'c.JPG', await picture({ seed: 3, exif }))
    writeFileIn(own.variants, 'a.png', 'an edited version')
    writeFileIn(own.root, 'orphan.txt', 'nobody knows of this')
    // A sidecar without its picture: it must not become the sidecar of another file.
    writeFileIn(own.root, '2019/08/IMG_20190801_142233_2.jpg.xmp', category('Three'))
    await moving.scan(own)
    const before = fileHashes(own.root, own.variants)
    expect((await moving.sort(own)).figures).toMatchObject({ moved: 3, failed: 0 })
    expect(listFiles(own.root)).toEqual([
      '2019/08/IMG_20190801_142233.dng',
      '2019/08/IMG_20190801_142233.jpg',
      '2019/08/IMG_20190801_142233.jpg.xmp',
      '2019/08/IMG_20190801_142233.xmp',
      '2019/08/IMG_20190801_142233_2.jpg.xmp',
      '2019/08/IMG_20190801_142233_3.jpg',
      '2019/08/IMG_20190801_142233_4.JPG',
      'orphan.txt',
    ])
    expect(listFiles(own.variants)).toEqual(['2019/08/IMG_20190801_142233.png'])
    expect(findFaults(moving.library, [own], before)).toEqual([])
    expect((await moving.scan(own)).figures).toMatchObject(quiet)
    expect((await moving.sort(own)).figures).toMatchObject({ moved: 0 })
  })

  test('leaves files in private folders, and the plan says so', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true, folderFormat: '{Year}', prefix: 'IMG_' })
    const taken = async (path: string, seed: number, year: number) =>
      writeFileIn(own.root, path, await picture({ seed, exif: takenAt(`${year}-10-01 14:22:33`) }))
    await taken('a/public.jpg', 1, 2002)
    await taken('private/x.jpg', 2, 2002)
    await taken('private/inner/y.jpg', 3, 2003)
    await taken('z/public.jpg', 4, 2003)
    chmodSync(join(own.root, 'private'), 0o700)
    await moving.scan(own)
    const { moves } = await sortPlan(moving.library, terminalViewer, own.id, {})
    const stay = moves.filter(({ to }) => to === null).map(({ from, reason }) => `${from}: ${reason}`)
    expect(stay.sort()).toEqual([
      'private/inner/y.jpg: Its folder is private.',
      'private/x.jpg: Its folder is private.',
    ])
    const ended = await moving.sort(own)
    expect(ended.message).toBe('2 stay where they are: their folder is private.')
    expect(listFiles(own.root).filter(path => path.startsWith('private'))).toEqual([
      'private/inner/y.jpg',
      'private/x.jpg',
    ])
    for (const year of ['2002', '2003']) expect(statSync(join(own.root, year)).mode & 0o005).toBe(0o005)
  })

  test('does not treat a folder as private if it has the permissions of its collection', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true, folderFormat: '{Year}', prefix: 'IMG_' })
    writeFileIn(own.root, 'a/x.jpg', await picture({ seed: 1, exif: takenAt('2002-10-01 14:22:33') }))
    for (const folder of ['a', '']) chmodSync(join(own.root, folder), 0o770)
    const link = `${own.root} by a link`
    symlinkSync(own.root, link)
    expect(isPrivateDirectory(link, Buffer.from('a'))).toBe(false)
    await moving.scan(own)
    const ended = await moving.sort(own)
    expect(ended.figures).toEqual({ selected: 1, moved: 1, skipped: 0, failed: 0 })
    expect(existsSync(join(own.root, 'a'))).toBe(false)
  })

  test('skips undated files with a reason, unless told to use the file time', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true })
    writeFileIn(own.root, 'undated.jpg', await picture({ seed: 1 }))
    utimesSync(join(own.root, 'undated.jpg'), 1_564_669_353, 1_564_669_353)
    await moving.scan(own)
    const plan = await sortPlan(moving.library, terminalViewer, own.id, {})
    expect(plan).toEqual({
      moves: [
        {
          item: expect.any(Number),
          from: 'undated.jpg',
          to: null,
          reason: 'Only the date of the file is known.',
          fails: false,
        },
      ],
      total: 0,
    })
    expect((await moving.sort(own)).figures).toEqual({ selected: 1, moved: 0, skipped: 1, failed: 0 })
    expect(listFiles(own.root)).toEqual(['undated.jpg'])
    expect((await moving.sort(own, { guess: true })).figures).toMatchObject({ moved: 1 })
    expect(listFiles(own.root)).toEqual([expect.stringMatching(/^2019\/08\/IMG_20190801_\d{6}\.jpg$/)])
    expect((await moving.scan(own)).figures).toMatchObject(quiet)
  })

  test('moves files as planned', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true, folderFormat: '{Year}', prefix: '' })
    for (let n = 0; n < 30; n++) {
      const exif = takenAt(`20${10 + (n % 3)}-01-01 00:00:0${n % 4}`)
      writeFileIn(own.root, `${n % 5}/${n}.jpg`, await picture({ seed: n, exif }))
    }
    await moving.scan(own)
    const { moves, total } = await sortPlan(moving.library, terminalViewer, own.id, {})
    expect(total).toBe(30)
    expect(new Set(moves.map(({ to }) => to)).size).toBe(30)
    await moving.sort(own)
    const places = itemPlaces(moving.library)
    expect(moves.map(({ item }) => places.get(item))).toEqual(moves.map(({ to }) => `${own.id}: ${to}`))
  })

  test('moves hidden items only for users who see them, as planned', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true, folderFormat: '{Year}', prefix: '' })
    const exif = takenAt('2019-08-01 14:22:33')
    writeFileIn(own.root, 'open.jpg', await picture({ seed: 1, exif }))
    writeFileIn(own.root, 'hidden.jpg', await picture({ seed: 2, exif, xmp: category('Secret') }))
    await moving.scan(own)
    const { keystrings } = moving.library
    const [secret] = keystrings.listAll(terminalViewer, {}).filter(({ content }) => content === 'Secret')
    await keystrings.update(terminalViewer, secret?.id ?? 0, { isAssociatedItemsHidden: true })
    const locked: Viewer = { ...terminalViewer, kind: 'user' }
    const { moves } = await sortPlan(moving.library, locked, own.id, {})
    expect(moves).toHaveLength(1)
    expect((await moving.sort(own, { viewer: locked })).figures).toMatchObject({ selected: 1, moved: 1, failed: 0 })
    expect(listFiles(own.root)).toEqual([moves[0]?.to ?? '', 'hidden.jpg'])
    expect((await moving.sort(own)).figures).toMatchObject({ selected: 1, moved: 1, failed: 0 })
    expect(listFiles(own.root)).toEqual(['2019/20190801_142233.jpg', '2019/20190801_142233_2.jpg'])
  })

  test('never takes the name of an existing file, even if the two differ in case', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true, folderFormat: '{Category}' })
    const exif = takenAt('2019-08-01 14:22:33')
    writeFileIn(own.root, 'a.jpg', await picture({ seed: 1, exif, xmp: category('SUMMER') }))
    writeFileIn(own.root, 'Summer/img_20190801_142233.txt', 'not a picture')
    writeFileIn(own.root, 'Summer/other.jpg', await picture({ seed: 2, exif: takenAt('2018-01-01 00:00:00') }))
    await moving.scan(own)
    await moving.sort(own)
    // The existing folder is used with its own case.
    expect(listFiles(own.root)).toContain('Summer/IMG_20190801_142233_2.jpg')
    expect(readFileSync(join(own.root, 'Summer/img_20190801_142233.txt'), 'utf8')).toBe('not a picture')
  })

  test('leaves files that were changed or removed since the last scan, and reports them', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true })
    for (let n = 0; n < 3; n++)
      writeFileIn(own.root, `${n}.jpg`, await picture({ seed: n, exif: takenAt(`2019-08-0${n + 1} 10:00:00`) }))
    await moving.scan(own)
    writeFileSync(join(own.root, '0.jpg'), await picture({ seed: 50, exif: takenAt('2001-01-01 10:00:00') }))
    rmSync(join(own.root, '1.jpg'))
    const ended = await moving.sort(own)
    expect(ended.figures).toEqual({ selected: 3, moved: 1, skipped: 0, failed: 2 })
    expect(ended.problems).toBe(2)
    const problems = moving.library.problems.list(terminalViewer, own.id)
    expect(problems.map(({ path, reason }) => [path, reason])).toEqual([
      ['0.jpg', '0.jpg has changed since the last scan.'],
      ['1.jpg', 'Its file is not where the last scan found it.'],
    ])
    await moving.scan(own)
    expect((await moving.sort(own)).figures).toMatchObject({ moved: 1, failed: 0 })
    expect(moving.library.problems.list(terminalViewer, own.id)).toEqual([])
  })

  test('does not move files into folders that scans ignore', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true })
    writeFileIn(own.root, 'a.jpg', await picture({ seed: 1, exif: takenAt('2019-08-01 14:22:33') }))
    await moving.scan(own)
    mkdirSync(join(own.root, '2019'))
    writeFileSync(join(own.root, '2019/.nomedia'), '')
    expect((await moving.sort(own)).figures).toMatchObject({ moved: 0, failed: 1 })
    expect(listFiles(own.root)).toEqual(['2019/.nomedia', 'a.jpg'])
  })

  test('copies a sidecar that two pictures share, and leaves the original beside the picture that stays', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true })
    writeFileIn(own.root, 'a.jpg', await picture({ seed: 1, exif: takenAt('2019-08-01 10:00:00') }))
    writeFileIn(own.root, 'a.png', await picture({ seed: 2 }))
    writeFileIn(own.root, 'a.xmp', category('Both'))
    await moving.scan(own)
    expect((await moving.sort(own)).figures).toMatchObject({ moved: 1, skipped: 1 })
    expect(listFiles(own.root)).toEqual([
      '2019/08/IMG_20190801_100000.jpg',
      '2019/08/IMG_20190801_100000.xmp',
      'a.png',
      'a.xmp',
    ])
    expect((await moving.scan(own)).figures).toMatchObject(quiet)
    expect((await moving.scan(own, { full: true })).figures).toMatchObject({ new: 0, missing: 0 })
  })

  test('is refused if the collection is read-only or not managed', async () => {
    const moving = openMovingLibrary()
    const free = await moving.collection()
    const readOnly = await moving.collection({ managed: true, readonly: true })
    expect(moving.sort(free)).rejects.toMatchObject({ code: 'conflict' })
    expect(moving.sort(readOnly)).rejects.toMatchObject({ code: 'denied' })
    expect(sortPlan(moving.library, terminalViewer, free.id, {})).rejects.toMatchObject({ code: 'conflict' })
    expect(sortPlan(moving.library, moving.library.sessions.anonymous(), free.id, {})).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('does not run during a scan of the collection', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true })
    const { jobs } = moving.library
    const scan = await jobs.enqueue(terminalViewer, 'scan', { collectionId: own.id })
    const { startSort } = await import('../../../core/moving/sort-job.ts')
    expect(startSort(moving.library, terminalViewer, own.id, {})).rejects.toMatchObject({ code: 'busy' })
    await jobs.run(scan)
    expect(await startSort(moving.library, terminalViewer, own.id, {})).toBeNumber()
  })

  test('updates the search index to the new file name', async () => {
    const moving = openMovingLibrary()
    const own = await moving.collection({ managed: true })
    writeFileIn(own.root, 'Zanzibar.jpg', await picture({ seed: 1, exif: takenAt('2019-08-01 10:00:00') }))
    await moving.scan(own)
    const found = (q: string) => moving.library.items.list(terminalViewer, { collectionId: own.id }, { q }).items.length
    expect(found('file:Zanzibar')).toBe(1)
    await moving.sort(own)
    expect(found('file:Zanzibar')).toBe(0)
    expect(found('file:IMG_20190801_100000')).toBe(1)
  })
})
