import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../core/accounts/access.ts'
import { csvColumns, textCell } from '../../core/exchange/exporting/export-collection.ts'
import { english } from '../../core/sharing/slideshow/page.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import { openScanningLibrary, picture, type ScanningLibrary, takenAt } from '../support/scanning-library.ts'

let scanned: ScanningLibrary
let app: ReturnType<typeof createApp>
let media: ReturnType<typeof createMediaOnDemand>
const tokens = new Map<string, string>()
const ids = new Map<string, number>()
let collection = 0

async function createUser(username: string, globalAdmin: boolean) {
  const user = await scanned.library.users.create(terminalViewer, {
    username,
    name: username,
    email: 'a@b',
    password: 'secret',
    unlockPin: '1234',
    globalAdmin,
  })
  tokens.set(username, (await scanned.library.sessions.open(user, 'test')).token)
  return user
}

beforeAll(async () => {
  scanned = openScanningLibrary()
  const put = async (path: string, seed: number, date: string) =>
    scanned.put(path, await picture({ seed, exif: takenAt(date) }))
  await put('2019/Sevilla/a.jpg', 1, '2019-11-21 10:00:00')
  await put('2019/b.jpg', 2, '2019-02-28 10:00:00')
  await put('2020/c.jpg', 3, '2020-02-29 10:00:00')
  await put('=HYPERLINK("x").jpg', 4, '2018-11-21 23:30:00')
  const copy = await picture({ seed: 9, exif: takenAt('2017-05-05 05:05:05') })
  scanned.put('copies/one.jpg', copy)
  scanned.put('copies/two.jpg', copy)
  await scanned.scan()
  for (const [name, { id }] of scanned.items()) ids.set(name, id)
  const { library } = scanned
  collection = library.collections.all()[0]?.id ?? 0
  await createUser('admin', true)
  await createUser('outsider', false)
  const member = await createUser('member', false)
  await library.db.transact(terminalViewer, tx => {
    const group = tx.run('INSERT INTO access_groups (name, "view") VALUES (?, 1)', 'members').lastInsertRowid
    tx.run('INSERT INTO collection_access (collection_id, group_id, position) VALUES (?, ?, 5)', collection, group)
    tx.run('INSERT INTO access_members (group_id, user_id) VALUES (?, ?)', group, member.id)
  })
  media = createMediaOnDemand(library)
  app = createApp(library, { files: new Map(), index: '<html></html>', policy: '' }, media)
})
afterAll(() => media.close())

async function get(who: string | null, path: string): Promise<Response> {
  const token = who === null ? undefined : tokens.get(who)
  return app.request(`http://keepsake.test${path}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
}

async function unzipResponse(response: Response): Promise<Map<string, Buffer>> {
  const directory = mkdtempSync(join(tmpdir(), 'keepsake-test-zip-'))
  try {
    writeFileSync(join(directory, 'a.zip'), new Uint8Array(await response.arrayBuffer()))
    const done = Bun.spawnSync(['unzip', '-q', 'a.zip', '-d', 'out'], { cwd: directory })
    if (done.exitCode !== 0) throw new Error(done.stderr.toString())
    const files = readdirSync(join(directory, 'out'), { recursive: true, withFileTypes: true }).filter(entry =>
      entry.isFile(),
    )
    return new Map(
      files.map(entry => {
        const path = join(entry.parentPath, entry.name)
        return [path.slice(join(directory, 'out').length + 1), readFileSync(path)]
      }),
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

describe('a download', () => {
  test('is a zip of the unchanged originals, with their folders for administrators', async () => {
    const response = await get('admin', `/v1/item/download/${collection}`)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const files = await unzipResponse(response)
    expect(files.size).toBe(6)
    expect(files.get('pictures/2019/Sevilla/a.jpg')).toEqual(readFileSync(join(scanned.root, '2019/Sevilla/a.jpg')))
    expect([...files.keys()].some(name => name.includes('=HYPERLINK(_x_).jpg'))).toBe(true)
  })

  test('has no folders within the collection for members', async () => {
    const files = await unzipResponse(await get('member', `/v1/item/download/0?q=in:pictures`))
    expect([...files.keys()].sort()).toContain('pictures/a.jpg')
    expect(files.size).toBe(6)
  })

  test('contains filtered or chosen items, and none that the user cannot see', async () => {
    expect((await unzipResponse(await get('admin', `/v1/item/download/0?q=year:2020`))).size).toBe(1)
    const chosen = `${ids.get('2019/b.jpg')},${ids.get('2020/c.jpg')},987654`
    expect((await unzipResponse(await get('member', `/v1/item/download/0?items=${chosen}`))).size).toBe(2)
    expect((await get('outsider', `/v1/item/download/0?items=${chosen}`)).status).toBe(404)
    expect((await get('outsider', `/v1/item/download/${collection}`)).status).toBe(404)
    expect((await get(null, `/v1/item/download/${collection}`)).status).toBe(401)
    expect((await get('admin', `/v1/item/download/0?items=1,x`)).status).toBe(400)
  })

  test('lists the files that were left out', async () => {
    const path = join(scanned.root, '2020/c.jpg')
    const bytes = readFileSync(path)
    unlinkSync(path)
    try {
      const files = await unzipResponse(await get('admin', `/v1/item/download/${collection}`))
      expect(files.get('Left out.txt')?.toString()).toContain('pictures/2020/c.jpg')
      expect(files.size).toBe(6)
    } finally {
      writeFileSync(path, bytes)
    }
  })

  test("counts for its user's limit until it is read or aborted", async () => {
    const open = await Promise.all([1, 2].map(() => get('admin', `/v1/item/download/${collection}`)))
    const third = await get('admin', `/v1/item/download/${collection}`)
    expect(third.status).toBe(429)
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    await Promise.all(open.map(response => response.body?.cancel()))
    const again = await get('admin', `/v1/item/download/${collection}`)
    expect(again.status).toBe(200)
    await again.arrayBuffer()
  })
})

describe('a collection as CSV', () => {
  test('has one line per item, always in the same order, and no cell that a spreadsheet would run', async () => {
    const response = await get('admin', `/v1/export/collection/${collection}`)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const text = await response.text()
    const [head = '', ...lines] = text.trimEnd().split('\r\n')
    expect(head.replace('\uFEFF', '')).toBe(csvColumns.join(','))
    expect(lines.length).toBe(6)
    expect(lines.map(line => line.split(',')[0])).toContain(String(ids.get('2020/c.jpg')))
    expect(lines.some(line => line.includes(`"'=HYPERLINK(""x"").jpg"`))).toBe(true)
    expect(text).toContain('2019-11-21 10:00:00,exif')
    expect(text).toBe(await (await get('admin', `/v1/export/collection/${collection}`)).text())
  })

  test('is only for administrators of the collection', async () => {
    expect((await get('member', `/v1/export/collection/${collection}`)).status).toBe(403)
    expect((await get('outsider', `/v1/export/collection/${collection}`)).status).toBe(404)
    expect((await get(null, `/v1/export/collection/${collection}`)).status).toBe(401)
  })

  for (const [text, cell] of [
    ['plain', 'plain'],
    ['a, b', '"a, b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+34 600', "'+34 600"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', `'\tx`],
    [' x ', '" x "'],
    ['', ''],
  ] as const) {
    test(`${JSON.stringify(text)} becomes the cell ${cell.replaceAll('\n', '\\n')}`, () => {
      expect(textCell(text)).toBe(cell)
    })
  }
})

describe('a slideshow', () => {
  test('is a page with the items that its creator sees, and only its creator can load it', async () => {
    const { library } = scanned
    const user = library.users.byName('member')
    const job = await library.jobs.enqueue(
      terminalViewer,
      'slideshow',
      { userId: user?.id ?? 0, items: [...ids.values()], options: { date: true } },
      { inProcess: true },
    )
    const ended = await library.jobs.run(job)
    expect(ended?.state).toBe('done')
    const built = library.db.get<{ id: string }>('SELECT id FROM built_files')?.id ?? ''
    const event = library.db.get<{ message: string }>("SELECT message FROM events WHERE channel = 'BuildSlideshow'")
    expect(JSON.parse(event?.message ?? '{}')).toMatchObject({ action: 'complete', fileid: built })
    const files = await unzipResponse(await get('member', `/v1/slideshow/${built}`))
    expect([...files.keys()].sort()).toEqual(['index.html', ...[1, 2, 3, 4, 5, 6].map(n => `media/000${n}.jpg`)])
    const page = files.get('index.html')?.toString() ?? ''
    expect(page).toContain('21 November 2019')
    expect(page).not.toMatch(/https?:\/\//)
    expect((await sharp(files.get('media/0001.jpg')).metadata()).format).toBe('jpeg')
    expect((await sharp(files.get('media/0001.jpg')).metadata()).exif).toBeUndefined()
    expect((await get('admin', `/v1/slideshow/${built}`)).status).toBe(404)
    expect((await get('member', '/v1/slideshow/nonsense')).status).toBe(404)
    expect((await get(null, `/v1/slideshow/${built}`)).status).toBe(401)
  })

  test("is in its creator's language, from right to left in Persian", async () => {
    const { library } = scanned
    const texts = { ...english.texts, play: 'پخش', position: '{position} از {count}' }
    const input = {
      userId: library.users.byName('member')?.id ?? 0,
      items: [...ids.values()],
      options: { date: true },
      language: { tag: 'fa-IR', texts },
    }
    await library.db.transact(terminalViewer, tx => tx.run('DELETE FROM built_files'))
    await library.jobs.run(await library.jobs.enqueue(terminalViewer, 'slideshow', input, { inProcess: true }))
    const built = library.db.get<{ id: string }>('SELECT id FROM built_files')?.id ?? ''
    const files = await unzipResponse(await get('member', `/v1/slideshow/${built}`))
    const page = files.get('index.html')?.toString() ?? ''
    expect(page).toContain('<html lang="fa-IR" dir="rtl">')
    expect(page).toContain('>پخش</button>')
    // 21 November 2019 in the Persian calendar.
    expect(page).toContain('۳۰ آبان ۱۳۹۸')
  })

  test('is not created if its creator may see none of its items', async () => {
    const { library } = scanned
    const user = library.users.byName('outsider')
    const input = { userId: user?.id ?? 0, items: [...ids.values()], options: {} }
    const job = await library.jobs.enqueue(terminalViewer, 'slideshow', input, { inProcess: true })
    await expect(library.jobs.run(job)).rejects.toThrow('No items available')
    expect(library.jobs.row(job)?.state).toBe('failed')
  })
})

describe('duplicates', () => {
  test('are found by content', async () => {
    const { library } = scanned
    const found = library.duplicates.list(terminalViewer, { collectionId: 0 }, {})
    expect(found._meta.total_records).toBe(1)
    expect(found.groups[0]?.map(item => item.name).sort()).toEqual(['one.jpg', 'two.jpg'])
  })

  test('are found by similarity after the job has run', async () => {
    const { library } = scanned
    expect(library.duplicates.list(terminalViewer, { collectionId: 0 }, { kind: 'near' }).groups).toEqual([])
    await library.jobs.run(await library.jobs.enqueue(terminalViewer, 'duplicates', {}, { inProcess: true }))
    const { groups } = library.duplicates.list(terminalViewer, { collectionId: collection }, { kind: 'near' })
    const names = groups.map(group => group.map(({ name }) => name))
    expect(names.some(group => group.includes('one.jpg') && group.includes('two.jpg'))).toBe(true)
  })
})
