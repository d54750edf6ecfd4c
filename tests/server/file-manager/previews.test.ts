import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import {
  type FileManagerServer,
  type FilesResponse,
  openFileManagerServer,
  writeFileAt,
} from '../../support/file-manager-server.ts'
import type { DiskCollection } from '../../support/moving-library.ts'
import { picture } from '../../support/scanning-library.ts'
import { unzip } from '../../support/unzip.ts'

let server: FileManagerServer
let album: DiskCollection
let albumName = ''
beforeAll(async () => {
  server = await openFileManagerServer()
  album = await server.moving.collection()
  albumName = server.library.collections.byId(album.id)?.name ?? ''
  mkdirSync(join(server.store, 'shown'))
})
afterAll(() => server.close())

function preview(path: string, headers: Record<string, string> = {}): Promise<FilesResponse> {
  return server.request({ q: 'preview', path }, 'bearer', { headers })
}

/** Stores a file and returns its preview. */
function storeAndPreview(
  file: string,
  bytes: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<FilesResponse> {
  writeFileAt(join(server.store, 'shown', file), bytes)
  return preview(`/store/shown/${file}`, headers)
}

function headersOf({ headers }: FilesResponse) {
  return {
    type: headers.get('content-type'),
    how: headers.get('content-disposition')?.split(';')[0],
    nosniff: headers.get('x-content-type-options'),
    policy: headers.get('content-security-policy'),
  }
}

const textHeaders = {
  type: 'text/plain; charset=utf-8',
  how: 'inline',
  nosniff: 'nosniff',
  policy: "default-src 'none'; frame-ancestors 'self'; sandbox",
}

/** The headers of an SVG: it runs no script and loads nothing, even when it is opened by itself. */
const drawingHeaders = {
  type: 'image/svg+xml',
  how: 'inline',
  nosniff: 'nosniff',
  policy: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox",
}

const script = '<script>parent.postMessage(document.cookie, "*")</script>'
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`

describe('uploaded files cannot run scripts:', () => {
  for (const [file, bytes] of [
    ['page.html', `<!doctype html>${script}`],
    ['page.jpg', `<!doctype html>${script}`],
    ['page', `<html>${script}`],
    ['page.xhtml', `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`],
    ['style.xml', '<?xml-stylesheet type="text/xsl" href="#x"?><x/>'],
    ['code.js', 'alert(1)'],
    ['code.mjs', 'import("/x")'],
    ['worker.json', '{}'],
    ['cache.appcache', 'CACHE MANIFEST'],
    ['mail.mht', 'MIME-Version: 1.0\nContent-Type: multipart/related'],
  ] as const) {
    test(`${file} is text`, async () => {
      const response = await storeAndPreview(file, bytes)
      expect(response.status).toBe(200)
      expect(response.text).toBe(bytes)
      expect(headersOf(response)).toEqual(textHeaders)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    })
  }

  test('an SVG is sandboxed, whatever the request is for', async () => {
    for (const headers of [
      {},
      ...['image', 'document', 'iframe', 'embed', 'object', 'script', 'empty'].map(dest => ({
        'sec-fetch-dest': dest,
      })),
    ])
      for (const file of ['drawing.svg', 'drawing.png', 'drawing'])
        expect(headersOf(await storeAndPreview(file, drawing, headers))).toEqual(drawingHeaders)
  })

  test('files that a listing calls an SVG are sent as an SVG', async () => {
    const samples = {
      'long comment.svg': `<!-- ${'x'.repeat(10_000)} -->${drawing}`,
      'long type.svg': `<!DOCTYPE svg [${'<!ENTITY a "b">'.repeat(500)}]>${drawing}`,
      'other prefix.svg': '<ns0:svg xmlns:ns0="http://www.w3.org/2000/svg"/>',
      'empty.svg': '',
    }
    for (const [file, bytes] of Object.entries(samples))
      expect(headersOf(await storeAndPreview(file, bytes))).toEqual(drawingHeaders)
    const { files } = await server.request({ q: 'index', path: '/store/shown' })
    const drawings = files?.filter(({ mime_type }) => mime_type === 'image/svg+xml').map(({ basename }) => basename)
    expect(drawings).toEqual(expect.arrayContaining(Object.keys(samples)))
    // Other bytes under the name of an SVG are sent as what they are.
    expect(headersOf(await storeAndPreview('picture.svg', await picture({ seed: 1 }))).type).toBe('image/jpeg')
    expect(headersOf(await storeAndPreview('program.svg', 'MZ\0\0')).how).toBe('attachment')
  })

  test('a file that is neither a text nor a picture is a download', async () => {
    for (const [file, bytes] of [
      ['program.exe', 'MZ\0\0'],
      ['page.html', '<html>\0'],
      ['flash.swf', 'FWS\x01\0\0'],
      ['module.wasm', '\0asm\x01\0\0\0'],
    ] as const) {
      const response = await storeAndPreview(file, bytes)
      expect(headersOf(response)).toEqual({
        type: 'application/octet-stream',
        how: 'attachment',
        nosniff: 'nosniff',
        policy: "default-src 'none'; frame-ancestors 'self'; sandbox",
      })
    }
  })

  test('a download is an attachment, whatever its type', async () => {
    for (const [file, bytes] of [
      ['page.html', script],
      ['drawing.svg', drawing],
      ['a.pdf', '%PDF-1.7'],
    ] as const) {
      writeFileAt(join(server.store, 'shown', file), bytes)
      const response = await server.request({ q: 'download', path: `/store/shown/${file}` })
      expect(response.text).toBe(bytes)
      expect(headersOf(response)).toMatchObject({ type: 'application/octet-stream', how: 'attachment' })
    }
  })
})

describe('files that browsers can show are shown:', () => {
  test('pictures are recognized by their bytes, not their names', async () => {
    const jpeg = await picture({ seed: 1 })
    for (const file of ['a.jpg', 'a.txt', 'a.html', 'a']) {
      const response = await storeAndPreview(file, jpeg)
      expect(headersOf(response)).toEqual({
        type: 'image/jpeg',
        how: 'inline',
        nosniff: 'nosniff',
        policy: "default-src 'none'; frame-ancestors 'self'; sandbox",
      })
      expect(response.bytes.equals(jpeg)).toBe(true)
    }
  })

  test('films, music and documents have their types', async () => {
    const of = async (file: string, bytes: string) =>
      headersOf(await storeAndPreview(file, Buffer.from(bytes, 'latin1'))).type
    expect(await of('a.mp4', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom')).toBe('video/mp4')
    expect(await of('a.mp3', 'ID3\x04\0\0')).toBe('audio/mpeg')
    expect(await of('b.mp3', '\xff\xfb\x90\x64\0\0\0\0')).toBe('audio/mpeg')
    expect(await of('a.flac', 'fLaC\0\0\0\x22')).toBe('audio/flac')
    expect(await of('a.wav', 'RIFF\0\0\0\0WAVEfmt ')).toBe('audio/wav')
    const document = await storeAndPreview('a.pdf', '%PDF-1.7 …')
    expect(headersOf(document)).toMatchObject({ type: 'application/pdf', how: 'inline' })
    expect(document.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(document.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  })

  test('texts in any language, and empty ones, are texts', async () => {
    expect(headersOf(await storeAndPreview('a.txt', 'Grüße, سلام, привет\r\n\ttext'))).toEqual(textHeaders)
    expect(headersOf(await storeAndPreview('latin.txt', Buffer.from('Gr\xfc\xdfe', 'latin1')))).toEqual(textHeaders)
    const empty = await storeAndPreview('empty.txt', '')
    expect([empty.status, empty.text, headersOf(empty).type]).toEqual([200, '', textHeaders.type])
  })
})

describe('the bytes of a file are sent', () => {
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251))
  beforeAll(() => writeFileAt(join(server.store, 'shown', 'bytes.bin'), bytes))

  for (const [range, status, from, to] of [
    ['bytes=0-9', 206, 0, 10],
    ['bytes=990-', 206, 990, 1000],
    ['bytes=-10', 206, 990, 1000],
    ['bytes=0-5000', 206, 0, 1000],
    ['bytes=0-1,5-6', 200, 0, 1000],
    ['lines=1-2', 200, 0, 1000],
    ['bytes=1000-', 416, 0, 0],
  ] as const) {
    test(`for the range ${range}, with status ${status}`, async () => {
      const response = await server.request({ q: 'download', path: '/store/shown/bytes.bin' }, 'bearer', {
        headers: { range },
      })
      expect(response.status).toBe(status)
      expect(response.bytes.equals(bytes.subarray(from, to))).toBe(true)
      if (status === 206) expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/1000`)
    })
  }

  test('again only when they have changed', async () => {
    const first = await preview('/store/shown/bytes.bin')
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"/)
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    expect((await preview('/store/shown/bytes.bin', { 'if-none-match': tag })).status).toBe(304)
    const part = { range: 'bytes=0-3', 'if-range': tag }
    expect((await preview('/store/shown/bytes.bin', part)).status).toBe(206)
    writeFileSync(join(server.store, 'shown', 'bytes.bin'), Buffer.concat([bytes, bytes]))
    expect((await preview('/store/shown/bytes.bin', { 'if-none-match': tag })).status).toBe(200)
    expect((await preview('/store/shown/bytes.bin', part)).status).toBe(200)
    writeFileSync(join(server.store, 'shown', 'bytes.bin'), bytes)
  })

  test('not for HEAD, which returns their length', async () => {
    for (const q of ['preview', 'download']) {
      const response = await server.request({ q, path: '/store/shown/bytes.bin' }, 'bearer', { method: 'HEAD' })
      expect([response.status, response.headers.get('content-length'), response.bytes.length]).toEqual([200, '1000', 0])
    }
    const listing = await server.request({ q: 'index', path: '/store' }, 'bearer', { method: 'HEAD' })
    expect([listing.status, listing.bytes.length]).toEqual([200, 0])
  })

  test('with the name of the file', async () => {
    writeFileAt(join(server.store, 'shown', 'Grüße "1" % سلام.txt'), 'x')
    const response = await server.request({ q: 'download', path: '/store/shown/Grüße "1" % سلام.txt' })
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Gr__e _1_ _ ____.txt"; filename*=UTF-8''${encodeURIComponent('Grüße "1" % سلام.txt')}`,
    )
  })

  test('only if it is a readable file', async () => {
    expect(await preview('/store/shown')).toMatchObject({
      status: 400,
      message: '/store/shown is a folder, not a file.',
    })
    expect((await preview('/store/shown/none.txt')).status).toBe(404)
    const fifo = join(server.store, 'shown', 'fifo')
    expect(Bun.spawnSync(['mkfifo', fifo]).exitCode).toBe(0)
    expect(await preview('/store/shown/fifo')).toMatchObject({
      status: 403,
      message: expect.stringContaining('neither'),
    })
    const locked = join(server.store, 'shown', 'locked.txt')
    writeFileAt(locked, 'x')
    chmodSync(locked, 0)
    // Root may read everything.
    const { status, message } = await preview('/store/shown/locked.txt')
    if (process.getuid?.() !== 0) expect([status, message]).toEqual([403, expect.stringContaining('permissions')])
    chmodSync(locked, 0o600)
  })
})

describe('a folder', () => {
  beforeAll(() => {
    const folder = join(server.store, 'taken along')
    for (const [path, bytes] of [
      ['a.txt', 'one'],
      ['sub/b.txt', 'two'],
      ['sub/Ünïcode.txt', 'three'],
    ] as const)
      writeFileAt(join(folder, path), bytes)
    mkdirSync(join(folder, 'empty'))
    symlinkSync('../../outside/secret.txt', join(folder, 'link'))
    symlinkSync('../../outside', join(folder, 'sub', 'dir-link'))
  })

  test('is downloaded as an archive of its content, without the targets of links', async () => {
    const response = await server.request({ q: 'download', path: '/store/taken along' })
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toContain('filename="taken along.zip"')
    const entries = unzip(response.bytes)
    expect(Object.keys(entries).sort()).toEqual([
      'Left out.txt',
      'taken along/a.txt',
      'taken along/empty/',
      'taken along/sub/b.txt',
      'taken along/sub/Ünïcode.txt',
    ])
    expect(entries['taken along/sub/b.txt']).toBe('two')
    expect(entries['Left out.txt']).toContain('taken along/link')
    expect(response.bytes.includes('outside')).toBe(false)
  })

  test('that contains the data directory is downloaded without it', async () => {
    const response = await server.request({ q: 'download', path: '/home' })
    expect(Object.keys(unzip(response.bytes))).toEqual(['home/letter.txt'])
  })

  test('can be downloaded again after aborted downloads, but the top cannot', async () => {
    for (let i = 0; i < 8; i++) {
      const response = await server.send({ q: 'download', path: '/store/taken along' })
      expect(response.status).toBe(200)
      await response.body?.cancel()
    }
    expect((await server.request({ q: 'download', path: '/' })).status).toBe(403)
  })

  test('is refused while two other archives are being downloaded', async () => {
    const held = await Promise.all([1, 2].map(() => server.send({ q: 'download', path: '/store/taken along' })))
    const third = await server.request({ q: 'download', path: '/store/taken along' })
    expect(third).toMatchObject({ status: 429, message: expect.stringContaining('still running') })
    expect(third.headers.get('retry-after')).toBe('30')
    await Promise.all(held.map(response => response.body?.cancel()))
  })
})

describe('a picture of the library', () => {
  test('has thumbnails of every size, and is sent as it is without a size', async () => {
    const bytes = await picture({ seed: 5, width: 900, height: 600 })
    writeFileAt(join(album.root, 'wide.jpg'), bytes)
    writeFileAt(join(album.root, 'note.txt'), 'x')
    await server.moving.scan(album)
    const path = `/${albumName}/wide.jpg`
    const whole = await preview(path)
    expect(whole.bytes.equals(bytes)).toBe(true)
    for (const size of ['tiny', 'small', 'medium', 'large']) {
      const { status, headers, bytes: small } = await server.request({ q: 'preview', path, size })
      expect([status, headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect((await sharp(small).metadata()).width).toBeLessThanOrEqual(900)
    }
    expect((await server.request({ q: 'preview', path: `/${albumName}/note.txt`, size: 'small' })).text).toBe('x')
    // An unknown size is ignored.
    expect((await server.request({ q: 'preview', path, size: 'huge' })).bytes.equals(bytes)).toBe(true)
  }, 30_000)

  test('that browsers cannot show is converted', async () => {
    const tiff = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
      .tiff()
      .toBuffer()
    writeFileAt(join(album.root, 'scan.tif'), tiff)
    await server.moving.scan(album)
    const response = await preview(`/${albumName}/scan.tif`)
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(await sharp(response.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 300, height: 200 })
    const download = await server.request({ q: 'download', path: `/${albumName}/scan.tif` })
    expect(download.bytes.equals(tiff)).toBe(true)
  }, 30_000)
})

describe('a picture that is no item', () => {
  const red = { create: { width: 900, height: 600, channels: 3, background: 'red' } } as const
  const loose = (name: string) => `/store/loose/${name}`
  const kept = () => new Bun.Glob('made/loose/renditions/*/*.webp').scanSync({ cwd: join(server.data, 'cache') })

  test('has a thumbnail, and is converted if browsers cannot show it', async () => {
    writeFileAt(join(server.store, 'loose/scan.tif'), await sharp(red).tiff().toBuffer())
    const { status, headers, bytes } = await server.request({ q: 'preview', path: loose('scan.tif'), size: 'small' })
    expect([status, headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(headers.get('content-security-policy')).toContain('sandbox')
    const { width = 0 } = await sharp(bytes).metadata()
    expect(width).toBeGreaterThan(100)
    expect(width).toBeLessThan(900)
    const shown = await preview(loose('scan.tif'))
    expect(shown.headers.get('content-type')).toBe('image/webp')
    expect(await sharp(shown.bytes).metadata()).toMatchObject({ width: 900, height: 600 })
    // The thumbnail is revalidated by its ETag.
    const etag = headers.get('etag') ?? ''
    const again = { headers: { 'if-none-match': etag } }
    const query = { q: 'preview', path: loose('scan.tif'), size: 'small' }
    expect((await server.request(query, 'bearer', again)).status).toBe(304)
    // Different content under the same name gets another thumbnail.
    writeFileAt(
      join(server.store, 'loose/scan.tif'),
      await sharp({ ...red, create: { ...red.create, height: 300 } })
        .tiff()
        .toBuffer(),
    )
    const other = await server.request(query, 'bearer', again)
    expect(other.status).toBe(200)
    const { width: wide = 1, height = 1 } = await sharp(other.bytes).metadata()
    expect(wide / height).toBeCloseTo(3, 1)
    const download = await server.request({ q: 'download', path: loose('scan.tif') })
    expect((await sharp(download.bytes).metadata()).format).toBe('tiff')
  }, 30_000)

  test('is sent as it is if it is small, and scaled down if it is large', async () => {
    const small = await picture({ seed: 7 })
    const noise = await sharp({ create: { ...red.create, noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
      .jpeg({ quality: 95 })
      .toBuffer()
    writeFileAt(join(server.store, 'loose/small.jpg'), small)
    writeFileAt(join(server.store, 'loose/large.jpg'), noise)
    const of = (path: string) => server.request({ q: 'preview', path: loose(path), size: 'small' })
    expect((await of('small.jpg')).bytes.equals(small)).toBe(true)
    const scaled = await of('large.jpg')
    expect(scaled.headers.get('content-type')).toBe('image/webp')
    expect(scaled.bytes.length).toBeLessThan(noise.length / 4)
    expect((await preview(loose('large.jpg'))).bytes.equals(noise)).toBe(true)
  }, 30_000)

  test('that cannot be decoded is sent as it is, and leaves nothing in the cache', async () => {
    const tiff = await sharp(red).tiff().toBuffer()
    writeFileAt(join(server.store, 'loose/broken.tif'), tiff.subarray(0, 60))
    const before = [...kept()].length
    for (let n = 0; n < 2; n++) {
      const response = await server.request({ q: 'preview', path: loose('broken.tif'), size: 'small' })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/tiff'])
      expect(response.bytes.length).toBe(60)
    }
    expect([...kept()].length).toBe(before)
  }, 30_000)
})
