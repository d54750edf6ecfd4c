/** Makes `dist/keepsake`: one file that carries the web pages, the migrations, the native code and the licences. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtInFiles } from '../core/people/faces/built-in-files.ts'
import { encodingSuffix } from '../server/web-assets.ts'
import { convertNetworks } from './face-networks/convert.ts'
import { packageDirectoriesOf, thirdPartyNotices } from './packages.ts'
import { buildWeb, type WebBuild } from './web.ts'

const root = join(import.meta.dir, '..')
const distribution = join(root, 'dist')
const entry = join(root, 'cli/main.ts')

/** Modules for which the executable has generated source; `filter` matches the end of a module's path. */
type ReplacedModules = { filter: RegExp; source: () => string }[]

/** Import statements for files, as `f0`, `f1` and so on; each value is the file's path inside the executable. */
function importStatementsFor(paths: string[]): string {
  return paths.map((path, index) => `import f${index} from ${JSON.stringify(path)} with { type: 'file' }`).join('\n')
}

function webModuleSource({ directory, manifest }: WebBuild): string {
  const names = manifest.assets.flatMap(({ path, br, gzip }) => [
    path,
    ...(br === undefined ? [] : [path + encodingSuffix.br]),
    ...(gzip === undefined ? [] : [path + encodingSuffix.gzip]),
  ])
  const { assets, index, withoutScripts } = manifest
  return [
    importStatementsFor(names.map(name => join(directory, name))),
    'export const embeddedWeb = {',
    `  manifest: ${JSON.stringify({ assets, index, withoutScripts })},`,
    `  files: { ${names.map((name, number) => `${JSON.stringify(name)}: f${number}`).join(', ')} },`,
    '}',
  ].join('\n')
}

/**
 * Source that loads sharp's addon with the library that it links to, in the layout that the addon's RPATH expects:
 * `sharp-linux-x64/lib/…node` beside `sharp-libvips-linux-x64/lib/…so`. (On Windows both are in one folder.)
 */
function sharpModuleSource(): string {
  const packages = join(root, 'node_modules/@img')
  const folders = readdirSync(packages).filter(
    name => name.startsWith('sharp-') && existsSync(join(packages, name, 'lib')),
  )
  const files = folders.flatMap(folder =>
    readdirSync(join(packages, folder, 'lib'))
      .filter(name => /\.(node|dll)$|\.so(\.|$)|\.dylib$/.test(name))
      .map(name => `${folder}/lib/${name}`),
  )
  const addons = files.filter(name => name.endsWith('.node'))
  const [addon] = addons
  if (addon === undefined || addons.length > 1)
    throw new Error(`expected one addon of sharp for this platform, found ${addons.length}`)
  const hasher = new Bun.CryptoHasher('sha256')
  const carried = files.map((name, number) => {
    const bytes = readFileSync(join(packages, name))
    hasher.update(name).update(bytes)
    return `{ to: ${JSON.stringify(name)}, from: f${number}, size: ${bytes.length} }`
  })
  return [
    importStatementsFor(files.map(name => join(packages, name))),
    `import { loadEmbeddedAddon } from ${JSON.stringify(join(root, 'core/kernel/embedded-native.ts'))}`,
    'export default loadEmbeddedAddon({',
    `  version: '${hasher.digest('hex').slice(0, 16)}',`,
    `  files: [${carried.join(', ')}],`,
    `  addon: ${JSON.stringify(addon)},`,
    '})',
  ].join('\n')
}

/** Source that loads onnxruntime's addon for this platform with its library. */
function onnxModuleSource(): string {
  const folder = join(root, `node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`)
  // On a platform without an addon, the error below is thrown when faces are first searched for.
  const names = existsSync(folder)
    ? readdirSync(folder).filter(name => /\.(node|dll)$|\.so(\.|$)|\.dylib$/.test(name))
    : []
  const addon = names.find(name => name.endsWith('.node'))
  if (addon === undefined) return "throw new Error('ONNX Runtime has nothing for this platform')"
  const hasher = new Bun.CryptoHasher('sha256')
  const carried = names.map((name, number) => {
    const bytes = readFileSync(join(folder, name))
    hasher.update(name).update(bytes)
    return `{ to: ${JSON.stringify(name)}, from: f${number}, size: ${bytes.length} }`
  })
  return [
    importStatementsFor(names.map(name => join(folder, name))),
    `import { loadEmbeddedAddon } from ${JSON.stringify(join(root, 'core/kernel/embedded-native.ts'))}`,
    "import { Tensor } from 'onnxruntime-common'",
    'export const binding = loadEmbeddedAddon({',
    `  version: '${hasher.digest('hex').slice(0, 16)}',`,
    `  files: [${carried.join(', ')}],`,
    `  addon: ${JSON.stringify(addon)},`,
    '})',
    // Log level 3: errors and worse. ONNX Runtime may be initialised only once per process.
    'let isReady = false',
    'export function initOrt() {',
    '  if (!isReady) binding.initOrtOnce(3, Tensor, true)',
    '  isReady = true',
    '}',
  ].join('\n')
}

function networksModuleSource(): string {
  convertNetworks()
  return [
    importStatementsFor(Object.values(builtInFiles)),
    `export const builtInFiles = { ${Object.keys(builtInFiles)
      .map((name, number) => `'${name}': f${number}`)
      .join(', ')} }`,
  ].join('\n')
}

function replaceModules(swaps: ReplacedModules): Bun.BunPlugin {
  return {
    name: 'swap-modules',
    setup(build) {
      for (const { filter, source } of swaps) build.onLoad({ filter }, () => ({ contents: source(), loader: 'ts' }))
      // Ink imports react-devtools-core only when DEV is set, but the bundler must find it.
      build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'absent' }))
      build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'export default {}', loader: 'js' }))
    },
  }
}

function buildOptions(web: WebBuild, notices: string | null): Bun.BuildConfig {
  return {
    entrypoints: [entry],
    root,
    target: 'bun',
    format: 'esm',
    // A command imports its modules when it runs: they are chunks, and --help reads none of them.
    splitting: true,
    // Names and source map are kept, so that stack traces are readable. Neither costs time
    // (docs/decisions/025-executable.md).
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: 'linked',
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.KEEPSAKE_BUILT': JSON.stringify(new Date().toISOString().slice(0, 10)),
    },
    plugins: [
      replaceModules([
        { filter: /\/server\/embedded-web\.ts$/, source: () => webModuleSource(web) },
        { filter: /\/core\/people\/faces\/built-in-files\.ts$/, source: networksModuleSource },
        { filter: /\/node_modules\/onnxruntime-node\/dist\/binding\.js$/, source: onnxModuleSource },
        { filter: /\/node_modules\/sharp\/dist\/sharp\.[cm]js$/, source: sharpModuleSource },
        {
          filter: /\/cli\/third-party-notices\.ts$/,
          source: () =>
            notices === null
              ? 'export const noticesFile = null'
              : `import file from ${JSON.stringify(notices)} with { type: 'file' }\nexport const noticesFile = file`,
        },
      ]),
    ],
  }
}

/** Writes the notices of all packages in the executable. Bundles once in memory to find out which these are. */
async function writeNotices(web: WebBuild): Promise<string> {
  const { metafile } = await Bun.build({ ...buildOptions(web, null), sourcemap: 'none', metafile: true })
  const packages = [...packageDirectoriesOf(Object.keys(metafile?.inputs ?? {})), ...web.manifest.packages]
  const path = join(distribution, 'THIRD-PARTY-NOTICES.txt')
  writeFileSync(path, thirdPartyNotices(packages))
  return path
}

/** Builds `dist/keepsake` for the current platform; the old file stays until the new one is complete. */
export async function buildExecutable(): Promise<void> {
  const started = performance.now()
  const web = await buildWeb({ onlyIfStale: false })
  const name = process.platform === 'win32' ? 'keepsake.exe' : 'keepsake'
  // The program's main module is named after the file, so the temporary file has the final name, in its own directory.
  const temporary = join(distribution, `.executable-${process.pid}`)
  mkdirSync(temporary, { recursive: true })
  try {
    const notices = await writeNotices(web)
    const result = await Bun.build({
      ...buildOptions(web, notices),
      bytecode: true,
      compile: {
        outfile: join(temporary, name),
        // Users start it in directories of photographs: nothing there may set its environment or load code.
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
    })
    for (const log of result.logs) console.warn(log.message)
    const path = join(distribution, name)
    renameSync(join(temporary, name), path)
    console.log(
      `dist/${name} built in ${((performance.now() - started) / 1000).toFixed(1)} s: ${Math.round(statSync(path).size / 1_000_000)} MB.`,
    )
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
