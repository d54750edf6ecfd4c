/** Bundles `web/index.html` into `dist/web`: files get hashed names and are compressed; one step makes them current. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, parse, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { encodingSuffix, type WebAsset, type WebManifest, webDirectory } from '../server/web-assets.ts'
import type { ServerMessage } from '../web/texts/language/server-messages.ts'
import { firstScript, languageCodes, languageScript, translationOf } from './languages.ts'
import { packageDirectoriesOf } from './packages.ts'

const root = join(import.meta.dir, '..')
const source = join(root, 'web')
/** Files of this folder keep their names, by which browsers and manifests request them. */
const publicFolder = join(source, 'public')

/** Old builds are kept, as open pages may still load their parts. */
const buildsToKeep = 3

/** Drawn from `favicon.svg` for clients that need pixels; `inset`: the margin, as a fraction of the side. */
const icons = [
  { name: 'icon-192.png', pixels: 192, inset: 0 },
  { name: 'icon-512.png', pixels: 512, inset: 0 },
  { name: 'icon-maskable-512.png', pixels: 512, inset: 0.1 },
  { name: 'apple-touch-icon.png', pixels: 180, inset: 0.08 },
] as const
/** The background of `favicon.svg`, for the area outside its rounded corners. */
const iconBackground = '#191817'

const compressible = /^(text\/|application\/(javascript|json|manifest\+json|wasm)|image\/svg)/
const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** What the build adds to the server's manifest. */
interface BuildNotes {
  packages: string[]
}

export interface WebBuild {
  /** Absolute. */
  directory: string
  manifest: WebManifest & BuildNotes
}

function filesIn(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/** A hash of everything that the output depends on. */
function hashOfSources(): string {
  const hasher = new Bun.CryptoHasher('sha256')
  const schema = filesIn(join(root, 'schema')).filter(path => !/schema\/(tables|migrations)\//.test(path))
  const rest = ['bun.lock', 'build/web.ts', 'build/languages.ts', 'server/web-assets.ts'].map(name => join(root, name))
  for (const path of [...filesIn(source), ...schema, ...rest]) {
    const content = readFileSync(path)
    hasher.update(`${relative(root, path)}\0${content.length}\0`).update(content)
  }
  return hasher.update(Bun.version).digest('hex').slice(0, 16)
}

/** The current build; null when there is no complete one. */
function currentBuild(into: string): WebBuild | null {
  const pointer = join(into, 'current')
  if (!existsSync(pointer)) return null
  const directory = join(into, readFileSync(pointer, 'utf8').trim())
  const manifest = join(directory, 'manifest.json')
  return existsSync(manifest) ? { directory, manifest: JSON.parse(readFileSync(manifest, 'utf8')) } : null
}

function mediaTypeOf(path: string): string {
  return path.endsWith('.webmanifest') ? 'application/manifest+json' : Bun.file(path).type
}

async function drawIcons(svg: Uint8Array): Promise<Map<string, Uint8Array>> {
  const { default: sharp } = await import('sharp')
  const drawn = icons.map(async ({ name, pixels, inset }) => {
    const margin = Math.round(pixels * inset)
    const inner = pixels - 2 * margin
    const picture = sharp(svg, { density: (72 * pixels) / 32 }).resize(inner, inner)
    const extended =
      margin === 0
        ? picture
        : picture.flatten({ background: iconBackground }).extend({
            top: margin,
            bottom: margin,
            left: margin,
            right: margin,
            background: iconBackground,
          })
    return [name, new Uint8Array(await extended.png({ compressionLevel: 9, palette: true }).toBuffer())] as const
  })
  return new Map(await Promise.all(drawn))
}

/** Files whose names stay: those of `web/public`, the service worker, and the icons. */
async function publicFiles(): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  for (const path of filesIn(publicFolder)) files.set(relative(publicFolder, path), readFileSync(path))
  // The service worker's name must never change, and it must be at the root of all paths that it controls.
  const { outputs } = await Bun.build({
    entrypoints: [join(source, 'service-worker.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  for (const output of outputs) files.set('service-worker.js', new Uint8Array(await output.arrayBuffer()))
  const favicon = files.get('favicon.svg')
  if (favicon !== undefined) for (const [name, bytes] of await drawIcons(favicon)) files.set(name, bytes)
  return files
}

/** Writes a file and its compressed forms, where they are smaller. */
async function store(directory: string, path: string, bytes: Uint8Array, immutable: boolean): Promise<WebAsset> {
  const target = join(directory, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, bytes)
  const type = mediaTypeOf(target)
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 20)
  const asset: WebAsset = { path, type, hash, size: bytes.length, immutable }
  // A file below a kilobyte fits into one packet anyway.
  if (bytes.length < 1024 || !compressible.test(type)) return asset
  const [br, gz] = await Promise.all([
    compress.br(bytes, { params: { [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    compress.gzip(bytes, { level: 9 }),
  ])
  for (const [encoding, compressed] of [
    ['br', br],
    ['gzip', gz],
  ] as const) {
    if (compressed.length > bytes.length * 0.95) continue
    writeFileSync(target + encodingSuffix[encoding], compressed)
    asset[encoding] = compressed.length
  }
  return asset
}

/** `href="/favicon.svg"` in the page is an address of the server: such names stay unchanged. */
function keepAddresses(names: ReadonlySet<string>): Bun.BunPlugin {
  return {
    name: 'keep-addresses',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, importer }) => {
        if (!importer.endsWith('index.html')) return undefined
        // The bundler has already resolved the address to a path in the working directory.
        const name = relative(process.cwd(), path)
        return names.has(name) ? { path: `/${name}`, external: true } : undefined
      })
    },
  }
}

/** Workers of the page, by the names that its code uses for their addresses. */
const workers = { clusterWorker: 'map/cluster-worker.ts', faceWorker: 'faces/face-worker.ts' } as const
/** Data files, by such names. Not bundled, since Tailwind would take a minute to search them for class names. */
const dataFiles = { worldAtlas: 'world-atlas/countries-50m.json' } as const
const models = '@vladmandic/human/models'
/** Files that request each other by name, so they are in one folder, whose name contains a hash of all of them. */
const fileFolders = {
  faceFiles: [
    '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm',
    ...['blazeface', 'facemesh', 'faceres'].flatMap(name => [`${models}/${name}.json`, `${models}/${name}.bin`]),
  ],
} as const

interface Prerequisites {
  /** The script that runs first, inside the page. */
  first: string
  files: Map<string, Uint8Array>
  define: Record<string, string>
}

/** The texts of each language as a script, and the script that chooses one of them. */
async function buildLanguages(): Promise<{ code: string; files: Map<string, Uint8Array> }> {
  const files = new Map<string, Uint8Array>()
  const addresses: Record<string, string> = {}
  for (const code of languageCodes()) {
    const script = await languageScript(code)
    const named = `assets/language-${code}-${Bun.hash(script).toString(36)}.js`
    files.set(named, new TextEncoder().encode(script))
    addresses[code] = `/${named}`
  }
  return { code: await firstScript(addresses), files }
}

/** The text of `index.html` for browsers without scripts, by language. */
async function textsWithoutScripts(): Promise<Record<string, string>> {
  const translations = await Promise.all(languageCodes().map(async code => [code, await translationOf(code)] as const))
  const english = 'Keepsake needs JavaScript.' satisfies ServerMessage
  return Object.fromEntries(translations.map(([code, { server }]) => [code, String(server?.[english] ?? english)]))
}

/** Builds workers, data and languages first: the page's code has to know their names. */
async function buildPrerequisites(): Promise<Prerequisites> {
  const files = new Map<string, Uint8Array>()
  const define: Record<string, string> = {}
  for (const [name, path] of Object.entries(workers)) {
    const { outputs } = await Bun.build({
      entrypoints: [join(source, path)],
      target: 'browser',
      minify: true,
      naming: { entry: 'assets/[name]-[hash].[ext]' },
    })
    const [output] = outputs
    if (output === undefined) throw new Error(`${path} produced no output`)
    const named = output.path.replace(/^\.\//, '')
    files.set(named, new Uint8Array(await output.arrayBuffer()))
    define[name] = JSON.stringify(`/${named}`)
  }
  for (const [name, path] of Object.entries(dataFiles)) {
    const bytes = readFileSync(join(root, 'node_modules', path))
    const { name: stem, ext } = parse(path)
    const named = `assets/${stem}-${Bun.hash(bytes).toString(36)}${ext}`
    files.set(named, bytes)
    define[name] = JSON.stringify(`/${named}`)
  }
  for (const [name, paths] of Object.entries(fileFolders)) {
    const all = paths.map(path => ({ path, bytes: readFileSync(join(root, 'node_modules', path)) }))
    const hasher = new Bun.CryptoHasher('sha256')
    for (const { path, bytes } of all) hasher.update(`${path}\0${bytes.length}\0`).update(bytes)
    const folder = `assets/${name}-${hasher.digest('hex').slice(0, 12)}`
    for (const { path, bytes } of all) files.set(`${folder}/${basename(path)}`, bytes)
    define[name] = JSON.stringify(`/${folder}/`)
  }
  const { code: first, files: languages } = await buildLanguages()
  for (const [path, bytes] of languages) files.set(path, bytes)
  return { files, define, first }
}

/** Removes zod's JSON Schema, 5 kB of the first load: the pages only check values with zod. */
const withoutJsonSchema: Bun.BunPlugin = {
  name: 'without-json-schema',
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/ }, async ({ path }) => {
      const { exports } = new Bun.Transpiler({ loader: 'js' }).scan(await Bun.file(path).text())
      return { contents: exports.map(name => `export const ${name} = () => () => {}`).join('\n'), loader: 'js' }
    })
  },
}

async function bundle(names: ReadonlySet<string>, define: Record<string, string>): Promise<Bun.BuildOutput> {
  const { default: tailwind } = await import('bun-plugin-tailwind')
  const result = await Bun.build({
    entrypoints: [join(source, 'index.html')],
    root: source,
    target: 'browser',
    minify: true,
    splitting: true,
    // Each chunk is a request, and small ones compress badly.
    minChunkSize: 16_384,
    metafile: true,
    // A failed preload makes the import fail until the page is reloaded: see `fetchPartsFirst`.
    modulePreload: false,
    publicPath: '/',
    naming: { entry: '[name].[ext]', chunk: 'assets/[name]-[hash].[ext]', asset: 'assets/[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"', ...define },
    plugins: [keepAddresses(names), withoutJsonSchema, tailwind],
  })
  for (const log of result.logs) {
    // Bun warns about @property inside @layer, but its output is correct.
    if (!log.message.includes("'@property'")) console.warn(log.message)
  }
  return result
}

/** The addresses of scripts that `pattern` finds in this code. */
function addressesIn(code: string, pattern: RegExp): string[] {
  return [...code.matchAll(pattern)].flatMap(([, address]) => address ?? [])
}

/** Puts `fetchParts` before each `import()` of a part, with the part's own imports: see `web/kit/fetch-parts.ts`. */
export function fetchPartsFirst(scripts: ReadonlyMap<string, string>): Map<string, string> {
  const closureOf = (address: string, found = new Set<string>()): Set<string> => {
    if (found.has(address)) return found
    found.add(address)
    for (const next of addressesIn(scripts.get(address) ?? '', /(?:from|import)"(\/assets\/[^"]+\.js)"/g)) {
      closureOf(next, found)
    }
    return found
  }
  const rewrite = (from: string, code: string) => {
    const alreadyLoaded = closureOf(from)
    return code.replace(/\bimport\("(\/assets\/[^"]+\.js)"\)/g, (call, address: string) => {
      const missing = [...closureOf(address)].filter(one => !alreadyLoaded.has(one))
      return `fetchParts(${JSON.stringify(missing)}).then(()=>${call})`
    })
  }
  return new Map([...scripts].map(([address, code]) => [address, rewrite(address, code)]))
}

/** The oldest browsers that Tailwind 4 supports, in Lightning CSS's form. */
const browsers = { chrome: 111 << 16, firefox: 128 << 16, safari: (16 << 16) | (4 << 8) }

/**
 * The page's style sheet. For target `browser`, Bun writes it for browsers of 2020: each logical property
 * (`margin-inline-start`) becomes one rule per direction, which depends on the language (`:lang()`) instead of `dir`,
 * and the sheet doubles in size. So Bun only collects the sheet (target `bun`), and Lightning CSS writes it. Lightning
 * CSS also resolves nesting, which has no effect inside `::placeholder`.
 */
async function styleSheet(): Promise<Uint8Array> {
  const { default: tailwind } = await import('bun-plugin-tailwind')
  const { Features, transform } = await import('lightningcss')
  const { outputs } = await Bun.build({
    entrypoints: [join(source, 'app.css')],
    root: source,
    target: 'bun',
    publicPath: '/',
    plugins: [tailwind],
  })
  const sheet = outputs.find(({ path }) => path.endsWith('.css'))
  if (sheet === undefined) throw new Error('app.css produced no output')
  const code = new Uint8Array(await sheet.arrayBuffer())
  return transform({ filename: 'app.css', code, minify: true, targets: browsers, exclude: Features.DirSelector }).code
}

/** Removes old builds and what interrupted ones left; the newest builds stay, because open pages may use them. */
function removeOldBuilds(into: string, keep: string) {
  const builds = readdirSync(into)
    .filter(name => name !== 'current' && name !== keep)
    .map(name => ({ name, at: statSync(join(into, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
  const anHourAgo = Date.now() - 3_600_000
  const old = builds.filter(({ name, at }, index) =>
    name.startsWith('.') ? at < anHourAgo : index >= buildsToKeep - 1,
  )
  for (const { name } of old) rmSync(join(into, name), { recursive: true, force: true })
}

/**
 * Builds the pages and makes them current. With `onlyIfStale`, only when a source has changed. Two processes may do so
 * at once: each writes a directory of its own and then changes the pointer.
 */
export async function buildWeb({
  onlyIfStale,
  into = webDirectory,
}: {
  onlyIfStale: boolean
  into?: string
}): Promise<WebBuild> {
  const sourceHash = hashOfSources()
  const previousBuild = currentBuild(into)
  if (onlyIfStale && previousBuild?.directory.includes(sourceHash)) return previousBuild

  const started = performance.now()
  const unhashedFiles = await publicFiles()
  const prerequisites = await buildPrerequisites()
  const { outputs, metafile } = await bundle(new Set(['first.js', ...unhashedFiles.keys()]), prerequisites.define)

  const name = `${sourceHash}-${Date.now().toString(36)}${crypto.randomUUID().slice(0, 4)}`
  const temporary = join(into, `.${name}`)
  mkdirSync(temporary, { recursive: true })
  const pathOf = (output: Bun.BuildArtifact) => output.path.replace(/^\.\//, '')
  let index = (await outputs.find(output => pathOf(output) === 'index.html')?.text()) ?? ''
  index = index.replace(
    /<script[^>]* src="\/first\.js"[^>]*><\/script>/,
    () => `<script>${prerequisites.first}</script>`,
  )
  const storing: Promise<WebAsset>[] = []
  const scripts = outputs.filter(({ path }) => path.endsWith('.js'))
  const rewritten = fetchPartsFirst(
    new Map(await Promise.all(scripts.map(async output => [`/${pathOf(output)}`, await output.text()] as const))),
  )
  for (const output of outputs) {
    const path = pathOf(output)
    if (path === 'index.html') continue
    // The page's own sheet; the others are loaded later as files.
    if (path.endsWith('.css') && index.includes(path)) {
      const sheet = await styleSheet()
      const named = `assets/app-${Bun.hash(sheet).toString(36)}.css`
      index = index.replaceAll(path, named)
      storing.push(store(temporary, named, sheet, true))
      continue
    }
    const script = rewritten.get(`/${path}`)
    const bytes = script === undefined ? await output.arrayBuffer() : new TextEncoder().encode(script)
    storing.push(store(temporary, path, new Uint8Array(bytes), true))
  }
  for (const [path, bytes] of prerequisites.files) storing.push(store(temporary, path, bytes, true))
  for (const [path, bytes] of unhashedFiles) storing.push(store(temporary, path, bytes, false))
  const packages = [
    ...packageDirectoriesOf(Object.keys(metafile?.inputs ?? {})),
    join(root, 'node_modules/tailwindcss'),
    join(root, 'node_modules/daisyui'),
    join(root, 'node_modules/world-atlas'),
    join(root, 'node_modules/supercluster'),
    join(root, 'node_modules/kdbush'),
    join(root, 'node_modules/@vladmandic/human'),
    join(root, 'node_modules/@tensorflow/tfjs-core'),
    join(root, 'node_modules/@tensorflow/tfjs-backend-wasm'),
  ]
  const manifest = { assets: await Promise.all(storing), index, withoutScripts: await textsWithoutScripts(), packages }
  writeFileSync(join(temporary, 'manifest.json'), JSON.stringify(manifest))

  const directory = join(into, name)
  renameSync(temporary, directory)
  const pointer = join(into, `.current-${name}`)
  writeFileSync(pointer, name)
  renameSync(pointer, join(into, 'current'))
  removeOldBuilds(into, name)

  const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`
  const sum = (sizeOf: (asset: WebAsset) => number) =>
    kilobytes(manifest.assets.reduce((total, asset) => total + sizeOf(asset), 0))
  console.log(
    `Web pages built in ${Math.round(performance.now() - started)} ms: ${manifest.assets.length} files, ${sum(asset => asset.size)}, ${sum(asset => asset.br ?? asset.size)} as brotli.`,
  )
  return { directory, manifest }
}
