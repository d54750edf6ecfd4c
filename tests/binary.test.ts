import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtInFiles } from '../core/people/faces/built-in-files.ts'
import { createClient } from '../schema/client.ts'
import { samplesDirectory } from './support/samples.ts'
import { projectRoot } from './support/source-tree.ts'

/** The executable to test; `bun tests/run.ts --binary dist/keepsake` names it. */
const binary = process.env.KEEPSAKE_BINARY
const samples = samplesDirectory()

/** The directory of the executable: it contains nothing else, and no folder above it has a node_modules. */
let programDirectory: string
let home: string

/** The environment of a new user: an empty home and no variables of Keepsake. */
function environment(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8', ...more }
}

function run(args: string[], options: { env?: Record<string, string>; input?: string; cwd?: string } = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([join(programDirectory, 'keepsake'), ...args], {
    cwd: options.cwd ?? programDirectory,
    env: options.env ?? environment(),
    stdin: options.input === undefined ? 'ignore' : new TextEncoder().encode(options.input),
  })
  return { code: exitCode, out: stdout.toString(), error: stderr.toString() }
}

function parseLines(lines: string): Record<string, unknown>[] {
  return lines
    .trim()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

/** The first line that a process prints, or '' when it prints none. */
async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of stream) {
    text += decoder.decode(part, { stream: true })
    if (text.includes('\n')) break
  }
  return text.split('\n', 1)[0] ?? ''
}

/** Files that a running process has open or mapped. */
function filesOf(pid: number): string[] {
  const open = readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
    } catch {
      return []
    }
  })
  const mapped = readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap(line => line.slice(73).trim() || [])
  return [...new Set([...open, ...mapped])].filter(path => path.startsWith('/'))
}

describe.skipIf(binary === undefined)('the executable', () => {
  beforeAll(() => {
    const place = mkdtempSync(join(tmpdir(), 'keepsake-alone-'))
    programDirectory = join(place, 'bin')
    home = join(place, 'home')
    mkdirSync(programDirectory)
    mkdirSync(home)
    copyFileSync(binary ?? '', join(programDirectory, 'keepsake'))
    chmodSync(join(programDirectory, 'keepsake'), 0o755)
  })
  afterAll(() => rmSync(join(programDirectory, '..'), { recursive: true, force: true }))

  test('reports its commands and its version', () => {
    const help = run(['--help'])
    expect(help.code).toBe(0)
    for (const command of ['serve', 'scan', 'config']) expect(help.out).toContain(command)
    const version = run(['--version'])
    expect(version.code).toBe(0)
    expect(version.out).toMatch(/^\d+\.\d+\.\d+/)
    expect(run(['--nonsense']).code).toBe(2)
  })

  test('contains the licences of its dependencies', () => {
    const { code, out } = run(['licenses'])
    expect(code).toBe(0)
    for (const name of ['hono', 'sharp', 'libvips', 'react', 'Bun', '@vladmandic/human', 'Apache License'])
      expect(out).toContain(name)
  })

  test('contains the networks in ONNX format', () => {
    const bytes = readFileSync(join(programDirectory, 'keepsake'))
    for (const file of Object.values(builtInFiles)) expect(bytes.includes(readFileSync(file))).toBe(true)
  })

  test('ignores configuration files in the working directory', () => {
    const elsewhere = join(programDirectory, '../elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, '.env'), 'KEEPSAKE_LISTEN=999.999.999.999:1\nKEEPSAKE_NONSENSE=1\n')
    writeFileSync(join(elsewhere, 'bunfig.toml'), 'preload = ["./evil.ts"]\n')
    writeFileSync(join(elsewhere, 'evil.ts'), "console.log('evil')\n")
    const { code, out } = run(['config'], { cwd: elsewhere })
    expect(code).toBe(0)
    expect(out).not.toContain('evil')
    expect(out).toContain('0.0.0.0:4480')
  })

  test.skipIf(samples === null)('finds faces, and in ~/.cache writes only to its own folder', () => {
    const pictures = join(home, 'faces-pictures')
    mkdirSync(pictures)
    for (const name of ['obama.jpg', 'obama1.jpg'])
      copyFileSync(join(samples ?? '', 'faces/Barack Obama', name), join(pictures, name))
    const env = environment({ KEEPSAKE_DATA: join(home, 'found-faces') })
    expect(run(['scan', pictures], { env }).code).toBe(0)
    const { code, error } = run(['faces', 'index', '--all'], { env })
    expect(error).toContain(`2 faces`)
    expect(code).toBe(0)
    expect(readdirSync(join(home, '.cache'))).toEqual(['keepsake'])
  })

  test('serves the face recognition files; the worker in the browser may connect to this server only', async () => {
    const server = Bun.spawn([join(programDirectory, 'keepsake'), 'serve', '--listen', '127.0.0.1:0', '--json'], {
      cwd: programDirectory,
      env: environment({ KEEPSAKE_DATA: join(home, 'faces') }),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    try {
      const started: { addresses?: string[] } = JSON.parse(await firstLine(server.stdout))
      const [address = ''] = started.addresses ?? []
      // Follows all scripts of the pages; one of them names the folder of the models.
      const parts = ['/']
      let folder = ''
      for (const path of parts) {
        const text = await (await fetch(address + path)).text()
        folder ||= text.match(/\/assets\/faceFiles-\w+\//)?.[0] ?? ''
        for (const [found] of text.matchAll(/\/assets\/[\w.-]+\.js/g)) if (!parts.includes(found)) parts.push(found)
      }
      const worker = parts.find(path => path.includes('face-worker')) ?? ''
      const program = await fetch(address + worker)
      expect(program.headers.get('content-security-policy')).toContain("connect-src 'self'")
      expect(folder).not.toBe('')
      for (const [name, type] of [
        ['tfjs-backend-wasm-simd.wasm', 'application/wasm'],
        ...['blazeface', 'facemesh', 'faceres'].flatMap(model => [
          [`${model}.json`, 'application/json'],
          [`${model}.bin`, 'application/octet-stream'],
        ]),
      ]) {
        const file = await fetch(address + folder + name)
        expect({ name, status: file.status }).toEqual({ name, status: 200 })
        expect(file.headers.get('content-type')).toStartWith(type ?? '')
        expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(50_000)
      }
    } finally {
      server.kill('SIGTERM')
    }
    expect(await server.exited).toBe(0)
  })

  test.skipIf(samples === null)(
    'scans the samples and serves them, from an empty directory with an empty home',
    async () => {
      const library = join(samples ?? '', 'library')
      const scan = run(['scan', library, '--json'])
      // Exit code 3 means done with problems: the samples contain files that no decoder reads.
      if (scan.code !== 0 && scan.code !== 3) expect(scan).toEqual({ code: 0, out: '', error: '' })
      expect(parseLines(scan.out).length).toBeGreaterThan(0)
      // The cache contains the native code for pictures, and after a face search also the code for faces.
      const native = readdirSync(join(home, '.cache/keepsake')).filter(name => name.startsWith('native-'))
      expect([1, 2]).toContain(native.length)

      expect(run(['user', 'create', 'anna', '--admin'], { input: 'a good password\n' }).code).toBe(0)

      const server = Bun.spawn([join(programDirectory, 'keepsake'), 'serve', '--listen', '127.0.0.1:0', '--json'], {
        cwd: programDirectory,
        env: environment(),
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'inherit',
      })
      try {
        const started: { addresses?: string[] } = JSON.parse(await firstLine(server.stdout))
        const [address = ''] = started.addresses ?? []
        expect(address).toStartWith('http://')

        const page = await fetch(`${address}/`)
        expect(page.status).toBe(200)
        const html = await page.text()
        const assets = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
        expect(assets.length).toBeGreaterThan(3)
        for (const path of assets) {
          const asset = await fetch(address + path)
          expect({ path, status: asset.status }).toEqual({ path, status: 200 })
          expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(0)
        }
        expect((await fetch(`${address}/assets/nothing.js`)).status).toBe(404)

        let token = ''
        const api = createClient(({ method, url, body }) =>
          fetch(address + url, {
            method,
            body,
            headers: {
              'content-type': 'application/json',
              origin: address,
              ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
            },
          }),
        )
        ;({ token } = await api.users.login({ body: { username: 'anna', password: 'a good password' } }))
        const list = await api.items.list({ params: { collectionId: 0 }, query: { limit: 100 } })
        expect(list._meta.total_records).toBeGreaterThan(300)
        // Items of the same time have no certain order, and some have no thumbnail: takes the first item that has one.
        const item = list.items.find(({ thumbhash }) => thumbhash !== null)
        for (const size of ['tiny', 'large']) {
          const picture = await fetch(`${address}/v1/item/${item?.id}/image?pThumbnail=${size}`, {
            headers: { authorization: `Bearer ${token}` },
          })
          expect({ size, status: picture.status, type: picture.headers.get('content-type') }).toEqual({
            size,
            status: 200,
            type: 'image/webp',
          })
          expect(
            Buffer.from(await picture.arrayBuffer())
              .subarray(8, 12)
              .toString(),
          ).toBe('WEBP')
        }
        // libheif and libjxl are WebAssembly files inside the executable.
        for (const name of ['IMG_7943.HEIC', 'jxl']) {
          const found = await api.items.list({ params: { collectionId: 0 }, query: { q: `file:${name}` } })
          const picture = await fetch(`${address}/v1/item/${found.items[0]?.id}/image?pThumbnail=variant`, {
            headers: { authorization: `Bearer ${token}` },
          })
          expect({ name, status: picture.status, type: picture.headers.get('content-type') }).toEqual({
            name,
            status: 200,
            type: 'image/jpeg',
          })
        }
        if (existsSync(`/proc/${server.pid}`))
          expect(filesOf(server.pid).filter(path => path.startsWith(`${projectRoot}/`))).toEqual([])
      } finally {
        server.kill('SIGTERM')
      }
      expect(await server.exited).toBe(0)
      // The program writes only to its data directory and its cache.
      expect(readdirSync(programDirectory)).toEqual(['keepsake'])
    },
  )

  test.skipIf(samples === null)('unpacks native code into a temporary directory when there is no home', () => {
    const temporary = join(programDirectory, '../tmp')
    mkdirSync(temporary)
    const data = join(programDirectory, '../data')
    const faces = join(samples ?? '', 'faces')
    const { code, error } = run(['scan', faces, '--data', data, '--quiet'], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', TMPDIR: temporary, HOME: '/proc/nowhere' },
    })
    if (code !== 0 && code !== 3) expect({ code, error }).toEqual({ code: 0, error: '' })
    expect(readdirSync(temporary).some(name => name.startsWith('keepsake-'))).toBe(true)
  })
})
