import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { changingActions, readingActions } from '../../../schema/api/file-manager.ts'
import {
  describeDirectory,
  type FileManagerServer,
  type FilesResponse,
  itemsParameter,
  openFileManagerServer,
  writeFileAt,
} from '../../support/file-manager-server.ts'

let server: FileManagerServer
let before = ''
beforeAll(async () => {
  server = await openFileManagerServer()
  before = everything()
})
afterAll(() => server.close())

/** What no attack may change: everything outside, and the content of the root `store`. */
function everything(): string {
  const sibling = join(server.directory, 'store-sibling')
  return [server.outside, sibling, server.store].map(describeDirectory).join('\n')
}

/** A full sentence without an error code and without the server's paths. */
function isClear(message: string): boolean {
  return (
    message.length > 10 &&
    /[.]$/.test(message) &&
    !message.includes(server.directory) &&
    !/\bE[A-Z]{4,}\b/.test(message)
  )
}

/** Every action with the path in each of its parameters. Each of them must refuse a path that attacks. */
const uses: Record<string, (path: string) => Record<string, string>> = {
  ...Object.fromEntries(readingActions.map(q => [q, (path: string) => ({ q, path, filter: 'secret' })])),
  newfolder: path => ({ q: 'newfolder', path, name: 'made' }),
  newfile: path => ({ q: 'newfile', path, name: 'made.txt' }),
  save: path => ({ q: 'save', path, content: 'overwritten' }),
  'rename of it': path => ({ q: 'rename', path: '/store', item: path, name: 'renamed' }),
  'move of it': path => ({ q: 'move', path: '/store', items: itemsParameter(path), item: '/store/sub' }),
  'move to it': path => ({ q: 'move', path: '/store', items: itemsParameter('/store/note.txt'), item: path }),
  delete: path => ({ q: 'delete', path: '/store', items: itemsParameter(path) }),
  'delete of it and another': path => ({ q: 'delete', path: '/store', items: itemsParameter('/store/note.txt', path) }),
  'archive of it': path => ({ q: 'archive', path: '/store', items: itemsParameter(path), name: 'made.zip' }),
  'archive in it': path => ({ q: 'archive', path, items: itemsParameter('/store/note.txt'), name: 'made.zip' }),
  'unarchive of it': path => ({ q: 'unarchive', path: '/store', item: path }),
  'unarchive in it': path => ({ q: 'unarchive', path, item: '/store/note.txt' }),
  upload: path => ({ q: 'upload', path }),
}

async function use(name: string, path: string): Promise<FilesResponse> {
  const query = uses[name]?.(path) ?? {}
  return query.q === 'upload' ? server.upload(query, { name: 'made.txt', bytes: 'bytes' }) : server.request(query)
}

const links = ['link-to-file', 'link-to-dir', 'absolute-link', 'link-inside', 'dangling', 'loop'].map(
  name => `/store/${name}`,
)

/** Attacking paths, each with the statuses that its refusal may have. */
const attacks: [what: string, path: string, statuses: number[]][] = [
  ['dots', '/store/../outside/secret.txt', [400]],
  ['dots at the top', '/../outside/secret.txt', [400]],
  ['dots at the end', '/store/sub/..', [400]],
  ['dots only', '..', [400]],
  ['dots that lead back into the root', '/store/../store/note.txt', [400]],
  ['a single dot', '/store/./note.txt', [400]],
  ['dots, encoded twice', '/store/%2e%2e/outside/secret.txt', [404]],
  ['dots, encoded three times', '/store/%252e%252e%252foutside', [404]],
  ['a slash, encoded twice', '/store/..%2foutside%2fsecret.txt', [404]],
  ['overlong dots', '/store/\u00c0\u00ae\u00c0\u00ae/outside', [404]],
  ["dots in Keepsake's own escapes", '/store/\\x2E\\x2E/outside/secret.txt', [400]],
  ["a slash in Keepsake's own escapes", '/store/..\\x2Foutside\\x2Fsecret.txt', [400]],
  ["a NUL in Keepsake's own escapes", '/store/note.txt\\x00', [400]],
  ['backslashes', '/store\\..\\outside\\secret.txt', [400]],
  ['backslashes for slashes', '\\store\\note.txt', [400]],
  ['mixed slashes', '/store/..\\outside/secret.txt', [400]],
  ['fullwidth dots', '/store/\uff0e\uff0e/outside/secret.txt', [404]],
  ['a drive letter', 'C:\\outside\\secret.txt', [400]],
  ['a network path', '//store/note.txt', [400]],
  ['an empty name', '/store//note.txt', [400]],
  ['a relative path', 'store/note.txt', [400]],
  ['an address', 'file:///etc/passwd', [400]],
  ['NUL', '/store/note.txt\0.jpg', [400]],
  ['NUL at the end', '/store\0', [400]],
  ['a newline', '/store/note\n.txt', [400]],
  ['a carriage return', '/store/note.txt\r\nX-Evil: 1', [400]],
  ['an escape character', '/store/\u001b[31mnote.txt', [400]],
  ['a control character of the second block', '/store/\u0085note.txt', [400]],
  ['a right-to-left override', '/store/\u202etxt.eton', [400]],
  ['a name of 256 bytes', `/store/${'x'.repeat(256)}`, [400]],
  ['a name of 256 bytes in 128 letters', `/store/${'ü'.repeat(128)}`, [400]],
  ['a path of 20,000 letters', `/store${'/x'.repeat(10_000)}`, [400]],
  ['a path that is too long for the system', `/store${`/${'x'.repeat(200)}`.repeat(30)}`, [400, 403, 404]],
  ['half a character', '/store/\ud800', [400, 404]],
  ['a sibling with the same beginning', '/store-sibling/secret.txt', [404]],
  ['a sibling by way of dots', '/store/../store-sibling/secret.txt', [400]],
  ['a root in upper case', '/STORE/note.txt', [404]],
  ['a folder that is not a root', '/outside/secret.txt', [404]],
  ['a folder of the system', '/etc/passwd', [404]],
  ['a link as leaf', '/store/link-to-file', [403]],
  ['a link to a folder as leaf', '/store/link-to-dir', [403]],
  ['an absolute link as leaf', '/store/absolute-link', [403]],
  ['a link in the middle', '/store/link-to-dir/secret.txt', [403]],
  ['a link in the middle, deeper', '/store/sub/deep-link/deep/secret.txt', [403]],
  ['an absolute link in the middle', '/store/absolute-link/secret.txt', [403]],
  ['a link to a folder of the root itself', '/store/link-inside', [403]],
  ['through a link to a folder of the root itself', '/store/link-inside/inner.txt', [403]],
  ['a dangling link', '/store/dangling', [403]],
  ['through a dangling link', '/store/dangling/x', [403]],
  ['a link to itself', '/store/loop', [403]],
  ['through a link to itself', '/store/loop/x', [403]],
  ['the data directory', '/home/data', [404]],
  ['a file of the data directory', '/home/data/library.db', [404]],
  ['secrets of the data directory', '/home/data/secrets.json', [404]],
  ['a missing file of the data directory', '/home/data/none/x', [404]],
  ["one of Keepsake's temporary names", '/store/.keepsake-0123456789abcdef.tmp', [404]],
]

describe('no path leads out of the roots:', () => {
  for (const [what, path, statuses] of attacks) {
    test(what, async () => {
      const faults: string[] = []
      // Deleting a link deletes the link itself: see links.test.ts.
      const isLink = links.includes(path)
      for (const name of Object.keys(uses)) {
        if (isLink && name.startsWith('delete')) continue
        const { status, message, text } = await use(name, path)
        if (!statuses.includes(status)) faults.push(`${name}: ${status} ${message}`)
        if (!isClear(message)) faults.push(`${name} says: ${text.slice(0, 200)}`)
        if (/^(outside|sibling)$|^SQLite format/.test(text)) faults.push(`${name} sends the content`)
      }
      expect(faults).toEqual([])
      expect(everything()).toBe(before)
    }, 20_000)
  }

  test('nothing can be changed at the top', async () => {
    for (const name of Object.keys(uses)) {
      const { status, message } = await use(name, '/')
      if (['index', 'subfolders', 'search'].includes(name)) expect(status).toBe(200)
      else expect({ name, status, clear: isClear(message) }).toEqual({ name, status: 403, clear: true })
    }
    expect(everything()).toBe(before)
  })
})

describe('no raw address leads out of the roots:', () => {
  const raw: [what: string, query: string, status: number][] = [
    ['dots encoded once', 'q=preview&path=%2Fstore%2F%2e%2e%2Foutside%2Fsecret.txt', 400],
    ['dots encoded twice', 'q=preview&path=%2Fstore%2F%252e%252e%252Foutside%252Fsecret.txt', 404],
    ['dots encoded three times', 'q=preview&path=/store/%25252e%25252e/outside', 404],
    ['NUL encoded', 'q=preview&path=/store/note.txt%00', 400],
    ['bytes that are not UTF-8', 'q=preview&path=/store/%e9', 404],
    ['overlong UTF-8', 'q=preview&path=/store/%c0%ae%c0%ae/outside', 404],
    ['half an escape', 'q=preview&path=/store/%', 404],
    ['a parameter twice', 'q=preview&path=/store/note.txt&path=/store/../outside/secret.txt', 400],
    ['a parameter twice, once encoded', 'q=preview&path=/store/note.txt&p%61th=/etc/passwd', 400],
    ['the action twice', 'q=index&q=delete&path=/store', 400],
    ['an unknown action', 'q=chmod&path=/store', 400],
    ['an action in upper case', 'q=INDEX&path=/store', 400],
    ['no action', 'path=/store', 400],
    ['nothing at all', '', 400],
    ['a list for a path', 'q=index&path[]=/store&path[]=/etc', 400],
    ['an unknown parameter', 'q=index&paths=/store/../outside', 200],
  ]
  for (const [what, query, status] of raw) {
    test(what, async () => {
      const response = await server.request(query)
      expect({ status: response.status, text: response.text === 'outside' }).toEqual({ status, text: false })
      if (status !== 200) expect(response.message.length).toBeGreaterThan(10)
      expect(everything()).toBe(before)
    })
  }
})

describe('files that are replaced during a request', () => {
  test('a folder that is replaced by a link is read as before or refused', async () => {
    const folder = join(server.store, 'swapped')
    const away = join(server.store, 'swapped-away')
    writeFileAt(join(folder, 'secret.txt'), 'inside')
    const statuses = new Set<string>()
    let isLink = false
    for (let i = 0; i < 150; i++) {
      const requests = [
        server.request({ q: 'preview', path: '/store/swapped/secret.txt' }),
        server.request({ q: 'index', path: '/store/swapped' }),
        server.request({ q: 'search', path: '/store/swapped', filter: 'deep' }),
        server.request({ q: 'download', path: '/store/swapped/secret.txt' }),
        server.request({ q: 'save', path: '/store/swapped/secret.txt', content: 'inside' }),
      ]
      for (let turn = 0; turn < i % 7; turn++) await Promise.resolve()
      if (isLink) {
        unlinkSync(folder)
        renameSync(away, folder)
      } else {
        renameSync(folder, away)
        symlinkSync(server.outside, folder)
      }
      isLink = !isLink
      for (const { status, text } of await Promise.all(requests)) {
        expect(text).not.toBe('outside')
        expect(text).not.toContain('/deep')
        expect(status).toBeLessThan(500)
        statuses.add(String(status))
      }
    }
    expect([...statuses]).toContain('200')
    if (isLink) {
      unlinkSync(folder)
      renameSync(away, folder)
    }
    rmSync(folder, { recursive: true })
    expect(everything()).toBe(before)
  }, 60_000)

  test('the target of a link that replaces a file is not sent', async () => {
    const folder = join(server.store, 'leaf')
    mkdirSync(folder)
    for (let i = 0; i < 100; i++) {
      writeFileAt(join(folder, 'a.txt'), 'inside')
      const request = server.request({ q: 'preview', path: '/store/leaf/a.txt' })
      for (let turn = 0; turn < i % 5; turn++) await Promise.resolve()
      unlinkSync(join(folder, 'a.txt'))
      symlinkSync(join(server.outside, 'secret.txt'), join(folder, 'a.txt'))
      const { text, status } = await request
      expect(text).not.toBe('outside')
      expect([200, 403, 404]).toContain(status)
      unlinkSync(join(folder, 'a.txt'))
    }
    rmSync(folder, { recursive: true })
    expect(everything()).toBe(before)
  }, 30_000)
})

test('every action of the protocol is attacked', () => {
  const attacked = new Set(Object.values(uses).map(query => query('/').q))
  expect([...attacked].sort()).toEqual([...readingActions, ...changingActions].sort())
})
