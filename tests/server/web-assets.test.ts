import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { loadWebAssets, renderIndex, type WebAssets, webAssetResponse } from '../../server/web-assets.ts'

const script = "document.documentElement.dataset.theme = 'keepsake-dark'"
const page = `<!doctype html><html lang="en"><head><meta name="csrf-token" content="" /><script>${script}</script></head><body><noscript>Needs scripts.</noscript></body></html>`
const code = `export const words = '${'keepsake '.repeat(400)}'\n`

let directory: string
let assets: WebAssets
let server: Bun.Server<undefined>

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'keepsake-web-'))
  const build = join(directory, 'one')
  mkdirSync(join(build, 'assets'), { recursive: true })
  const br = brotliCompressSync(code)
  const gzip = gzipSync(code)
  writeFileSync(join(build, 'assets/index-abc.js'), code)
  writeFileSync(join(build, 'assets/index-abc.js.br'), br)
  writeFileSync(join(build, 'assets/index-abc.js.gz'), gzip)
  writeFileSync(join(build, 'favicon.svg'), '<svg/>')
  const manifest = {
    index: page,
    withoutScripts: { de: 'Braucht Skripte.', fa: 'اسکریپت لازم است.' },
    packages: ['for the build only'],
    assets: [
      {
        path: 'assets/index-abc.js',
        type: 'text/javascript',
        hash: 'abc',
        size: code.length,
        br: br.length,
        gzip: gzip.length,
        immutable: true,
      },
      { path: 'favicon.svg', type: 'image/svg+xml', hash: 'fav', size: 6, immutable: false },
    ],
  }
  writeFileSync(join(build, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(directory, 'current'), 'one')
  assets = await loadWebAssets(directory)
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: request =>
      webAssetResponse(assets, request, () => ({ csrf: 'secret"value' })) ?? new Response('elsewhere', { status: 418 }),
  })
})

afterAll(() => {
  server.stop(true)
  rmSync(directory, { recursive: true, force: true })
})

function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return fetch(new URL(path, server.url), {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    decompress: false,
  })
}

describe('files', () => {
  test('a hashed file is cached forever', async () => {
    const response = await get('/assets/index-abc.js')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toBe('text/javascript')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(await response.text()).toBe(code)
  })

  test('a file without a hash is revalidated each time', async () => {
    const response = await get('/favicon.svg')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(await response.text()).toBe('<svg/>')
  })

  for (const [accept, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0', null],
    ['identity', null],
  ] as const) {
    test(`'Accept-Encoding: ${accept}' returns ${encoding ?? 'no encoding'}`, async () => {
      const response = await get('/assets/index-abc.js', { 'accept-encoding': accept })
      expect(response.headers.get('content-encoding')).toBe(encoding)
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      const bytes = new Uint8Array(await response.arrayBuffer())
      const plain = { br: brotliCompressSync(code), gzip: gzipSync(code) }
      expect(Bun.hash(bytes)).toBe(Bun.hash(encoding === null ? code : plain[encoding]))
    })
  }

  test('each encoding has its own ETag, which returns 304 without a body', async () => {
    const plain = await get('/assets/index-abc.js')
    const brotli = await get('/assets/index-abc.js', { 'accept-encoding': 'br' })
    const etag = brotli.headers.get('etag') ?? ''
    expect(etag).not.toBe(plain.headers.get('etag'))
    const again = await get('/assets/index-abc.js', { 'accept-encoding': 'br', 'if-none-match': `"other", W/${etag}` })
    expect(again.status).toBe(304)
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('cache-control')).toContain('immutable')
    expect(await again.text()).toBe('')
    const other = await get('/assets/index-abc.js', { 'if-none-match': etag })
    expect(other.status).toBe(200)
  })

  test('HEAD returns the length of a GET response', async () => {
    const response = await get('/assets/index-abc.js', {}, 'HEAD')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(code.length))
    expect(await response.text()).toBe('')
  })

  for (const path of ['/assets/index-old.js', '/assets/', '/assets/no-ending', '/robots.txt', '/deep/er/picture.png']) {
    test(`missing ${path} returns 404 and not the page`, async () => {
      const response = await get(path)
      expect(response.status).toBe(404)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.text()).toBe('Not found\n')
    })
  }

  test('no address leads out of the folder', async () => {
    for (const path of ['/assets/../one/manifest.json', '/..%2fcurrent', '/%2e%2e/current', '/manifest.json']) {
      expect(await (await get(path)).text()).not.toContain('for the build only')
    }
  })
})

describe('the page', () => {
  for (const path of ['/', '/item/12', '/on-this-day', '/admin/metadata', '/share/0f3a']) {
    test(`${path} returns the page`, async () => {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('private, no-cache')
      expect(await response.text()).toContain('<!doctype html>')
    })
  }

  test("contains the session's CSRF value, escaped", async () => {
    expect(await (await get('/')).text()).toContain('<meta name="csrf-token" content="secret&quot;value" />')
    expect(renderIndex(assets)).toContain('<meta name="csrf-token" content="" />')
    expect(renderIndex(assets, { csrf: '$&$1' })).toContain('content="$&amp;$1"')
  })

  test("is in the best of the browser's languages that there is, with a text for browsers without scripts", async () => {
    const inLanguages = async (languages: string) => (await get('/', { 'accept-language': languages })).text()
    const persian = await inLanguages('pt-BR, de;q=0.5, fa-IR;q=0.8')
    expect(persian).toContain('<html lang="fa-IR" dir="rtl"')
    expect(persian).toContain('<noscript>اسکریپت لازم است.</noscript>')
    expect(await inLanguages('de-AT, en')).toContain('<html lang="de-AT" dir="ltr"')
    expect(await inLanguages('pt-BR, "><b>')).toContain('<html lang="en" dir="ltr"')
    expect((await get('/')).headers.get('vary')).toContain('Accept-Language')
  })

  test('may not be framed, and runs only our own scripts', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? ''
    const hash = new Bun.CryptoHasher('sha256').update(script).digest('base64')
    expect(policy).toContain(`script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}';`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('https:')
  })

  test('returns 304 until the session changes', async () => {
    const etag = (await get('/')).headers.get('etag') ?? ''
    expect((await get('/item/3', { 'if-none-match': etag })).status).toBe(304)
    const asSomebodyElse = new Request(new URL('/', server.url).href, { headers: { 'if-none-match': etag } })
    expect(webAssetResponse(assets, asSomebodyElse, () => ({ csrf: 'other' }))?.status).toBe(200)
  })

  test('has its length in a HEAD response', async () => {
    const whole = (await (await get('/')).arrayBuffer()).byteLength
    expect((await get('/', {}, 'HEAD')).headers.get('content-length')).toBe(String(whole))
  })
})

test('API calls and other methods are left to the rest of the server', async () => {
  for (const path of ['/v1/nothing', '/v1', '/config/runtime.json']) expect((await get(path)).status).toBe(418)
  expect((await get('/', {}, 'POST')).status).toBe(418)
})

test('without built pages a response names the missing build', async () => {
  const none = await loadWebAssets(join(directory, 'nowhere'))
  const response = webAssetResponse(none, new Request('http://localhost/'))
  expect((await response?.text()) ?? '').toContain('bun build.ts web')
})
