import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../../../schema/limits.ts'
import {
  createForm,
  type FileManagerServer,
  initialNames,
  openFileManagerServer,
  setUpFileManagerServer,
} from '../../support/file-manager-server.ts'

let server: FileManagerServer
let folder = ''
setUpFileManagerServer({ 'files.maxFileSize': '100KB' }, (opened, path) => {
  server = opened
  folder = path
})

const names = () => readdirSync(folder).sort()

describe('parameters:', () => {
  const query = { q: 'newfolder', path: '/store/folder', name: 'made' }
  const json = { 'content-type': 'application/json' }

  test('may be in the address, a form or JSON, also by POST', async () => {
    const bodies: [RequestInit['body'], Record<string, string>][] = [
      [new URLSearchParams(query), {}],
      [createForm(query, false), {}],
      [JSON.stringify(query), json],
    ]
    for (const [body, headers] of bodies) {
      rmSync(join(folder, 'made'), { recursive: true, force: true })
      const response = await server.request('', 'bearer', { method: 'POST', body: body ?? null, headers })
      expect([response.status, response.message]).toEqual([200, ''])
      expect(names()).toContain('made')
    }
    rmSync(join(folder, 'made'), { recursive: true })
    expect((await server.request(query, 'bearer', { method: 'POST' })).status).toBe(200)
    const list = await server.request('', 'cookie', {
      method: 'POST',
      body: JSON.stringify({ q: 'index', path: '/store/folder' }),
      headers: json,
    })
    expect(list.files?.length).toBe(4)
  })

  test('the address overrides the body', async () => {
    const body = new URLSearchParams({ ...query, name: 'other', path: '/store/folder/sub' })
    const response = await server.request({ q: 'newfolder', name: 'made' }, 'bearer', { method: 'POST', body })
    expect(response.status).toBe(200)
    expect(readdirSync(join(folder, 'sub'))).toEqual(['made'])
  })

  test('items may be a list in JSON', async () => {
    const body = JSON.stringify({
      q: 'delete',
      path: '/store/folder',
      items: [{ path: '/store/folder/a.txt', type: 'file' }],
    })
    expect((await server.request('', 'bearer', { method: 'POST', body, headers: json })).status).toBe(200)
    expect(names()).toEqual(['b.txt', 'sub'])
  })

  test('unknown parameters are ignored', async () => {
    const more = { ...query, adapter: 'local', lang: 'fa', 'a[b]': 'c', __proto__x: '1', constructor: 'x' }
    expect((await server.request(more)).status).toBe(200)
    const body =
      '{"q":"newfolder","path":"/store/folder","name":"two","__proto__":{"admin":true},"list":[1,{"a":2}],"none":null}'
    expect((await server.request('', 'bearer', { method: 'POST', body, headers: json })).status).toBe(200)
  })

  test('known parameters with invalid values are ignored', async () => {
    const others = { size: '12', overwrite: 'perhaps', modified: 'yes' }
    const list = await server.request({ q: 'index', path: '/store/folder', ...others })
    expect([list.status, list.files?.length]).toEqual([200, initialNames.length])
    const upload = { q: 'upload', path: '/store/folder', ...others }
    const before = Math.floor(Date.now() / 1000)
    expect((await server.upload(upload, { name: 'new.txt', bytes: 'new' })).status).toBe(200)
    expect(Math.ceil(statSync(join(folder, 'new.txt')).mtimeMs / 1000)).toBeGreaterThanOrEqual(before)
    expect((await server.upload(upload, { name: 'a.txt', bytes: 'other' })).status).toBe(409)
  })

  test('_csrf may be in the body, too', async () => {
    const proof = { ...query, _csrf: server.csrf }
    for (const [body, headers] of [
      [new URLSearchParams(proof), {}],
      [JSON.stringify(proof), json],
      [createForm(proof, false), {}],
    ] as [RequestInit['body'], Record<string, string>][]) {
      rmSync(join(folder, 'made'), { recursive: true, force: true })
      const response = await server.request('', 'cookie', { method: 'POST', body: body ?? null, headers })
      expect([response.status, response.message]).toEqual([200, ''])
    }
    const wrong = new URLSearchParams({ ...query, _csrf: 'wrong' })
    expect((await server.request('', 'cookie', { method: 'POST', body: wrong })).status).toBe(403)
  })

  for (const [what, body, contentType, status] of [
    [
      'a parameter twice in a form',
      'q=newfolder&path=/store/folder&name=made&name=other',
      'application/x-www-form-urlencoded',
      400,
    ],
    ['invalid JSON', '{"q":', 'application/json', 400],
    ['JSON that is a list', '[]', 'application/json', 400],
    ['JSON that is null', 'null', 'application/json', 400],
    ['a body of another kind', '<q>index</q>', 'text/xml', 400],
    ['plain text, which other sites may send', 'q=newfolder&path=/store/folder&name=made', 'text/plain', 400],
    ['a form without a boundary', 'q=index', 'multipart/form-data', 400],
    ['an invalid form', 'q=index', 'multipart/form-data; boundary=x', 400],
    [
      'a form that ends too early',
      '--x\r\nContent-Disposition: form-data; name="q"\r\n\r\nindex',
      'multipart/form-data; boundary=x',
      400,
    ],
    [
      'a form without names',
      '--x\r\nContent-Type: text/plain\r\n\r\nindex\r\n--x--',
      'multipart/form-data; boundary=x',
      400,
    ],
    [
      'a form with a field twice',
      '--x\r\nContent-Disposition: form-data; name="q"\r\n\r\nindex\r\n--x\r\nContent-Disposition: form-data; name="q"\r\n\r\ndelete\r\n--x--',
      'multipart/form-data; boundary=x',
      400,
    ],
  ] as const) {
    test(`${what} is refused`, async () => {
      const response = await server.request('', 'bearer', {
        method: 'POST',
        body,
        headers: { 'content-type': contentType },
      })
      expect(response.status).toBe(status)
      expect(response.message.length).toBeGreaterThan(10)
      expect(names()).toEqual(initialNames)
    })
  }

  test('too many items are refused by their number, whatever their size', async () => {
    const path = (at: number) => `/store/folder/${'x'.repeat(190)}${at}.txt`
    const list = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => ({ path: path(at) })))
    for (const q of ['delete', 'move', 'archive']) {
      const fields = { q, path: '/store/folder', item: '/store/folder/sub', name: 'x' }
      const body = new URLSearchParams({ ...fields, items: list(limits.maxFileItems + 1) })
      // The limit of 100 KB for files does not apply to fields.
      expect(body.toString().length).toBeGreaterThan(2 * 1024 ** 2)
      const response = await server.request('', 'bearer', { method: 'POST', body })
      expect([response.status, response.field]).toEqual([400, 'items'])
      expect(response.message).toBe(`At most ${limits.maxFileItems} files and folders at once.`)
    }
    const most = new URLSearchParams({ q: 'delete', path: '/store/folder', items: list(limits.maxFileItems) })
    expect((await server.request('', 'bearer', { method: 'POST', body: most })).message).toMatch(/^There is no \/store/)
    expect(names()).toEqual(initialNames)
  }, 30_000)

  test('an edited picture replaces only the version that it was created from', async () => {
    const version = async () => (await server.request('q=preview&path=/store/folder/a.txt')).headers.get('etag') ?? ''
    const before = await version()
    const replace = (bytes: string, fields: Record<string, string>) =>
      server.upload({ path: '/store/folder/a.txt', name: 'a.txt', ...fields }, { name: 'a.txt', bytes })
    expect((await replace('first', { version: before })).status).toBe(200)
    const intoFolder = { path: '/store/folder', overwrite: '1' }
    for (const fields of [{}, intoFolder]) {
      const refused = await replace('second', { version: before, ...fields })
      expect([refused.status, refused.message]).toEqual([
        409,
        '/store/folder/a.txt was changed by another user meanwhile. Open it again.',
      ])
    }
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('first')
    expect((await replace('third', { version: await version() })).status).toBe(200)
    // Clients of the protocol without versions are not checked.
    expect((await replace('fourth', {})).status).toBe(200)
    expect((await replace('fifth', { version: '2.1' })).status).toBe(200)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('fifth')
    expect(names()).toEqual(initialNames)
  })

  test('a text replaces only the version that it was edited from', async () => {
    const note = await openFileManagerServer()
    writeFileSync(join(note.store, 'note.txt'), 'before')
    const read = async () => {
      const { headers, text } = await note.request('q=preview&path=/store/note.txt')
      return { version: headers.get('etag') ?? '', text }
    }
    const save = (content: string, version: string) =>
      note.request('', 'bearer', {
        method: 'POST',
        body: new URLSearchParams({ q: 'save', path: '/store/note.txt', content, version }),
      })
    const before = await read()
    expect((await save('first', before.version)).status).toBe(200)
    const refused = await save('second', before.version)
    expect([refused.status, refused.message]).toEqual([
      409,
      '/store/note.txt was changed by another user meanwhile. Open it again.',
    ])
    // A client that lost the response sends its request again, although it was already performed.
    const again = await save('first', before.version)
    expect([again.status, again.text]).toEqual([200, 'first'])
    const after = await read()
    expect(after.text).toBe('first')
    // A proxy may turn the version into a weak ETag.
    expect((await save('third', `W/${after.version}`)).status).toBe(200)
    // Clients of the protocol without versions are not checked.
    expect(
      (await note.request('q=save&path=/store/note.txt&content=fourth', 'bearer', { method: 'POST' })).status,
    ).toBe(200)
    // Nor are clients that use a parameter of this name for something else.
    expect((await save('fifth', '2.1')).status).toBe(200)
    expect((await read()).text).toBe('fifth')
  })

  test('versions also work for files with a time before 1970', async () => {
    const old = await openFileManagerServer()
    const path = join(old.store, 'old.txt')
    const write = (text: string, seconds: number) => {
      writeFileSync(path, text)
      // A negative number would be taken as the current time.
      utimesSync(path, String(seconds), String(seconds))
    }
    const version = async () => (await old.request('q=preview&path=/store/old.txt')).headers.get('etag') ?? ''
    const save = (content: string, of: string) =>
      old.request('', 'bearer', {
        method: 'POST',
        body: new URLSearchParams({ q: 'save', path: '/store/old.txt', content, version: of }),
      })
    const upload = (bytes: string, of: string) =>
      old.upload({ path: '/store/old.txt', name: 'old.txt', version: of }, { name: 'old.txt', bytes })
    for (const seconds of [-86_400, -0.5]) {
      for (const send of [save, upload]) {
        write('before', seconds)
        const before = await version()
        write('by somebody else', seconds)
        expect((await send('mine', before)).status).toBe(409)
        expect(readFileSync(path, 'utf8')).toBe('by somebody else')
        expect((await send('mine', await version())).status).toBe(200)
        expect(readFileSync(path, 'utf8')).toBe('mine')
      }
    }
  })

  test('a text may be as large as a file, however it is encoded in the request', async () => {
    const small = await openFileManagerServer({ 'files.maxFileSize': '1MB' })
    const content = 'я'.repeat(500_000)
    const body = new URLSearchParams({ q: 'save', path: '/store/note.txt', content })
    expect(body.toString().length).toBeGreaterThan(2 * 1024 ** 2)
    expect((await small.request('', 'bearer', { method: 'POST', body })).status).toBe(200)
    expect(readFileSync(join(small.store, 'note.txt'), 'utf8')).toBe(content)
    body.set('content', `${content}${content}`)
    expect(await small.request('', 'bearer', { method: 'POST', body })).toMatchObject({
      status: 413,
      message: expect.stringMatching(/^A file can have at most \d+ bytes here\.$/),
    })
    await small.close()
  })

  test('a body that is too large is refused', async () => {
    const large = new URLSearchParams({ q: 'save', path: '/store/folder/a.txt', content: 'x'.repeat(17 * 1024 * 1024) })
    const wide = await openFileManagerServer({ 'files.maxFileSize': '1GB' })
    expect(
      await wide.request({ q: 'save', path: '/store/note.txt' }, 'bearer', { method: 'POST', body: large }),
    ).toMatchObject({ status: 413 })
    expect(readFileSync(join(wide.store, 'note.txt'), 'utf8')).toBe('a note')
    await wide.close()
  })
})
