/** Keepsake behind nginx and Caddy, with the configurations that docs/behind-a-proxy.md shows. */
import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../support/command.ts'
import { picture } from '../support/scanning-library.ts'
import { startServer, waitUntil } from '../support/server-process.ts'
import { projectRoot } from '../support/source-tree.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const document = readFileSync(join(projectRoot, 'docs/behind-a-proxy.md'), 'utf8')
const name = 'pictures.example'
const timeoutMs = 180_000

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0).toReversed()) await close()
})

/** The document's only block in this language, with `changes` applied. */
function configuration(language: string, changes: readonly (readonly [string, string])[]): string {
  const blocks = [...document.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, kind]) => kind === language)
  expect(blocks).toHaveLength(1)
  let text = blocks[0]?.[2] ?? ''
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`the document's ${language} block has no '${from}'`)
    text = text.replaceAll(from, to)
  }
  return text
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = listener
  listener.stop(true)
  return port
}

/** A self-signed certificate for `name` and evil.example. */
function certificate(directory: string): { cert: string; key: string } {
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const openssl = Bun.spawnSync([
    ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name},DNS:evil.example`],
    ...['-keyout', key, '-out', cert],
  ])
  expect(openssl.exitCode).toBe(0)
  return { cert, key }
}

interface Ports {
  proxy: number
  plain: number
  server: number
}

const proxies = {
  nginx(directory: string, { proxy, plain, server }: Ports, { cert, key }: { cert: string; key: string }) {
    const site = configuration('nginx', [
      ['listen 443', `listen 127.0.0.1:${proxy}`],
      ['    listen [::]:443 ssl http2;\n', ''],
      ['listen 80', `listen 127.0.0.1:${plain}`],
      ['    listen [::]:80;\n', ''],
      ['/etc/ssl/pictures.example/fullchain.pem', cert],
      ['/etc/ssl/pictures.example/privkey.pem', key],
      ['127.0.0.1:4480', `127.0.0.1:${server}`],
    ])
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map(kind => `${kind}_temp_path ${directory}/${kind};`)
      .join('\n')
    const path = join(directory, 'nginx.conf')
    writeFileSync(
      path,
      `daemon off;\n${process.getuid?.() === 0 ? 'user root;' : ''}\npid ${directory}/pid;\nerror_log ${directory}/error.log;\n` +
        `events {}\nhttp {\naccess_log off;\n${temporary}\n${site}}\n`,
    )
    return ['nginx', '-p', directory, '-e', join(directory, 'error.log'), '-c', path]
  },

  caddy(directory: string, { proxy, plain, server }: Ports, { cert, key }: { cert: string; key: string }) {
    const site = configuration('caddyfile', [
      [`${name} {`, `${name}:${proxy}, evil.example:${proxy} {\n    tls ${cert} ${key}`],
      ['127.0.0.1:4480', `127.0.0.1:${server}`],
    ])
    const path = join(directory, 'Caddyfile')
    writeFileSync(path, `{\n    admin off\n    http_port ${plain}\n    default_bind 127.0.0.1\n}\n${site}`)
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', path]
  },
} as const

interface CurlResponse {
  status: number
  headers: string
  body: Buffer
}

/** Keepsake with a picture and an account, and the proxy in front of it. */
async function openTestServer(kind: keyof typeof proxies) {
  const directory = temporaryDirectory()
  const [data, pictures] = [join(directory, 'data'), join(directory, 'pictures')]
  mkdirSync(data)
  mkdirSync(pictures)
  writeFileSync(join(pictures, 'one.jpg'), await picture({ seed: 1, width: 640, height: 480 }))
  expect((await runCommand(['--data', data, 'scan', pictures, '--quiet'])).code).toBe(0)
  expect((await runCommand(['--data', data, 'user', 'create', 'ines', '--admin'], { input: 'secret\n' })).code).toBe(0)

  const ports = { proxy: freePort(), plain: freePort(), server: freePort() }
  const at = `https://${name}:${ports.proxy}`
  const settings = configuration('toml', [
    ['127.0.0.1:4480', `127.0.0.1:${ports.server}`],
    [`https://${name}`, at],
  ])
  writeFileSync(join(data, 'config.toml'), settings)
  const server = await startServer(data, [], `127.0.0.1:${ports.server}`)
  cleanups.push(() => server.stop())

  const keys = certificate(directory)
  const proxy = Bun.spawn(proxies[kind](directory, ports, keys), {
    env: { PATH: process.env.PATH ?? '', HOME: directory },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: Bun.file(join(directory, 'proxy.log')),
  })
  cleanups.push(async () => {
    proxy.kill('SIGTERM')
    await proxy.exited
  })

  /** Sends a request with curl, which negotiates HTTP/2 as browsers do, from another address than the proxy's. */
  async function request(path: string, ...more: string[]): Promise<CurlResponse> {
    const curl = ['curl', '--silent', '--include', '--cacert', keys.cert, '--interface', '127.0.0.2']
    const names = [`${name}:${ports.proxy}`, `${name}:${ports.plain}`, `evil.example:${ports.proxy}`]
    const known = names.flatMap(one => ['--resolve', `${one}:127.0.0.1`])
    const address = path.startsWith('http') ? path : `${at}${path}`
    const child = Bun.spawn([...curl, ...known, '--expect100-timeout', '0.1', ...more, address], { stdout: 'pipe' })
    const bytes = Buffer.from(await new Response(child.stdout).arrayBuffer())
    const end = bytes.indexOf('\r\n\r\n')
    const headers = bytes.toString('latin1', 0, end)
    return { status: Number(/^HTTP\/\S+ (\d+)/.exec(headers)?.[1] ?? 0), headers, body: bytes.subarray(end + 4) }
  }

  await waitUntil(async () => ((await request('/')).status === 200 ? true : null))
  return { request, at, data, pictures, ports, cert: readFileSync(keys.cert, 'utf8') }
}

type TestServer = Awaited<ReturnType<typeof openTestServer>>

function login({ request, at }: TestServer, password: string): Promise<CurlResponse> {
  const json = ['--header', 'content-type: application/json', '--header', `origin: ${at}`]
  return request('/v1/users/login', ...json, '--data', JSON.stringify({ username: 'ines', password }))
}

/** A text frame as clients send it; a mask of zeros leaves the text unchanged. */
function frame(text: string): Buffer {
  const bytes = Buffer.from(text)
  const isShort = bytes.length < 126
  const head = isShort ? [0x81, 0x80 | bytes.length] : [0x81, 0xfe, bytes.length >> 8, bytes.length & 255]
  return Buffer.concat([Buffer.from(head), Buffer.alloc(4), bytes])
}

/** What the server sends over the websocket, until it contains `last` or the connection closes. */
async function readWebsocket({ ports, at, cert }: TestServer, token: string, last: string): Promise<string> {
  let received = ''
  const done = Promise.withResolvers<void>()
  const upgrade =
    `GET /v1/realtime HTTP/1.1\r\nHost: ${name}:${ports.proxy}\r\nOrigin: ${at}\r\nUpgrade: websocket\r\n` +
    'Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n'
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: ports.proxy,
    tls: { ca: cert, serverName: name },
    socket: {
      handshake: connection => void connection.write(upgrade),
      data(connection, piece) {
        const isFirst = received === ''
        received += piece.toString('latin1')
        if (isFirst && received.startsWith('HTTP/1.1 101'))
          connection.write(frame(JSON.stringify({ id: 1, method: 'authenticate', params: { token } })))
        if (received.includes(last)) done.resolve()
      },
      close: () => done.resolve(),
    },
  })
  await done.promise
  socket.end()
  return received
}

for (const kind of ['nginx', 'caddy'] as const) {
  const missing = [kind, 'curl', 'openssl'].some(tool => Bun.which(tool) === null)
  test.skipIf(missing)(
    `behind ${kind}, logins, the websocket, uploads and ranges work, and host names and addresses are checked`,
    async () => {
      const proxied = await openTestServer(kind)
      const { request, pictures, ports } = proxied

      // Over https the server sends HSTS and a secure cookie; http redirects to https.
      const page = await request('/')
      expect(page.headers).toMatch(/^strict-transport-security: max-age=31536000\r?$/im)
      const plain = await request(`http://${name}:${ports.plain}/a?b=c`)
      expect([301, 308]).toContain(plain.status)
      expect(plain.headers).toMatch(/^location: https:\/\/pictures\.example.*\/a\?b=c\r?$/im)
      const signedIn = await login(proxied, 'secret')
      expect(signedIn.status).toBe(200)
      expect(signedIn.headers).toMatch(
        /^set-cookie: __Host-keepsake_session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict\r?$/im,
      )
      const { token }: { token: string } = JSON.parse(signedIn.body.toString())
      const bearer = ['--header', `authorization: Bearer ${token}`]

      // The websocket accepts a page of the server.
      expect(await readWebsocket(proxied, token, '"result"')).toContain('"username":"ines"')

      // An upload larger than the proxy's buffers: a picture with 20 MB of trailing bytes.
      const large = join(pictures, '..', 'large.jpg')
      const bytes = Buffer.concat([await picture({ seed: 2, width: 640, height: 480 }), Buffer.alloc(20_000_000, 7)])
      writeFileSync(large, bytes)
      const upload = ['--request', 'POST', '--header', 'content-type: image/jpeg', '--data-binary', `@${large}`]
      const uploaded = await request('/v1/item/upload/1?name=large.jpg', ...bearer, ...upload)
      expect([uploaded.status, uploaded.body.toString()]).toEqual([201, expect.any(String)])
      const { id }: { id: number } = JSON.parse(uploaded.body.toString())

      // A range and the whole file, with only the cookie, as <img> requests them.
      const [cookie = ''] = /__Host-keepsake_session=[^;]+/.exec(signedIn.headers) ?? []
      const original = `/v1/item/${id}/image?pThumbnail=original`
      const range = await request(original, '--cookie', cookie, '--range', '10000000-10000099')
      expect(range.status).toBe(206)
      expect(range.headers).toContain(`bytes 10000000-10000099/${bytes.length}`)
      expect(range.body.equals(bytes.subarray(10_000_000, 10_000_100))).toBe(true)
      expect((await request(original, '--cookie', cookie)).body.equals(bytes)).toBe(true)

      // Requests for another host name are refused, and so are requests from a page of another host.
      const evil = await request(`https://evil.example:${ports.proxy}/`)
      expect(evil.status).toBe(421)
      expect(evil.body.toString()).toContain("'hosts'")
      const foreign = ['--header', 'origin: https://evil.example', '--header', 'content-type: application/json']
      expect((await request('/v1/users/login', ...foreign, '--data', '{}')).status).toBe(403)

      // Logins are limited by the visitor's real address, whatever X-Forwarded-For they send.
      for (let n = 0; n < 5; n++) expect((await login(proxied, 'wrong')).status).toBe(401)
      expect((await login(proxied, 'secret')).status).toBe(429)
      const forged = {
        ...proxied,
        request: (path: string, ...more: string[]) => request(path, '--header', 'x-forwarded-for: 192.0.2.7', ...more),
      }
      expect((await login(forged, 'secret')).status).toBe(429)
      const elsewhere = (path: string, ...more: string[]) => request(path, '--interface', '127.0.0.3', ...more)
      expect((await login({ ...proxied, request: elsewhere }, 'secret')).status).toBe(200)
    },
    timeoutMs,
  )
}
