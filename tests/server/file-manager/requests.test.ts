/** Who may request which action of the file manager, and what it responds. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { changingActions, readingActions } from '../../../schema/api/file-manager.ts'
import {
  type Authentication,
  createForm,
  describeDirectory,
  type FileManagerServer,
  type FilesResponse,
  initialNames,
  itemsParameter,
  setUpFileManagerServer,
  writeFileAt,
} from '../../support/file-manager-server.ts'

let server: FileManagerServer
let folder = ''
setUpFileManagerServer({ 'files.maxFileSize': '100KB' }, (opened, path) => {
  server = opened
  folder = path
})

const names = () => readdirSync(folder).sort()

/** The parameters of every changing action. */
const changes: Record<(typeof changingActions)[number], Record<string, string>> = {
  newfolder: { path: '/store/folder', name: 'made' },
  newfile: { path: '/store/folder', name: 'made.txt' },
  save: { path: '/store/folder/a.txt', content: 'as it is' },
  rename: { path: '/store/folder', item: '/store/folder/a.txt', name: 'renamed.txt' },
  move: { path: '/store/folder', items: itemsParameter('/store/folder/a.txt'), item: '/store/folder/sub' },
  delete: { path: '/store/folder', items: itemsParameter('/store/folder/a.txt') },
  archive: { path: '/store/folder', items: itemsParameter('/store/folder/a.txt'), name: 'made.zip' },
  unarchive: { path: '/store/folder', item: '/store/folder/made.zip' },
  upload: { path: '/store/folder' },
}

/** Sends an action as GET, or an upload as a form. */
function act(
  q: keyof typeof changes,
  as: Authentication,
  more: Record<string, string> = {},
  headers = {},
): Promise<FilesResponse> {
  const init = q === 'upload' ? { method: 'POST', body: createForm({}) } : {}
  return server.request({ q, ...changes[q], ...more }, as, { ...init, headers })
}

describe('permissions:', () => {
  for (const q of [...changingActions, ...readingActions]) {
    test(`${q} is only for global admins, and rights are checked before the path`, async () => {
      for (const path of ['/store/folder', '/store/none', '/../x']) {
        const query = { q, path, filter: 'a', name: 'made', items: itemsParameter(path), item: path, content: 'x' }
        const anonymous = await server.request(query, 'anonymous')
        expect(anonymous).toMatchObject({ status: 401, code: 'unauthenticated' })
        expect(anonymous.headers.get('www-authenticate')).toBe('Bearer')
        expect(await server.request(query, 'other')).toMatchObject({ status: 403, code: 'denied' })
      }
      expect((await server.request('nonsense', 'anonymous')).status).toBe(401)
      expect((await server.request('nonsense', 'other')).status).toBe(403)
      expect(names()).toEqual(initialNames)
    })
  }

  for (const q of changingActions) {
    test(`${q} is refused with the cookie alone`, async () => {
      if (q === 'unarchive') {
        await act('archive', 'bearer')
        rmSync(join(folder, 'a.txt'))
      }
      const before = describeDirectory(folder)
      const insufficient: Record<string, string>[] = [
        {},
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' },
        { 'x-csrf-token': 'a'.repeat(43) },
        { 'x-csrf-token': '' },
        { origin: 'https://evil.example' },
      ]
      for (const headers of insufficient) {
        expect(await act(q, 'cookie', {}, headers)).toMatchObject({
          status: 403,
          message: 'The request lacks X-CSRF-Token.',
        })
      }
      expect((await act(q, 'cookie', { _csrf: 'a'.repeat(43) })).status).toBe(403)
      expect((await act(q, 'cookie', { _csrf: '' })).status).toBe(403)
      expect(describeDirectory(folder)).toBe(before)
      expect((await act(q, 'cookie', { _csrf: server.csrf })).status).toBe(200)
    })

    test(`${q} is allowed with the cookie and X-CSRF-Token, and with a Bearer token alone`, async () => {
      for (const as of ['cookie-csrf', 'bearer'] as const) {
        rmSync(folder, { recursive: true })
        mkdirSync(join(folder, 'sub'), { recursive: true })
        writeFileAt(join(folder, 'a.txt'), 'as it was')
        if (q === 'unarchive') {
          await act('archive', 'bearer')
          rmSync(join(folder, 'a.txt'))
        }
        const response = await act(q, as)
        expect([response.status, response.message]).toEqual([200, ''])
      }
    })

    test(`${q} is refused if sent with HEAD`, async () => {
      const { status, headers, bytes } = await server.request({ q, ...changes[q] }, 'bearer', { method: 'HEAD' })
      expect([status, headers.get('allow'), bytes.length]).toEqual([405, 'GET, POST', 0])
      expect(names()).toEqual(initialNames)
    })
  }

  test('reading actions need only the cookie', async () => {
    for (const q of ['index', 'subfolders', 'search', 'download'] as const)
      expect((await server.request({ q, path: '/store/folder', filter: 'a' }, 'cookie')).status).toBe(200)
    expect((await server.request({ q: 'preview', path: '/store/folder/a.txt' }, 'cookie')).text).toBe('as it was')
  })

  test('other methods are not found', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const response = await server.request({ q: 'delete', ...changes.delete }, 'bearer', { method })
      expect(response.status).toBe(404)
    }
    expect(names()).toEqual(initialNames)
  })
})

describe('responses:', () => {
  for (const q of changingActions) {
    test(`${q} returns ${q === 'save' ? 'the saved text' : 'the changed folder'}`, async () => {
      if (q === 'unarchive') {
        await act('archive', 'bearer')
        rmSync(join(folder, 'a.txt'))
      }
      const response = await act(q, 'bearer')
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-store')
      if (q === 'save') {
        expect(response.text).toBe('as it is')
        expect(response.headers.get('content-type')).toContain('text/plain')
        return
      }
      expect(response.dirname).toBe('/store/folder')
      expect(response.files?.map(({ basename }) => basename).sort()).toEqual(names())
      expect(names()).not.toEqual(initialNames)
    })
  }

  test('deleting the listed folder itself returns its parent', async () => {
    const response = await server.request({
      q: 'delete',
      path: '/store/folder/sub',
      items: itemsParameter('/store/folder/sub'),
    })
    expect([response.status, response.dirname]).toEqual([200, '/store/folder'])
  })

  test('results of a search in / can be renamed, moved and deleted with / as the listed folder', async () => {
    const found = await server.request({ q: 'search', path: '/', filter: 'a.txt' })
    expect(found.files?.map(({ path }) => path)).toEqual(['/store/folder/a.txt'])
    const top = { path: '/' }
    const renamed = await server.request({ q: 'rename', ...top, item: '/store/folder/a.txt', name: 'c.txt' })
    expect([renamed.status, renamed.dirname]).toEqual([200, '/'])
    expect(
      (
        await server.request({
          q: 'move',
          ...top,
          items: itemsParameter('/store/folder/c.txt'),
          item: '/store/folder/sub',
        })
      ).status,
    ).toBe(200)
    expect(
      (await server.request({ q: 'delete', ...top, items: itemsParameter('/store/folder/sub/c.txt') })).status,
    ).toBe(200)
    expect(names()).toEqual(['b.txt', 'sub'])
  })

  test('a refusal has message and status in addition to the fields that other calls have', async () => {
    const { text } = await server.request({ q: 'index', path: '/store/none' })
    expect(JSON.parse(text)).toEqual({
      message: 'There is no /store/none. Refresh the folder.',
      status: false,
      error: 'There is no /store/none. Refresh the folder.',
      code: 'notFound',
      pattern: 'There is no {0}. Refresh the folder.',
      values: ['/store/none'],
      field: 'path',
    })
    const twice = await server.request('q=index&path=/store&path=/home')
    const message = "Parameter 'path' is given more than once."
    expect(JSON.parse(twice.text)).toMatchObject({
      message,
      status: false,
      error: message,
      code: 'invalid',
      field: 'path',
    })
  })

  for (const [what, query, field] of [
    ['no name', { q: 'newfolder', path: '/store/folder' }, 'name'],
    ['an empty name', { q: 'newfolder', path: '/store/folder', name: '' }, 'name'],
    ['a name of spaces', { q: 'newfile', path: '/store/folder', name: '  ' }, 'name'],
    ['no content', { q: 'save', path: '/store/folder/a.txt' }, 'content'],
    ['no item', { q: 'rename', path: '/store/folder', name: 'x' }, 'item'],
    ['no new name', { q: 'rename', path: '/store/folder', item: '/store/folder/a.txt' }, 'name'],
    ['no items', { q: 'delete', path: '/store/folder' }, 'items'],
    ['an empty list', { q: 'delete', path: '/store/folder', items: '[]' }, 'items'],
    ['items that are not JSON', { q: 'delete', path: '/store/folder', items: '[{' }, 'items'],
    [
      'items that are not a list',
      { q: 'delete', path: '/store/folder', items: '{"path":"/store/folder/a.txt"}' },
      'items',
    ],
    ['items without paths', { q: 'delete', path: '/store/folder', items: '[{"type":"file"}]' }, 'items'],
    ['items that are texts', { q: 'delete', path: '/store/folder', items: '["/store/folder/a.txt"]' }, 'items'],
    [
      'items whose paths are lists',
      { q: 'delete', path: '/store/folder', items: '[{"path":["/store/folder/a.txt"]}]' },
      'items',
    ],
    [
      'one good item and one bad',
      { q: 'delete', path: '/store/folder', items: itemsParameter('/store/folder/a.txt', '/x/..') },
      'items',
    ],
    ['no target', { q: 'move', path: '/store/folder', items: itemsParameter('/store/folder/a.txt') }, 'item'],
    ['no file', { q: 'upload', path: '/store/folder' }, 'file'],
    ['a name that is very long', { q: 'newfolder', path: '/store/folder', name: 'x'.repeat(3000) }, 'name'],
  ] as const) {
    test(`${what} is refused with the name of the field`, async () => {
      const response = await server.request(query)
      expect([response.status, response.field]).toEqual([400, field])
      expect(response.message.length).toBeGreaterThan(8)
      expect(names()).toEqual(initialNames)
    })
  }

  for (const [what, name] of [
    ['..', '..'],
    ['.', '.'],
    ['a slash', 'a/b'],
    ['a parent folder', '../made'],
    ['a backslash', 'a\\b'],
    ["Keepsake's own escape", 'a\\x41'],
    ['NUL', 'a\0b'],
    ['a newline', 'a\nb'],
    ['a tab', 'a\tb'],
    ['an escape character', 'a\u001b[31mb'],
    ['a control character of the second block', 'a\u0085b'],
    ['a right-to-left override', 'photo\u202egpj.exe'],
    ['an isolate', '\u2066a'],
    ['a left-to-right mark', 'a\u200eb'],
    ['a line separator', 'a\u2028b'],
    ['a byte order mark', '\ufeffa'],
    ['256 bytes', 'x'.repeat(256)],
    ['256 bytes in 128 letters', 'ü'.repeat(128)],
    ['a zero-width space alone', '\u200b'],
    ['joiners and spaces alone', ' \u200c\u200d\u00a0\u2060'],
    ['a soft hyphen and a variation selector alone', '\u00ad\ufe0f'],
    ['invisible letters', '\u3164\u115f\uffa0'],
    ['Braille without dots', '\u2800'],
    ['Unicode tag characters alone', '\u{e0041}\u{e007f}'],
    ['marks of direction alone', '\u202e\u202c'],
    ['a leading dot', '.dot'],
    ['a dot after a character that some disks ignore', '\u200c.ssh'],
  ] as const) {
    test(`a new name with ${what} is refused everywhere`, async () => {
      const zip = await act('archive', 'bearer')
      expect(zip.status).toBe(200)
      const before = describeDirectory(folder)
      const responses = await Promise.all([
        act('newfolder', 'bearer', { name }),
        act('newfile', 'bearer', { name }),
        act('rename', 'bearer', { name }),
        act('archive', 'bearer', { name }),
        server.upload({ path: '/store/folder', name }, { name: 'plain.txt', bytes: 'x' }),
      ])
      for (const { status, field, message } of responses) {
        expect([status, field]).toEqual([400, 'name'])
        expect(message).toMatch(/^[A-Z'].+\.$/)
      }
      expect(describeDirectory(folder)).toBe(before)
    })
  }

  test('a name without visible characters is refused with its own message, also for an uploaded file', async () => {
    const message = 'A name needs at least one visible character.'
    expect(await act('newfolder', 'bearer', { name: '\u200b' })).toMatchObject({ status: 400, message })
    const uploaded = await server.upload({ path: '/store/folder' }, { name: '\u200b\u2060', bytes: 'x' })
    expect(uploaded).toMatchObject({ status: 400, message, field: 'name' })
    // An existing file with such a name can be renamed.
    writeFileAt(join(folder, '\u200b'), 'unseen')
    const item = '/store/folder/\u200b'
    expect((await server.request({ q: 'rename', path: '/store/folder', item, name: 'seen' })).status).toBe(200)
    expect(names()).toEqual([...initialNames, 'seen'].sort())
  })

  test('names in any language are accepted, also with joiners', async () => {
    for (const name of [
      'می\u200cخواهم',
      'Ünïcode',
      '日本',
      '👨\u200d👩\u200d👧',
      '\u200ba',
      '\u0600',
      'x'.repeat(255),
      'a.b',
      'a b',
      '100%',
      '~',
      '-rf',
    ]) {
      const response = await act('newfolder', 'bearer', { name })
      expect([response.status, response.message]).toEqual([200, ''])
      expect(names()).toContain(name.normalize('NFC'))
    }
  })
})
