import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningServer, registerAndSignIn, startServer } from '../../support/server-process.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

let server: RunningServer
let token = ''
const directory = temporaryDirectory()
const root = join(directory, 'store')
const megabyte = 1024 ** 2
beforeAll(async () => {
  const data = join(directory, 'data')
  for (const path of [data, root]) mkdirSync(path)
  writeFileSync(join(data, 'config.toml'), `roots = ["${root}"]\n[files]\nmaxFileSize = "20MB"\n`)
  server = await startServer(data)
  token = await registerAndSignIn(server)
}, 60_000)
afterAll(() => server.stop())

const cache = join(directory, 'data', 'cache')
/** Unfinished uploads in the data directory. */
const unfinished = () => readdirSync(cache).filter(name => name.startsWith('.keepsake-'))
const at = (query: Record<string, string>) => `${server.address}/v1/files?${new URLSearchParams(query)}`
const headers = () => ({ authorization: `Bearer ${token}` })

/** Waits until the root has these files only, and no upload is unfinished. */
async function expectOnly(...names: string[]) {
  const end = performance.now() + 20_000
  const isReached = () => readdirSync(root).length === names.length && unfinished().length === 0
  while (!isReached() && performance.now() < end) await Bun.sleep(20)
  expect(unfinished()).toEqual([])
  expect(readdirSync(root).sort()).toEqual([...names].sort())
}

function form(name: string, bytes: Uint8Array<ArrayBuffer>): FormData {
  const data = new FormData()
  data.set('file', new File([bytes], name))
  return data
}

/** Sends a raw request; returns what has been received once the headers are complete. */
async function sendRaw(text: string | Uint8Array, hangUp: boolean): Promise<string> {
  const { hostname, port } = new URL(server.address)
  let response = ''
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, bytes) {
        response += Buffer.from(bytes).toString('latin1')
        if (response.includes('\r\n\r\n')) resolve()
      },
      close: () => resolve(),
      error: () => resolve(),
    },
  })
  socket.write(text)
  socket.flush()
  if (hangUp) socket.end()
  await ended
  socket.end()
  return response
}

const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="raw.txt"\r\n\r\n'
function request(length: number, body: string): string {
  return [
    'POST /v1/files?q=upload&path=/store HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${length}`,
    '',
    body,
  ].join('\r\n')
}

describe('over the network', () => {
  test('a thousand names fit into an address, as unmodified clients of the protocol send them', async () => {
    const folder = join(root, 'many')
    mkdirSync(folder)
    const names = Array.from({ length: 1_000 }, (_, n) => `${'a long name '.repeat(6)}${n}.txt`)
    for (const name of names) writeFileSync(join(folder, name), '')
    const items = JSON.stringify(names.map(name => ({ path: `/store/many/${name}`, type: 'file' })))
    const address = at({ q: 'delete', path: '/store/many', items })
    expect(address.length).toBeGreaterThan(100_000)
    const response = await fetch(address, { headers: headers() })
    expect(response.status).toBe(200)
    expect(readdirSync(folder)).toEqual([])
    await fetch(at({ q: 'delete', path: '/store', items: '[{"path":"/store/many","type":"dir"}]' }), {
      headers: headers(),
    })
    await expectOnly()
  })

  test('an invalid Host header is refused without a stack trace or a path', async () => {
    for (const path of ['/', '/v1/config', '/v1/realtime'])
      for (const host of ['a b', 'a@b', '[', '']) {
        const response = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, false)
        expect([path, host, response.slice(0, 12)]).toEqual([path, host, 'HTTP/1.1 400'])
        expect(response.length).toBeLessThan(1000)
        expect(response).not.toContain('.ts')
      }
  })

  test('a file is uploaded, and downloaded as a whole and in parts', async () => {
    const bytes = new Uint8Array(10 * megabyte)
    for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
    const up = await fetch(at({ q: 'upload', path: '/store' }), {
      method: 'POST',
      headers: headers(),
      body: form('big.bin', bytes),
    })
    expect(up.status).toBe(200)
    expect(Buffer.from(readFileSync(join(root, 'big.bin'))).equals(bytes)).toBe(true)
    const down = await fetch(at({ q: 'download', path: '/store/big.bin' }), { headers: headers() })
    expect(Buffer.from(await down.arrayBuffer()).equals(bytes)).toBe(true)
    const part = await fetch(at({ q: 'preview', path: '/store/big.bin' }), {
      headers: { ...headers(), range: 'bytes=5000000-5000099' },
    })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(5_000_000, 5_000_100))).toBe(true)
    await expectOnly('big.bin')
  }, 30_000)

  test('an upload that is too large, by a byte or by far, is refused with 413', async () => {
    for (const size of [20 * megabyte + 1, 22 * megabyte]) {
      const up = await fetch(at({ q: 'upload', path: '/store' }), {
        method: 'POST',
        headers: headers(),
        body: form('large.bin', new Uint8Array(size)),
      })
      expect(up.status).toBe(413)
      expect(JSON.parse(await up.text())).toMatchObject({ status: false, message: expect.stringMatching(/at most/) })
    }
    await expectOnly('big.bin')
  }, 30_000)

  test('an aborted upload leaves no file', async () => {
    const abort = new AbortController()
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(sent === 0 ? Buffer.from(head) : new Uint8Array(megabyte))
        if (++sent > 8) abort.abort()
      },
    })
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    await fetch(at({ q: 'upload', path: '/store' }), {
      method: 'POST',
      headers: { ...headers(), ...type },
      body,
      signal: abort.signal,
    }).catch(() => {})
    await expectOnly('big.bin')
  }, 30_000)

  test('an upload that is aborted between the file and its fields leaves no file', async () => {
    const abort = new AbortController()
    let before: unknown = null
    const parts = [head, new Uint8Array(8 * megabyte), '\r\n--b\r\nContent-Disposition: form-data; name="q"\r\n\r\nupl']
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const part = parts.shift()
        if (part !== undefined) return controller.enqueue(Buffer.from(part))
        // Aborts once the server has stored the file.
        const end = performance.now() + 20_000
        while (unfinished().length === 0 && performance.now() < end) await Bun.sleep(20)
        before = [unfinished().length, readdirSync(root)]
        abort.abort()
      },
    })
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    const sending = { method: 'POST', headers: { ...headers(), ...type }, body, signal: abort.signal }
    await fetch(`${server.address}/v1/files`, sending).catch(() => {})
    expect(before).toEqual([1, ['big.bin']])
    await expectOnly('big.bin')
  }, 30_000)

  test('an upload with a wrong Content-Length leaves no file', async () => {
    const body = `${head}the text\r\n--b--\r\n`
    await sendRaw(request(body.length + 1000, body.slice(0, -10)), true)
    await expectOnly('big.bin')
    const short = await sendRaw(request(body.length - 12, body), false)
    expect(short.split('\r\n')[0]).toContain('400')
    await expectOnly('big.bin')
    const far = await sendRaw(request(5000 * megabyte, body), false)
    expect(far.split('\r\n')[0]).toContain('413')
    expect(far).toMatch(/at most/)
    await expectOnly('big.bin')
    const right = await sendRaw(request(body.length, body), false)
    expect(right.split('\r\n')[0]).toContain('200')
    expect(readFileSync(join(root, 'raw.txt'), 'utf8')).toBe('the text')
    expect(statSync(join(root, 'raw.txt')).mode & 0o111).toBe(0)
  }, 30_000)
})
