import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { answerOf, type Filing, formOf, roomForTests, untouched } from '../../support/filing.ts'

let filing: Filing
let room = ''
roomForTests({ 'files.maxFileSize': '100KB' }, (opened, path) => {
  filing = opened
  room = path
})

const names = () => readdirSync(room).sort()

describe('an upload', () => {
  /** A form by hand, in pieces as the test wants them. */
  function sent(
    pieces: (string | Uint8Array)[],
    headers: Record<string, string> = {},
    query = 'q=upload&path=/store/room',
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
    return filing
      .send(query, 'bearer', {
        method: 'POST',
        body,
        headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
      })
      .then(answerOf)
  }
  const head = (name: string, filename?: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`

  test('is the file, byte for byte, wherever the form is cut into pieces', async () => {
    // Beginnings of the boundary, and all of it where no line starts.
    const content = Buffer.from('\r\n--boun\r\r\n-\r\n--\r\n--c--\r\n\n--bound\r--bound--\0\xff\r', 'latin1')
    const start = `--bound\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n\r\n`
    const whole = Buffer.concat([Buffer.from(start), content, Buffer.from('\r\n--bound--\r\n')])
    for (const size of [1, 2, 3, 5, 7, 1000]) {
      rmSync(join(room, 'x.bin'), { force: true })
      const pieces: Uint8Array[] = []
      for (let at = 0; at < whole.length; at += size) pieces.push(whole.subarray(at, at + size))
      const answer = await sent(pieces, { 'content-type': 'multipart/form-data; boundary="bound"' })
      expect([answer.status, answer.message]).toEqual([200, ''])
      expect(readFileSync(join(room, 'x.bin')).equals(content)).toBe(true)
    }
  })

  test('takes its name from the form, or from the name that is said', async () => {
    await filing.upload({ path: '/store/room' }, { name: 'Grüße "1".txt', bytes: 'x' })
    await filing.upload({ path: '/store/room', name: 'said.txt' }, { name: 'other.txt', bytes: 'x' })
    await sent([head('name'), 'field.txt', `\r\n${head('file', 'blob')}`, 'x', '\r\n--b--'])
    await sent([
      `--b\r\nContent-Disposition: form-data; name="file"; filename="x"; filename*=UTF-8''%d8%b3.txt\r\n\r\n`,
      'x',
      '\r\n--b--',
    ])
    expect(names()).toEqual([...untouched, 'Grüße "1".txt', 'said.txt', 'field.txt', 'س.txt'].sort())
  })

  test('of two files in a form takes both', async () => {
    const two = formOf({ q: 'upload', path: '/store/room' })
    two.append('file', new File(['second'], 'second.txt'))
    expect((await filing.ask('', 'bearer', { method: 'POST', body: two })).status).toBe(200)
    expect(names()).toEqual([...untouched, 'second.txt', 'sent.txt'].sort())
    expect(readFileSync(join(room, 'second.txt'), 'utf8')).toBe('second')
  })

  test('replaces nothing, unless it says so or names a file', async () => {
    const file = { name: 'a.txt', bytes: 'new' }
    expect(await filing.upload({ path: '/store/room' }, file)).toMatchObject({
      status: 409,
      message: expect.stringContaining('a.txt'),
    })
    expect(readFileSync(join(room, 'a.txt'), 'utf8')).toBe('as it was')
    expect((await filing.upload({ path: '/store/room', overwrite: '0' }, file)).status).toBe(409)
    expect((await filing.upload({ path: '/store/room', overwrite: '1' }, file)).status).toBe(200)
    expect(readFileSync(join(room, 'a.txt'), 'utf8')).toBe('new')
    const crop = await filing.upload({ path: '/store/room/b.txt', name: 'b.txt' }, { name: 'blob', bytes: 'cropped' })
    expect([crop.status, crop.dirname]).toEqual([200, '/store/room'])
    expect(readFileSync(join(room, 'b.txt'), 'utf8')).toBe('cropped')
    expect(names()).toEqual(untouched)
  })

  test('of as many bytes as allowed is taken; one more is not, however it is sent', async () => {
    const limit = 100 * 1024
    const exact = await filing.upload({ path: '/store/room' }, { name: 'exact.bin', bytes: new Uint8Array(limit) })
    expect([exact.status, exact.message]).toEqual([200, ''])
    const over = await filing.upload({ path: '/store/room' }, { name: 'over.bin', bytes: new Uint8Array(limit + 1) })
    expect(over).toMatchObject({ status: 413 })
    expect(over.message).toMatch(/^[A-Z].+\.$/)
    const chunked = await sent([head('file', 'over.bin'), new Uint8Array(limit), 'x', '\r\n--b--'])
    expect(chunked.status).toBe(413)
    const endless = [head('file', 'over.bin'), ...Array.from({ length: 1000 }, () => new Uint8Array(64 * 1024))]
    expect((await sent(endless)).status).toBe(413)
    const said = await sent([head('file', 'over.bin'), 'x', '\r\n--b--'], { 'content-length': String(10 * 1024 ** 3) })
    expect(said.status).toBe(413)
    expect(names()).toEqual([...untouched, 'exact.bin'].sort())
  })

  for (const [what, pieces] of [
    ['before its first boundary', ['--']],
    ['in its head', [head('file', 'cut.txt').slice(0, 40)]],
    ['right after its head', [head('file', 'cut.txt')]],
    ['in the file', [head('file', 'cut.txt'), 'half']],
    ['in the last boundary', [head('file', 'cut.txt'), 'whole', '\r\n--']],
    ['after the last boundary', [head('file', 'cut.txt'), 'whole', '\r\n--b']],
  ] as [string, string[]][]) {
    test(`that is cut off ${what} leaves nothing`, async () => {
      const answer = await sent(pieces)
      // Of a file whose end has arrived nothing is missing: the rest of the form may be.
      if (what === 'after the last boundary') expect([200, 400]).toContain(answer.status)
      else {
        expect([answer.status, answer.message.length > 10]).toEqual([400, true])
        expect(names()).toEqual(untouched)
      }
      expect(names().filter(name => name.startsWith('.'))).toEqual([])
    })
  }

  test('whose line breaks leaves nothing', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(`${head('file', 'broken.txt')}half`))
      },
      pull(controller) {
        controller.error(new Error('the line is dead'))
      },
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const answer = await filing.ask('q=upload&path=/store/room', 'bearer', { method: 'POST', body, headers })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(names()).toEqual(untouched)
  })

  test('whose names would lead elsewhere is refused', async () => {
    for (const name of ['../a.txt', '/etc/x', '..', 'a\\b.txt', 'C:\\x.txt', 'sub/x.txt', '']) {
      const answer = await sent([head('file', name.replaceAll('\\', '\\\\')), 'x', '\r\n--b--'])
      expect([name, answer.status]).toEqual([name, 400])
    }
    expect(names()).toEqual(untouched)
  })

  test('with a head without end, or with fields without end, is refused', async () => {
    const long = await sent([
      '--b\r\nContent-Disposition: form-data; name="file"; filename="',
      ...Array.from({ length: 50 }, () => 'x'.repeat(1000)),
    ])
    expect(long.status).toBe(413)
    const many = await sent(Array.from({ length: 300 }, (_, i) => `${head(`field${i}`)}x\r\n`))
    expect(many.status).toBe(400)
    expect(names()).toEqual(untouched)
  })
})
