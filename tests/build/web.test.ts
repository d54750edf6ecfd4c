import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { buildWeb, fetchPartsFirst, type WebBuild } from '../../build/web.ts'
import { loadWebAssets } from '../../server/web-assets.ts'
import { longTest } from '../support/long.ts'

// On an idle machine, a build keeps two processors busy for a second.
setDefaultTimeout(120_000)

let into: string
let build: WebBuild

beforeAll(async () => {
  into = mkdtempSync(join(tmpdir(), 'keepsake-build-'))
  build = await buildWeb({ onlyIfStale: true, into })
})
afterAll(() => rmSync(into, { recursive: true, force: true }))

test('every file that the page requests is built, and its compressed forms have the same content', async () => {
  const { files, index } = await loadWebAssets(into)
  // The script in the page names the files of the languages, too.
  const requested = [...index.matchAll(/"(\/[\w./-]+\.\w+)"/g)].map(([, path = '']) => path)
  expect(requested.filter(path => !files.has(path))).toEqual([])
  expect(requested.some(path => path.startsWith('/assets/') && path.endsWith('.js'))).toBe(true)
  for (const { read, br, gzip } of files.values()) {
    const plain = readFileSync(read.identity)
    if (br !== undefined) expect(brotliDecompressSync(readFileSync(read.br ?? '')).equals(plain)).toBe(true)
    if (gzip !== undefined) expect(gunzipSync(readFileSync(read.gzip ?? '')).equals(plain)).toBe(true)
  }
})

test('a lazy part is fetched with its missing imports before it is imported', () => {
  const scripts = new Map([
    ['/assets/main.js', 'import{a}from"/assets/shared.js";open(()=>import("/assets/map.js"))'],
    ['/assets/map.js', 'import{a}from"/assets/shared.js";import"/assets/leaflet.js";export{b}from"/assets/main.js"'],
    ['/assets/shared.js', ''],
    ['/assets/leaflet.js', ''],
  ])
  expect(fetchPartsFirst(scripts).get('/assets/main.js')).toBe(
    'import{a}from"/assets/shared.js";open(()=>fetchParts(["/assets/map.js","/assets/leaflet.js"]).then(()=>import("/assets/map.js")))',
  )
})

test('every lazy part of the pages is fetched before it is imported', async () => {
  const { files } = await loadWebAssets(into)
  const scripts = [...files].filter(([path]) => /^\/assets\/.*\.js$/.test(path))
  const lazyImports = scripts.flatMap(([, { read }]) =>
    [...readFileSync(read.identity, 'utf8').matchAll(/.{2}import\("\/assets\/[^"]+"\)/g)].map(([found]) => found),
  )
  expect(lazyImports.length).toBeGreaterThan(20)
  expect(lazyImports.filter(found => !found.startsWith('=>'))).toEqual([])
})

test('the style sheet follows `dir` and keeps colours inside pseudo-elements', async () => {
  const { files, index } = await loadWebAssets(into)
  const path = /href="(\/assets\/app-[^"]+\.css)"/.exec(index)?.[1] ?? ''
  const sheet = readFileSync(files.get(path)?.read.identity ?? '', 'utf8')
  expect(sheet).toContain('margin-inline-start')
  expect(sheet).not.toContain(':lang(')
  // A nested `&` does not work inside a pseudo-element.
  expect(sheet).not.toContain('&')
  expect(sheet).toMatch(/\.search-input::placeholder\{color:color-mix\(/)
})

test('files with hashed names are immutable, and files that manifests name keep their names', async () => {
  const { files } = await loadWebAssets(into)
  for (const [path, { immutable }] of files)
    expect({ path, immutable }).toEqual({ path, immutable: path.startsWith('/assets/') })
  for (const path of ['/favicon.svg', '/manifest.webmanifest', '/icon-192.png', '/apple-touch-icon.png'])
    expect(files.has(path)).toBe(true)
  const manifest: { icons: { src: string }[] } = JSON.parse(
    readFileSync(files.get('/manifest.webmanifest')?.read.identity ?? '', 'utf8'),
  )
  for (const { src } of manifest.icons) expect(files.has(src)).toBe(true)
})

test('does not build again while no source has changed', async () => {
  expect((await buildWeb({ onlyIfStale: true, into })).directory).toBe(build.directory)
})

longTest('two builds at once both succeed, and one of them becomes current', async () => {
  const both = await Promise.all([buildWeb({ onlyIfStale: false, into }), buildWeb({ onlyIfStale: false, into })])
  expect(both.map(({ directory }) => directory)).toContain(join(into, readFileSync(join(into, 'current'), 'utf8')))
  expect((await loadWebAssets(into)).files.size).toBeGreaterThan(5)
})

test('keeps the last builds for open pages; removes older ones and the leftovers of a killed build', async () => {
  const leftover = join(into, '.old-build-1')
  mkdirSync(leftover)
  utimesSync(leftover, 0, 0)
  for (const name of ['first', 'second']) cpSync(build.directory, join(into, name), { recursive: true })
  await buildWeb({ onlyIfStale: false, into })
  expect(existsSync(leftover)).toBe(false)
  expect(readdirSync(into).filter(name => name !== 'current')).toHaveLength(3)
})
