import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { terminalViewer } from '../../core/accounts/access.ts'
import { filmPath } from '../../core/items/transcode-job.ts'
import { renditionPath } from '../../core/media/cache/renditions.ts'
import { createApp } from '../../server/app.ts'
import { createMediaOnDemand } from '../../server/bytes/media-on-demand.ts'
import { videoTools } from '../core/media/decoding.ts'
import { openScanningLibrary, picture, type ScanningLibrary } from '../support/scanning-library.ts'
import { temporaryDirectory } from '../support/temporary.ts'

let scanned: ScanningLibrary
let app: ReturnType<typeof createApp>
let media: ReturnType<typeof createMediaOnDemand>
let token = ''
const ids = new Map<string, number>()

beforeAll(async () => {
  scanned = openScanningLibrary()
  scanned.put('photo.jpg', await picture({ seed: 1, width: 3000, height: 2000 }))
  scanned.put('ünïcode "name".jpg', await picture({ seed: 2 }))
  scanned.put('linked.jpg', await picture({ seed: 5 }))
  scanned.put('folder/inside.jpg', await picture({ seed: 6 }))
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
  media = createMediaOnDemand(library)
  app = createApp(library, { files: new Map(), index: '<html></html>', policy: '' }, media)
})
afterAll(() => media.close())

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

/** Gives the collection a variants path for as long as `work` takes. */
async function withVariants(variants: { path: string; readonly?: boolean }, work: () => Promise<void>) {
  const { db } = scanned.library
  const set = (path: string, readonly: boolean) =>
    db.transact(
      { userId: null },
      tx => tx.run('UPDATE collections SET path_variant = ?, readonly = ?', path, readonly ? 1 : 0).changes,
    )
  await set(variants.path, variants.readonly === true)
  await work().finally(() => set('', false))
}

async function rotate(name: string, degrees: number) {
  const { db } = scanned.library
  const id = ids.get(name) ?? 0
  await db.transact({ userId: null }, tx => tx.run('UPDATE items SET rotation = ? WHERE id = ?', degrees, id).changes)
}

describe('pictures', () => {
  test('come in every size as WebP, and are never enlarged', async () => {
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

  test('come in the requested format', async () => {
    for (const format of ['webp', 'jpeg', 'avif', 'png'] as const) {
      const response = await get('photo.jpg', `image?pThumbnail=tiny&pFormat=${format}`)
      expect(response.headers.get('content-type')).toBe(`image/${format}`)
      const { format: real } = await sharp(await response.arrayBuffer()).metadata()
      expect(real).toBe(format === 'avif' ? 'heif' : format)
    }
  })

  test('fifty simultaneous requests for a missing rendition create it once', async () => {
    const content = scanned.items().get('photo.jpg')?.content ?? ''
    rmSync(renditionPath(scanned.library.cache, content, 'large'), { force: true })
    const responses = await Promise.all(Array.from({ length: 50 }, () => get('photo.jpg', 'image?pThumbnail=large')))
    const bodies = await Promise.all(responses.map(response => response.arrayBuffer()))
    expect(new Set(responses.map(response => response.status))).toEqual(new Set([200]))
    expect(new Set(bodies.map(body => Bun.hash(body))).size).toBe(1)
    expect(media.count()).toBeGreaterThan(0)
    const before = media.count()
    rmSync(renditionPath(scanned.library.cache, content, 'large'), { force: true })
    await Promise.all(Array.from({ length: 50 }, () => get('photo.jpg', 'image?pThumbnail=large')))
    expect(media.count()).toBe(before + 1)
  })

  test('the original is the file, byte for byte', async () => {
    const response = await get('photo.jpg', 'image?pThumbnail=original')
    expect(
      Buffer.from(await response.arrayBuffer()).equals(await Bun.file(join(scanned.root, 'photo.jpg')).bytes()),
    ).toBe(true)
  })

  test('a symbolic link in place of a file or its folder is never followed', async () => {
    const outside = temporaryDirectory()
    writeFileSync(join(outside, 'inside.jpg'), 'not for anybody')
    const at = (name: string) => join(scanned.root, name)
    for (const [link, item] of [
      ['linked.jpg', 'linked.jpg'],
      ['folder', 'folder/inside.jpg'],
    ] as const) {
      renameSync(at(link), at('kept away'))
      symlinkSync(item === link ? join(outside, 'inside.jpg') : outside, at(link))
      for (const query of ['image?pThumbnail=original', 'image?pThumbnail=variant', 'stream'])
        expect([query, (await get(item, query)).status]).toEqual([query, 404])
      unlinkSync(at(link))
      renameSync(at('kept away'), at(link))
      expect((await get(item, 'image?pThumbnail=original')).status).toBe(200)
    }
  })

  test('the original of a file that has changed since the scan has its own ETag', async () => {
    const before = await get('linked.jpg', 'image?pThumbnail=original&reloads=1')
    const tag = before.headers.get('etag') ?? ''
    expect(before.headers.get('cache-control')).toContain('immutable')
    const bytes = readFileSync(join(scanned.root, 'linked.jpg'))
    writeFileSync(join(scanned.root, 'linked.jpg'), Buffer.concat([bytes, Buffer.from('more')]))
    const after = await get('linked.jpg', 'image?pThumbnail=original&reloads=1', { 'if-none-match': tag })
    expect(after.status).toBe(200)
    expect(after.headers.get('etag')).not.toBe(tag)
    expect(after.headers.get('cache-control')).not.toContain('immutable')
    expect((await after.arrayBuffer()).byteLength).toBe(bytes.length + 4)
    writeFileSync(join(scanned.root, 'linked.jpg'), bytes)
  })

  test('the variant of a file that browsers cannot show is a full-size JPEG', async () => {
    const response = await get('scan.tif', 'image?pThumbnail=variant')
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({ width: 300, height: 200 })
  })

  test("an owner's edited version in the variants path is the variant", async () => {
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

  test("an owner's edited version is sent again after another edit", async () => {
    const edited = temporaryDirectory()
    writeFileSync(join(edited, 'photo.jpg'), await picture({ seed: 78 }))
    await withVariants({ path: edited }, async () => {
      const first = await get('photo.jpg', 'image?pThumbnail=variant')
      const known = { 'if-none-match': first.headers.get('etag') ?? '' }
      expect((await get('photo.jpg', 'image?pThumbnail=variant', known)).status).toBe(304)
      const again = await picture({ seed: 79, width: 30 })
      writeFileSync(join(edited, 'photo.jpg'), again)
      const second = await get('photo.jpg', 'image?pThumbnail=variant', known)
      expect(second.status).toBe(200)
      expect(Buffer.from(await second.arrayBuffer()).equals(again)).toBe(true)
    })
  })

  test('a file that cannot be decoded returns 404 with the reason', async () => {
    const response = await get('cut.jpg', 'image?pThumbnail=small')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'notFound', error: expect.stringContaining('Image not found') })
  })

  test('a file that could run scripts is sent as a sandboxed download', async () => {
    const response = await get('drawing.svg', 'image?pThumbnail=original')
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-disposition')).toStartWith('attachment')
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'self'; sandbox")
    expect((await get('drawing.svg', 'image?pThumbnail=small')).headers.get('content-type')).toBe('image/webp')
  })
})

describe('variants that are created on demand', () => {
  let seed = 100
  /** A TIFF with unique content, so that nothing of it is in the cache yet. */
  async function fresh(name: string): Promise<{ name: string; cached: () => boolean }> {
    const bytes = await sharp(await picture({ seed: ++seed, width: 120 }))
      .tiff()
      .toBuffer()
    scanned.put(name, bytes)
    await scanned.scan()
    const found = scanned.items().get(name)
    ids.set(name, found?.id ?? 0)
    return { name, cached: () => existsSync(renditionPath(scanned.library.cache, found?.content ?? '', 'variant')) }
  }
  const variantOf = (name: string, more = '') => get(name, `image?pThumbnail=variant${more}`)
  const below = (path: string) => readdirSync(path, { recursive: true }).map(String).sort()

  test('are kept in the variants path, as JPEG at the relative path of their file, and sent from there', async () => {
    const path = temporaryDirectory()
    await withVariants({ path }, async () => {
      const { name, cached } = await fresh('album/kept.tif')
      const first = await variantOf(name)
      expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect(below(path)).toEqual(['album', 'album/kept.jpg'])
      expect(cached()).toBe(false)
      const countBefore = media.count()
      const second = await variantOf(name)
      const bytes = Buffer.from(await second.arrayBuffer())
      expect(bytes.equals(readFileSync(join(path, 'album/kept.jpg')))).toBe(true)
      expect(Buffer.from(await first.arrayBuffer()).equals(bytes)).toBe(true)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 120, height: 48 })
      expect(media.count()).toBe(countBefore)
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    })
  })

  test('are created and kept once for simultaneous requests', async () => {
    const path = temporaryDirectory()
    await withVariants({ path }, async () => {
      const { name, cached } = await fresh('together.tif')
      const countBefore = media.count()
      const responses = await Promise.all(Array.from({ length: 20 }, () => variantOf(name)))
      const bodies = await Promise.all(responses.map(response => response.arrayBuffer()))
      expect(new Set(bodies.map(body => Bun.hash(body))).size).toBe(1)
      expect([media.count(), below(path), cached()]).toEqual([countBefore + 1, ['together.jpg'], false])
    })
  })

  test('go into the cache if the collection is read-only, or they are rotated or in another format', async () => {
    const path = temporaryDirectory()
    await withVariants({ path, readonly: true }, async () => {
      const { name, cached } = await fresh('protected.tif')
      expect((await variantOf(name)).status).toBe(200)
      expect([below(path), cached()]).toEqual([[], true])
    })
    await withVariants({ path }, async () => {
      const { name } = await fresh('turned.tif')
      expect((await variantOf(name, '&pFormat=webp')).headers.get('content-type')).toBe('image/webp')
      await rotate(name, 90)
      expect(below(path)).toEqual([])
      expect(await sharp(await (await variantOf(name)).arrayBuffer()).metadata()).toMatchObject({
        width: 48,
        height: 120,
      })
      expect(below(path)).toEqual([])
      await rotate(name, 0)
      await variantOf(name)
      expect(below(path)).toEqual(['turned.jpg'])
      // The kept variant is not rotated, so it is not sent for a rotated item.
      await rotate(name, 90)
      expect(await sharp(await (await variantOf(name)).arrayBuffer()).metadata()).toMatchObject({
        width: 48,
        height: 120,
      })
    })
  })

  test('of files that every browser shows are not kept: they would look like an owner’s edit', async () => {
    const path = temporaryDirectory()
    await withVariants({ path }, async () => {
      expect((await variantOf('photo.jpg', '&pFormat=jpeg')).status).toBe(200)
      expect(below(path)).toEqual([])
    })
  })

  test('never replace an existing file', async () => {
    const path = temporaryDirectory()
    await withVariants({ path }, async () => {
      const one = await fresh('same.tif')
      await variantOf(one.name)
      const before = readFileSync(join(path, 'same.jpg'))
      // The variant of `two` gets a name of its own; that of `three` would be same.jpg too, so it goes into the cache.
      const two = await fresh('same.bmp.tif')
      const three = await fresh('same.tiff')
      for (const { name, cached } of [two, three]) {
        expect(await sharp(await (await variantOf(name)).arrayBuffer()).metadata()).toMatchObject({ width: 120 })
        expect(cached()).toBe(name === three.name)
      }
      expect(below(path)).toEqual(['same.bmp.jpg', 'same.jpg'])
      expect(readFileSync(join(path, 'same.jpg')).equals(before)).toBe(true)
      const [first, third] = await Promise.all(
        [one, three].map(async ({ name }) => Bun.hash(await (await variantOf(name)).arrayBuffer())),
      )
      expect(first).not.toBe(third ?? 0)
    })
  })

  test('of an earlier version of a file are not sent', async () => {
    const path = temporaryDirectory()
    await withVariants({ path }, async () => {
      await fresh('changing.tif')
      const before = await (await variantOf('changing.tif')).arrayBuffer()
      const { cached } = await fresh('changing.tif')
      const after = await (await variantOf('changing.tif')).arrayBuffer()
      expect(Bun.hash(after)).not.toBe(Bun.hash(before))
      expect([below(path), cached()]).toEqual([['changing.jpg'], true])
    })
  })

  test('go into the cache if the variants path cannot be written, which is logged once', async () => {
    const path = join(temporaryDirectory(), 'unplugged')
    const log = join(scanned.data, 'logs', 'keepsake.log')
    await withVariants({ path }, async () => {
      for (const name of ['first.tif', 'second.tif']) {
        const { cached } = await fresh(name)
        expect((await variantOf(name)).status).toBe(200)
        expect(cached()).toBe(true)
      }
    })
    expect(existsSync(path)).toBe(false)
    const warnings = readFileSync(log, 'utf8')
      .split('\n')
      .filter(line => line.includes('variants cannot be kept') && line.includes(path))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('ENOENT')
  })
})

const tools = videoTools()
describe.if(tools !== null)('a film that not every browser plays', () => {
  /** Creates a film and runs the job that converts it; returns the path where the cache would hold the result. */
  async function convertFilm(name: string): Promise<string> {
    const path = join(scanned.root, name)
    const source = `testsrc=s=96x64:r=5:d=1,drawbox=x=${name.length}:t=fill`
    const command = [tools?.ffmpeg ?? '', '-v', 'error', '-f', 'lavfi', '-i', source, '-c:v', 'mpeg4', `file:${path}`]
    expect(Bun.spawnSync(command).exitCode).toBe(0)
    await scanned.scan()
    const found = scanned.items().get(name)
    ids.set(name, found?.id ?? 0)
    const { jobs, cache } = scanned.library
    const job = await jobs.enqueue(terminalViewer, 'transcode', { itemId: found?.id ?? 0 }, { inProcess: true })
    expect((await jobs.run(job))?.state).toBe('done')
    return filmPath(cache, found?.content ?? '')
  }

  test('is converted into the variants path, streamed from there, and is its variant', async () => {
    const path = temporaryDirectory()
    await withVariants({ path }, async () => {
      const cached = await convertFilm('clip.avi')
      expect(existsSync(cached)).toBe(false)
      expect(readdirSync(path)).toEqual(['clip.mp4'])
      const kept = readFileSync(join(path, 'clip.mp4'))
      for (const query of ['stream', 'image?pThumbnail=variant']) {
        const response = await get('clip.avi', query)
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4'])
        expect(Buffer.from(await response.arrayBuffer()).equals(kept)).toBe(true)
      }
      const probe = Bun.spawnSync([tools?.ffprobe ?? '', '-v', 'warning', '-show_streams', join(path, 'clip.mp4')])
      expect(probe.stdout.toString()).toContain('codec_name=h264')
      expect(probe.stderr.toString()).toBe('')
    })
  })

  test('is converted into the cache if the collection is read-only, or the name of the film is taken', async () => {
    const path = temporaryDirectory()
    await withVariants({ path, readonly: true }, async () => {
      expect(existsSync(await convertFilm('protected.avi'))).toBe(true)
      expect(readdirSync(path)).toEqual([])
    })
    mkdirSync(join(path, 'taken.mp4'))
    await withVariants({ path }, async () => {
      const cached = await convertFilm('taken.avi')
      expect(readdirSync(path)).toEqual(['taken.mp4'])
      const response = await get('taken.avi', 'stream')
      expect(Buffer.from(await response.arrayBuffer()).equals(readFileSync(cached))).toBe(true)
    })
  })

  test('is played as its owner’s own version if there is one', async () => {
    const path = temporaryDirectory()
    await withVariants({ path }, async () => {
      await convertFilm('mine.avi')
      writeFileSync(join(path, 'mine.webm'), 'edited')
      const response = await get('mine.avi', 'stream')
      expect([response.headers.get('content-type'), await response.text()]).toEqual(['video/webm', 'edited'])
    })
  })
})

describe('caching', () => {
  test('a versioned address is cached for a day, any other is revalidated each time', async () => {
    expect((await get('photo.jpg', 'image?pThumbnail=tiny&reloads=abc')).headers.get('cache-control')).toBe(
      'private, max-age=86400, immutable',
    )
    expect((await get('photo.jpg', 'image?pThumbnail=tiny')).headers.get('cache-control')).toBe('private, no-cache')
  })

  test('a cached picture is not sent again', async () => {
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

  test('HEAD reports the length and sends nothing', async () => {
    for (const query of ['image?pThumbnail=small', 'image?pThumbnail=original']) {
      const whole = await (await get('photo.jpg', query)).arrayBuffer()
      const head = await get('photo.jpg', query, {}, 'HEAD')
      expect(head.status).toBe(200)
      expect(head.headers.get('content-length')).toBe(String(whole.byteLength))
      expect((await head.arrayBuffer()).byteLength).toBe(0)
    }
  })

  test('a non-ASCII name is sent in UTF-8', async () => {
    const response = await get('ünïcode "name".jpg', 'image?pThumbnail=original')
    expect(response.headers.get('content-disposition')).toBe(
      `inline; filename="_n_code _name_.jpg"; filename*=UTF-8''%C3%BCn%C3%AFcode%20%22name%22.jpg`,
    )
  })
})

describe('ranges', () => {
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
    test(`${range} returns ${status}`, async () => {
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

  test('a range of another version of the file returns the whole file', async () => {
    const response = await get('photo.jpg', 'image?pThumbnail=original', { range: 'bytes=0-9', 'if-range': '"old"' })
    expect(response.status).toBe(200)
  })
})

test('the download of a file of more than a gigabyte is logged once, without its name', async () => {
  const path = join(scanned.root, 'folder/inside.jpg')
  const { db, auditNotes } = scanned.library
  const before = readFileSync(path)
  truncateSync(path, 1.1 * 1000 ** 3)
  try {
    for (const range of ['bytes=0-9', 'bytes=10-19', 'bytes=1000-'])
      expect((await get('folder/inside.jpg', 'image?pThumbnail=original', { range })).status).toBe(206)
    expect((await get('scan.tif', 'image?pThumbnail=original')).status).toBe(200)
  } finally {
    writeFileSync(path, before)
  }
  await auditNotes.write()
  const rows = db.all<{ detail: string; count: number }>(
    "SELECT detail, count FROM audit_log WHERE action = 'download'",
  )
  expect(rows.map(({ detail, count }) => [JSON.parse(detail), count])).toEqual([
    [{ what: 'file', bytes: 1.1 * 1000 ** 3, collection: 1 }, 1],
  ])
})
