import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../core/access.ts'
import { renditionPath } from '../../core/media/renditions.ts'
import { createApp } from '../../server/app.ts'
import { createMediaDesk } from '../../server/media-desk.ts'
import { picture, type ScanningLibrary, scanningLibrary } from '../support/scanning.ts'

let scanned: ScanningLibrary
let app: ReturnType<typeof createApp>
let desk: ReturnType<typeof createMediaDesk>
let token = ''
const ids = new Map<string, number>()

beforeAll(async () => {
  scanned = scanningLibrary()
  scanned.put('photo.jpg', await picture({ seed: 1, width: 3000, height: 2000 }))
  scanned.put('ünïcode "name".jpg', await picture({ seed: 2 }))
  scanned.put(
    'drawing.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="red"/></svg>',
  )
  scanned.put('cut.jpg', (await picture({ seed: 3, width: 400 })).subarray(0, 250))
  scanned.put(
    'scan.tif',
    await sharp(await picture({ seed: 4, width: 300, height: 200 }))
      .tiff()
      .toBuffer(),
  )
  await scanned.scan()
  for (const [name, { id }] of scanned.items()) ids.set(name, id)
  const { library } = scanned
  const user = await library.users.create(terminalViewer, {
    username: 'ines',
    name: 'Inés',
    email: 'a@b',
    password: 'secret',
    unlockPin: '1234',
    globalAdmin: true,
  })
  token = (await library.sessions.open(user, 'test')).token
  desk = createMediaDesk(library)
  app = createApp(library, { files: new Map(), index: '<html></html>', policy: '' }, desk)
})
afterAll(() => desk.close())

function get(
  name: string,
  query: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> | Response {
  return app.request(`http://keepsake.test/v1/item/${ids.get(name)}/${query}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
}

describe('pictures', () => {
  test('come in every size as WebP, upright and never enlarged', async () => {
    for (const [size, edge] of [
      ['tiny', 160],
      ['small', 480],
      ['medium', 960],
      ['large', 2048],
    ] as const) {
      const response = await get('photo.jpg', `image?pThumbnail=${size}`)
      expect(response.headers.get('content-type')).toBe('image/webp')
      const { width, height } = await sharp(await response.arrayBuffer()).metadata()
      expect([width, height]).toEqual([edge, Math.round((edge * 2) / 3)])
      const little = await sharp(
        await (await get('ünïcode "name".jpg', `image?pThumbnail=${size}`)).arrayBuffer(),
      ).metadata()
      expect([little.width, little.height]).toEqual([64, 48])
    }
  })

  test('come in the format asked for', async () => {
    for (const format of ['webp', 'jpeg', 'avif', 'png'] as const) {
      const response = await get('photo.jpg', `image?pThumbnail=tiny&pFormat=${format}`)
      expect(response.headers.get('content-type')).toBe(`image/${format}`)
      const { format: real } = await sharp(await response.arrayBuffer()).metadata()
      expect(real).toBe(format === 'avif' ? 'heif' : format)
    }
  })

  test('fifty requests at once for a picture that is not there yet make it once, and all get it', async () => {
    const content = scanned.items().get('photo.jpg')?.content ?? ''
    rmSync(renditionPath(scanned.library.cache, content, 'large'), { force: true })
    const responses = await Promise.all(Array.from({ length: 50 }, () => get('photo.jpg', 'image?pThumbnail=large')))
    const bodies = await Promise.all(responses.map(response => response.arrayBuffer()))
    expect(new Set(responses.map(response => response.status))).toEqual(new Set([200]))
    expect(new Set(bodies.map(body => Bun.hash(body))).size).toBe(1)
    expect(desk.made()).toBeGreaterThan(0)
    const before = desk.made()
    rmSync(renditionPath(scanned.library.cache, content, 'large'), { force: true })
    await Promise.all(Array.from({ length: 50 }, () => get('photo.jpg', 'image?pThumbnail=large')))
    expect(desk.made()).toBe(before + 1)
  })

  test('the original is the file, byte for byte', async () => {
    const response = await get('photo.jpg', 'image?pThumbnail=original')
    expect(
      Buffer.from(await response.arrayBuffer()).equals(await Bun.file(join(scanned.root, 'photo.jpg')).bytes()),
    ).toBe(true)
  })

  test('the variant of what browsers do not show is a JPEG in full size', async () => {
    const response = await get('scan.tif', 'image?pThumbnail=variant')
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({ width: 300, height: 200 })
  })

  test("an owner's edited version below the variants path is the variant", async () => {
    const edited = join(scanned.root, '..', 'edited')
    mkdirSync(edited)
    const bytes = await picture({ seed: 77, width: 20, height: 20 })
    writeFileSync(join(edited, 'photo.jpeg'), bytes)
    const { db } = scanned.library
    await db.transact({ userId: null }, tx => tx.run('UPDATE collections SET path_variant = ?', edited).changes)
    const response = await get('photo.jpg', 'image?pThumbnail=variant')
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    await db.transact({ userId: null }, tx => tx.run("UPDATE collections SET path_variant = ''").changes)
  })

  test('what cannot be decoded is a 404 that says why', async () => {
    const response = await get('cut.jpg', 'image?pThumbnail=small')
    if (response.status === 200) return
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'notFound', error: expect.stringContaining('Image not found') })
  })

  test('what could run in the page is a download and cannot run', async () => {
    const response = await get('drawing.svg', 'image?pThumbnail=original')
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-disposition')).toStartWith('attachment')
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect((await get('drawing.svg', 'image?pThumbnail=small')).headers.get('content-type')).toBe('image/webp')
  })
})

describe('caching', () => {
  test('a versioned address may be kept for a day, another one is asked for each time', async () => {
    expect((await get('photo.jpg', 'image?pThumbnail=tiny&reloads=abc')).headers.get('cache-control')).toBe(
      'private, max-age=86400, immutable',
    )
    expect((await get('photo.jpg', 'image?pThumbnail=tiny')).headers.get('cache-control')).toBe('private, no-cache')
  })

  test('what the browser has is not sent again', async () => {
    const first = await get('photo.jpg', 'image?pThumbnail=tiny&reloads=abc')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('photo.jpg', 'image?pThumbnail=tiny&reloads=abc', { 'if-none-match': known })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
    expect((await get('photo.jpg', 'image?pThumbnail=tiny&reloads=abc', { 'if-none-match': '"other"' })).status).toBe(
      200,
    )
  })

  test('HEAD tells the length and sends nothing', async () => {
    for (const query of ['image?pThumbnail=small', 'image?pThumbnail=original']) {
      const whole = await (await get('photo.jpg', query)).arrayBuffer()
      const head = await get('photo.jpg', query, {}, 'HEAD')
      expect(head.status).toBe(200)
      expect(head.headers.get('content-length')).toBe(String(whole.byteLength))
      expect((await head.arrayBuffer()).byteLength).toBe(0)
    }
  })

  test('a name that is no ASCII is told in UTF-8', async () => {
    const response = await get('ünïcode "name".jpg', 'image?pThumbnail=original')
    expect(response.headers.get('content-disposition')).toBe(
      `inline; filename="_n_code _name_.jpg"; filename*=UTF-8''%C3%BCn%C3%AFcode%20%22name%22.jpg`,
    )
  })
})

describe('parts', () => {
  const ranges: [string, number, string | null, [number, number] | null][] = [
    ['bytes=0-9', 206, 'bytes 0-9/', [0, 10]],
    ['bytes=10-', 206, 'bytes 10-', [10, -1]],
    ['bytes=-5', 206, 'bytes ', [-5, -1]],
    ['bytes=5-1', 200, null, null],
    ['bytes=0-1,4-5', 200, null, null],
    ['lines=1-2', 200, null, null],
    ['bytes=99999999-', 416, 'bytes */', null],
  ]
  for (const [range, status, starts, part] of ranges) {
    test(`${range} is answered with ${status}`, async () => {
      const file = Buffer.from(await Bun.file(join(scanned.root, 'photo.jpg')).bytes())
      const response = await get('photo.jpg', 'image?pThumbnail=original', { range })
      expect(response.status).toBe(status)
      if (starts !== null) expect(response.headers.get('content-range')).toStartWith(starts)
      if (part === null) return
      const [from, to] = part
      const expected = file.subarray(from < 0 ? file.length + from : from, to < 0 ? file.length : to)
      expect(Buffer.from(await response.arrayBuffer()).equals(expected)).toBe(true)
    })
  }

  test('a range of another version of the file gets the whole of this one', async () => {
    const response = await get('photo.jpg', 'image?pThumbnail=original', { range: 'bytes=0-9', 'if-range': '"old"' })
    expect(response.status).toBe(200)
  })
})
