import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  createForm,
  type FileManagerServer,
  initialNames,
  readResponse,
  setUpFileManagerServer,
} from '../../support/file-manager-server.ts'

let server: FileManagerServer
let folder = ''
setUpFileManagerServer({ 'files.maxFileSize': '100KB' }, (opened, path) => {
  server = opened
  folder = path
})

const names = () => readdirSync(folder).sort()

describe('an upload', () => {
  /** Sends a form in the given pieces. */
  function sendForm(
    pieces: (string | Uint8Array)[],
    headers: Record<string, string> = {},
    query = 'q=upload&path=/store/folder',
  ) {
    const encoder = new TextEncoder()
    let next = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces[next++]
        if (piece === undefined) controller.close()
        else controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      },
    })
    return server
      .send(query, 'bearer', {
        method: 'POST',
        body,
        headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
      })
      .then(readResponse)
  }
  const head = (name: string, filename?: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`

  test('is stored byte for byte, however the form is split into pieces', async () => {
    // The content has the start of the boundary on a line of its own, and the whole boundary within a line.
    const content = Buffer.from('\r\n--boun\r\r\n-\r\n--\r\n--c--\r\n\n--bound\r--bound--\0\xff\r', 'latin1')
    const start = `--bound\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n\r\n`
    const whole = Buffer.concat([Buffer.from(start), content, Buffer.from('\r\n--bound--\r\n')])
    for (const size of [1, 2, 3, 5, 7, 1000]) {
      rmSync(join(folder, 'x.bin'), { force: true })
      const pieces: Uint8Array[] = []
      for (let at = 0; at < whole.length; at += size) pieces.push(whole.subarray(at, at + size))
      const response = await sendForm(pieces, { 'content-type': 'multipart/form-data; boundary="bound"' })
      expect([response.status, response.message]).toEqual([200, ''])
      expect(readFileSync(join(folder, 'x.bin')).equals(content)).toBe(true)
    }
  })

  test("takes its name from the file of the form, or from the parameter 'name'", async () => {
    await server.upload({ path: '/store/folder' }, { name: 'Grüße "1".txt', bytes: 'x' })
    await server.upload({ path: '/store/folder', name: 'said.txt' }, { name: 'other.txt', bytes: 'x' })
    await sendForm([head('name'), 'field.txt', `\r\n${head('file', 'blob')}`, 'x', '\r\n--b--'])
    await sendForm([
      `--b\r\nContent-Disposition: form-data; name="file"; filename="x"; filename*=UTF-8''%d8%b3.txt\r\n\r\n`,
      'x',
      '\r\n--b--',
    ])
    expect(names()).toEqual([...initialNames, 'Grüße "1".txt', 'said.txt', 'field.txt', 'س.txt'].sort())
  })

  test('of two files in a form stores both', async () => {
    const two = createForm({ q: 'upload', path: '/store/folder' })
    two.append('file', new File(['second'], 'second.txt'))
    expect((await server.request('', 'bearer', { method: 'POST', body: two })).status).toBe(200)
    expect(names()).toEqual([...initialNames, 'second.txt', 'sent.txt'].sort())
    expect(readFileSync(join(folder, 'second.txt'), 'utf8')).toBe('second')
  })

  test('replaces a file only with overwrite or by its path', async () => {
    const file = { name: 'a.txt', bytes: 'new' }
    expect(await server.upload({ path: '/store/folder' }, file)).toMatchObject({
      status: 409,
      message: expect.stringContaining('a.txt'),
    })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('as it was')
    expect((await server.upload({ path: '/store/folder', overwrite: '0' }, file)).status).toBe(409)
    expect((await server.upload({ path: '/store/folder', overwrite: '1' }, file)).status).toBe(200)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('new')
    const crop = await server.upload({ path: '/store/folder/b.txt', name: 'b.txt' }, { name: 'blob', bytes: 'cropped' })
    expect([crop.status, crop.dirname]).toEqual([200, '/store/folder'])
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('cropped')
    expect(names()).toEqual(initialNames)
  })

  test('of exactly the limit is accepted; one byte more is refused, however it is sent', async () => {
    const limit = 100 * 1024
    const exact = await server.upload({ path: '/store/folder' }, { name: 'exact.bin', bytes: new Uint8Array(limit) })
    expect([exact.status, exact.message]).toEqual([200, ''])
    const over = await server.upload({ path: '/store/folder' }, { name: 'over.bin', bytes: new Uint8Array(limit + 1) })
    expect(over).toMatchObject({ status: 413 })
    expect(over.message).toMatch(/^[A-Z].+\.$/)
    const chunked = await sendForm([head('file', 'over.bin'), new Uint8Array(limit), 'x', '\r\n--b--'])
    expect(chunked.status).toBe(413)
    const endless = [head('file', 'over.bin'), ...Array.from({ length: 1000 }, () => new Uint8Array(64 * 1024))]
    expect((await sendForm(endless)).status).toBe(413)
    const declared = await sendForm([head('file', 'over.bin'), 'x', '\r\n--b--'], {
      'content-length': String(10 * 1024 ** 3),
    })
    expect(declared.status).toBe(413)
    expect(names()).toEqual([...initialNames, 'exact.bin'].sort())
  })

  for (const [what, pieces] of [
    ['before its first boundary', ['--']],
    ['in its header', [head('file', 'cut.txt').slice(0, 40)]],
    ['right after its header', [head('file', 'cut.txt')]],
    ['in the file', [head('file', 'cut.txt'), 'half']],
    ['in the last boundary', [head('file', 'cut.txt'), 'whole', '\r\n--']],
    ['after the last boundary', [head('file', 'cut.txt'), 'whole', '\r\n--b']],
  ] as [string, string[]][]) {
    test(`that is cut off ${what} leaves no partial file`, async () => {
      const response = await sendForm(pieces)
      // The file is complete here, so either result is right.
      if (what === 'after the last boundary') expect([200, 400]).toContain(response.status)
      else {
        expect([response.status, response.message.length > 10]).toEqual([400, true])
        expect(names()).toEqual(initialNames)
      }
      expect(names().filter(name => name.startsWith('.'))).toEqual([])
    })
  }

  test('whose connection is lost leaves no file', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(`${head('file', 'broken.txt')}half`))
      },
      pull(controller) {
        controller.error(new Error('the connection is lost'))
      },
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const response = await server.request('q=upload&path=/store/folder', 'bearer', { method: 'POST', body, headers })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(names()).toEqual(initialNames)
  })

  test('whose name contains a path is refused', async () => {
    for (const name of ['../a.txt', '/etc/x', '..', 'a\\b.txt', 'C:\\x.txt', 'sub/x.txt', '']) {
      const response = await sendForm([head('file', name.replaceAll('\\', '\\\\')), 'x', '\r\n--b--'])
      expect([name, response.status]).toEqual([name, 400])
    }
    expect(names()).toEqual(initialNames)
  })

  test('with an endless header or too many fields is refused', async () => {
    const long = await sendForm([
      '--b\r\nContent-Disposition: form-data; name="file"; filename="',
      ...Array.from({ length: 50 }, () => 'x'.repeat(1000)),
    ])
    expect(long.status).toBe(413)
    const many = await sendForm(Array.from({ length: 300 }, (_, i) => `${head(`field${i}`)}x\r\n`))
    expect(many.status).toBe(400)
    expect(names()).toEqual(initialNames)
  })
})
