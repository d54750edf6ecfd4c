/**
 * `npm run dev` loads this before `keepsake serve`: it makes sample pictures and an account if there are none, and has
 * Bun bundle the pages on request, with hot reload. The addresses in `files` below are also in `define` of bunfig.toml.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { development } from '../server/development.ts'
import page from '../web/index.html'
import { firstScript, languageCodes, languageScript, pseudoLanguage } from './languages.ts'

const root = join(import.meta.dir, '..')
const modules = join(root, 'node_modules')
const home = process.env.DEV_DIRECTORY ?? join(root, '.keepsake')
const data = join(home, 'dev')
const pictures = join(home, 'dev-pictures')
const account = { name: 'dev', password: 'keepsake' }

/** Draws pictures in several colours, dated within four years: enough to scroll and search. */
async function drawPictures(count: number): Promise<void> {
  const { default: sharp } = await import('sharp')
  mkdirSync(pictures, { recursive: true })
  for (let n = 1; n <= count; n++) {
    const [width, height] = n % 3 === 0 ? [800, 1200] : [1200, 800]
    const hue = (n * 47) % 360
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <rect width="100%" height="100%" fill="hsl(${hue} 45% 55%)"/>
      <circle cx="${(n * 173) % width}" cy="${(n * 97) % height}" r="${140 + (n % 5) * 40}" fill="hsl(${hue + 40} 70% 75%)"/>
      <rect y="${height * 0.7}" width="100%" height="30%" fill="hsl(${hue + 180} 30% 35%)"/>
    </svg>`
    const date = new Date(Date.UTC(2021, n, (n * 7) % 28, 9 + (n % 9))).toISOString().slice(0, 19)
    await sharp(Buffer.from(drawing))
      .withExif({
        IFD0: { ImageDescription: `Sample ${n}` },
        IFD2: { DateTimeOriginal: date.replaceAll('-', ':').replace('T', ' ') },
      })
      .jpeg()
      .toFile(join(pictures, `sample-${String(n).padStart(2, '0')}.jpg`))
  }
}

function createAccount(): void {
  const command = [
    process.execPath,
    join(root, 'cli/main.ts'),
    '--data',
    data,
    'user',
    'create',
    account.name,
    '--admin',
  ]
  const { exitCode, stderr } = Bun.spawnSync(command, { stdin: Buffer.from(account.password) })
  if (exitCode !== 0) throw new Error(stderr.toString())
}

async function bundleWorker(path: string): Promise<Response> {
  const { outputs } = await Bun.build({ entrypoints: [join(root, 'web', path)], target: 'browser' })
  return new Response(outputs[0])
}

const faceFiles = [
  '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm',
  ...['blazeface', 'facemesh', 'faceres'].flatMap(name =>
    ['json', 'bin'].map(end => `@vladmandic/human/models/${name}.${end}`),
  ),
]
/** Reads the file again on each request, so that a changed text is there after a reload. */
async function devLanguage(code: string): Promise<Response> {
  return scriptResponse(await languageScript(code, `?at=${Date.now()}`))
}

const scriptResponse = (code: string) => new Response(code, { headers: { 'Content-Type': 'text/javascript' } })
const devLanguages = [...languageCodes(), pseudoLanguage]
const languageAddress = (code: string) => `/dev/languages/${code}.js`
const serveFile = (path: string) => async () => new Response(Bun.file(join(modules, path)))

if (!existsSync(pictures)) await drawPictures(48)
if (!existsSync(data)) createAccount()
console.log(`Sign in as '${account.name}' with the password '${account.password}'.`)
development.pages = {
  page,
  files: {
    '/first.js': async () =>
      scriptResponse(await firstScript(Object.fromEntries(devLanguages.map(code => [code, languageAddress(code)])))),
    ...Object.fromEntries(devLanguages.map(code => [languageAddress(code), () => devLanguage(code)])),
    '/dev/cluster-worker.js': () => bundleWorker('map/cluster-worker.ts'),
    '/dev/face-worker.js': () => bundleWorker('faces/face-worker.ts'),
    '/dev/countries.json': serveFile('world-atlas/countries-50m.json'),
    ...Object.fromEntries(faceFiles.map(path => [`/dev/faces/${basename(path)}`, serveFile(path)])),
  },
}
