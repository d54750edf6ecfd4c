import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { temporaryName } from '../../../core/files/write-whole.ts'
import { changingActions, type FileAction, readingActions } from '../../../schema/api/file-manager.ts'
import {
  type Authentication,
  type FileManagerServer,
  type FilesResponse,
  initialNames,
  itemsParameter,
  readResponse,
  setUpFileManagerServer,
  writeFileAt,
} from '../../support/file-manager-server.ts'
import { buildZip } from '../../support/zip-maker.ts'

let server: FileManagerServer
let folder = ''
const limit = 100 * 1024
setUpFileManagerServer({ 'files.maxFileSize': '100KB' }, (opened, path) => {
  server = opened
  folder = path
})

const isOurs = (name: string) => name.startsWith(temporaryName().toString().slice(0, 10))
const partialFilesIn = (directory: string) => readdirSync(directory, { recursive: true }).map(String).filter(isOurs)
/** Searches only the folder in depth, because links elsewhere in the store lead out of it. */
const partialFilesInStore = () => [...readdirSync(server.store).filter(isOurs), ...partialFilesIn(folder)]
const cache = () => join(server.data, 'cache')
const names = () => readdirSync(folder).sort()
const text = (name: string) => readFileSync(join(folder, name), 'utf8')

function expectNothingLeft() {
  expect(partialFilesIn(folder)).toEqual([])
  expect(partialFilesIn(cache())).toEqual([])
  expect(server.library.db.all('SELECT * FROM journal')).toEqual([])
}
afterEach(expectNothingLeft)

type Piece = [name: string, value: string] | { file: string | Uint8Array; name?: string }
const blob: Piece = { file: 'bytes', name: 'blob' }

function bytesOf(piece: Piece): Uint8Array {
  const head = (message: string) => Buffer.from(`--b\r\nContent-Disposition: form-data; ${message}\r\n\r\n`)
  const end = Buffer.from('\r\n')
  if ('file' in piece)
    return Buffer.concat([head(`name="file"; filename="${piece.name ?? 'sent.txt'}"`), Buffer.from(piece.file), end])
  return Buffer.concat([head(`name="${piece[0]}"`), Buffer.from(piece[1]), end])
}

const formType = { 'content-type': 'multipart/form-data; boundary=b' }
const lastLine = '--b--\r\n'

/** Sends a form with its parts in this order. */
function sendForm(
  pieces: readonly Piece[],
  as: Authentication = 'cookie',
  query: Record<string, string> = {},
): Promise<FilesResponse> {
  const body = Buffer.concat([...pieces.map(bytesOf), Buffer.from(lastLine)])
  return server.request(query, as, { method: 'POST', body, headers: formType })
}

/** Sends the first pieces of a form. Returns functions that send the rest or abort the request. */
function beginForm(first: readonly (Piece | string)[], as: Authentication = 'cookie', gone?: AbortSignal) {
  const { promise: rest, resolve } = Promise.withResolvers<readonly (Piece | string)[] | Error>()
  const raw = (piece: Piece | string) => (typeof piece === 'string' ? Buffer.from(piece) : bytesOf(piece))
  async function* chunks() {
    for (const piece of first) yield raw(piece)
    const more = await rest
    if (more instanceof Error) throw more
    for (const piece of more) yield raw(piece)
  }
  const source = chunks()
  let pulls = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pulls++
        const { value, done } = await source.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
  const signal = gone === undefined ? {} : { signal: gone }
  const response = server.send({}, as, { method: 'POST', body, headers: formType, ...signal }).then(readResponse)
  return {
    resume: (pieces: readonly (Piece | string)[]) => {
      resolve(pieces)
      return response
    },
    abort: () => {
      resolve(new Error('the connection is lost'))
      return response
    },
    response,
    pulls: () => pulls,
  }
}

/** The beginning of a form, which ends within its file. */
const half = '--b\r\nContent-Disposition: form-data; name="file"; filename="half.txt"\r\n\r\nhalf'

/** Checks the condition at every turn of the event loop. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setImmediate(resolve))
}

interface Call {
  fields: Record<string, string>
  /** Whether the action was performed. */
  isDone: (response: FilesResponse) => boolean
  before?: () => void
}

const callsOf: Record<FileAction, Call> = {
  index: { fields: { path: '/store/folder' }, isDone: ({ files }) => files?.length === initialNames.length },
  subfolders: { fields: { path: '/store/folder' }, isDone: response => JSON.parse(response.text).folders.length === 1 },
  search: { fields: { path: '/store/folder', filter: 'a.t' }, isDone: ({ files }) => files?.length === 1 },
  preview: { fields: { path: '/store/folder/a.txt' }, isDone: response => response.text === 'as it was' },
  download: { fields: { path: '/store/folder/a.txt' }, isDone: response => response.text === 'as it was' },
  newfolder: {
    fields: { path: '/store/folder', name: 'made' },
    isDone: () => statSync(join(folder, 'made')).isDirectory(),
  },
  newfile: { fields: { path: '/store/folder', name: 'made' }, isDone: () => text('made') === '' },
  save: { fields: { path: '/store/folder/a.txt', content: 'other' }, isDone: () => text('a.txt') === 'other' },
  rename: {
    fields: { path: '/store/folder', item: '/store/folder/a.txt', name: 'c.txt' },
    isDone: () => text('c.txt') === 'as it was',
  },
  move: {
    fields: { path: '/store/folder', items: itemsParameter('/store/folder/a.txt'), item: '/store/folder/sub' },
    isDone: () => text('sub/a.txt') === 'as it was',
  },
  delete: {
    fields: { path: '/store/folder', items: itemsParameter('/store/folder/a.txt') },
    isDone: () => !existsSync(join(folder, 'a.txt')),
  },
  archive: {
    fields: { path: '/store/folder', items: itemsParameter('/store/folder/a.txt'), name: 'packed' },
    isDone: () => existsSync(join(folder, 'packed.zip')),
  },
  unarchive: {
    fields: { path: '/store/folder', item: '/store/folder/in.zip' },
    before: () => writeFileAt(join(folder, 'in.zip'), buildZip([{ name: 'out.txt', data: 'unpacked' }])),
    isDone: () => text('out.txt') === 'unpacked',
  },
  upload: { fields: { path: '/store/folder', name: 'named.txt' }, isDone: () => text('named.txt') === 'bytes' },
}

test('a file name that looks like a parameter of the header is kept', async () => {
  for (const name of ["y; filename*=utf-8''other.txt", "50; filename*=utf-8''100%.txt", 'z; name=path.txt'])
    expect((await sendForm([['q', 'upload'], ['path', '/store/folder'], { file: name, name }], 'bearer')).status).toBe(
      200,
    )
  expect(names()).toEqual(
    expect.arrayContaining(["50; filename*=utf-8''100%.txt", "y; filename*=utf-8''other.txt", 'z; name=path.txt']),
  )
  expect(text("y; filename*=utf-8''other.txt")).toBe("y; filename*=utf-8''other.txt")
})

const upload: Piece[] = [
  ['q', 'upload'],
  ['path', '/store/folder'],
]

describe('a name with line breaks or unescaped quotes is reported, and no file is stored:', () => {
  for (const [what, name, message] of [
    ['a line separator', 'a\u2028b.txt', /writing direction/],
    ['a paragraph separator', 'a\u2029b.txt', /writing direction/],
    ['a line feed', 'a\nb.txt', /line breaks/],
    ['a carriage return', 'a\rb.txt', /line breaks/],
    ['a carriage return and a line feed', 'a\r\nb.txt', /cannot be read/],
    ['an unescaped quotation mark', 'a"b.txt', /cannot be read/],
    ['an unescaped quotation mark after a semicolon', 'a;b="c.txt', /cannot be read/],
    ['a backslash at its end', 'a\\', /must not contain '\/'/],
  ] as const)
    for (const [where, pieces] of [
      ['after the fields', [...upload, { file: 'x', name }]],
      ['before the fields', [{ file: 'x', name }, ...upload]],
    ] as [string, Piece[]][])
      test(`${what}, ${where}`, async () => {
        const response = await sendForm(pieces, 'bearer')
        expect([response.status, response.message]).toEqual([400, expect.stringMatching(message)])
        expect(names()).toEqual(initialNames)
      })

  test("a line separator in the field 'name' is reported, too", async () => {
    const response = await sendForm([...upload, blob, ['name', 'a\u2028b.txt']], 'bearer')
    expect([response.status, response.message]).toEqual([400, expect.stringMatching(/writing direction/)])
  })
})

describe('a form may have:', () => {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="sent.txt"'
  const end = '\r\n\r\nx\r\n--b--\r\n'
  for (const [what, body] of [
    ['names without quotation marks', `--b\r\n${disposition.replaceAll('"', '')}${end}`],
    ['a name with its language', `--b\r\n${disposition}; filename*=UTF-8'en'sent.txt${end}`],
  ] as const)
    test(what, async () => {
      const query = { q: 'upload', path: '/store/folder' }
      const response = await server.request(query, 'bearer', { method: 'POST', body, headers: formType })
      expect([response.status, response.message]).toEqual([200, ''])
      expect(text('sent.txt')).toBe('x')
    })

  test('a file field without a chosen file', async () => {
    const empty: Piece = { file: '', name: '' }
    expect((await sendForm([...upload, empty, blob, empty], 'bearer')).status).toBe(200)
    expect((await sendForm([empty, { file: 'y', name: 'y.txt' }, ...upload], 'bearer')).status).toBe(200)
    expect(names()).toEqual([...initialNames, 'blob', 'y.txt'].sort())
    const none = await sendForm([...upload, empty], 'bearer')
    expect([none.status, none.message]).toEqual([400, expect.stringMatching(/^No file was sent/)])
  })

  test("a file without a name gets the name in the field 'name'", async () => {
    expect((await sendForm([...upload, ['name', 'said.txt'], { file: 'z', name: '' }], 'bearer')).status).toBe(200)
    expect(text('said.txt')).toBe('z')
  })
})

test('a body that is not a form is not read to its end', async () => {
  const form = beginForm(['x'.repeat(20 * 1024)], 'bearer')
  expect((await form.response).status).toBe(400)
})

describe('a form may have its fields', () => {
  for (const q of [...readingActions, ...changingActions]) {
    const { fields, isDone, before } = callsOf[q]
    const pieces = () => Object.entries({ q, ...fields, _csrf: server.csrf })
    const orders: [string, () => Piece[]][] = [
      ['before a file', () => [...pieces(), blob]],
      ['after a file', () => [blob, ...pieces()]],
      ['after a file, in reverse order', () => [blob, ...pieces().reverse()]],
      ['around a file', () => [...pieces().slice(0, 2), blob, ...pieces().slice(2)]],
      [
        'around a file, with _csrf before it',
        () => [...pieces().toReversed().slice(0, 2), blob, ...pieces().toReversed().slice(2)],
      ],
    ]
    for (const [where, form] of orders)
      test(`${where}: ${q}`, async () => {
        before?.()
        const response = await sendForm(form())
        expect([response.status, response.message]).toEqual([200, ''])
        expect(isDone(response)).toBe(true)
        expect(names()).not.toContain('blob')
      })
  }

  test('after an unrelated file, as a client sends a text after a crop', async () => {
    const csrf = ['_csrf', server.csrf] as const
    const crop: Piece[] = [
      [...csrf],
      ['q', 'upload'],
      ['adapter', 'local'],
      ['path', '/store/folder/b.txt'],
      blob,
      ['name', 'b.txt'],
    ]
    expect((await sendForm(crop)).status).toBe(200)
    expect(text('b.txt')).toBe('bytes')
    const save: Piece[] = [
      [...csrf],
      ['q', 'save'],
      ['adapter', 'local'],
      ['path', '/store/folder/a.txt'],
      blob,
      ['content', 'new words'],
    ]
    const response = await sendForm(save)
    expect([response.status, response.text]).toEqual([200, 'new words'])
    expect(text('a.txt')).toBe('new words')
    expect(names()).toEqual(initialNames)
  })

  for (const [where, first, last] of [
    ['before', ['name', 'overwrite', 'modified'], []],
    ['around', ['name'], ['modified', 'overwrite']],
    ['after', [], ['overwrite', 'modified', 'name']],
  ] as const)
    test(`${where} the file: name, overwrite and modified apply`, async () => {
      const values: Record<string, string> = { name: 'a.txt', overwrite: '1', modified: '1000000000000' }
      const fieldsOf = (keys: readonly string[]) => keys.map((key): Piece => [key, values[key] ?? ''])
      const form: Piece[] = [['q', 'upload'], ['path', '/store/folder'], ...fieldsOf(first), blob, ...fieldsOf(last)]
      expect((await sendForm(form, 'bearer')).status).toBe(200)
      expect([text('a.txt'), statSync(join(folder, 'a.txt')).mtimeMs]).toEqual(['bytes', 1_000_000_000_000])
      expect((await sendForm([...form, ['x', 'y']], 'bearer', { overwrite: '0', name: 'new.txt' })).status).toBe(200)
      expect([text('new.txt'), statSync(join(folder, 'new.txt')).mtimeMs]).toEqual(['bytes', 1_000_000_000_000])
    })

  test('in the address, which overrides fields after the file', async () => {
    const response = await sendForm([blob, ['path', '/store/folder/sub'], ['name', 'other']], 'bearer', {
      q: 'upload',
      path: '/store/folder',
      name: 'said.txt',
    })
    expect([response.status, response.dirname]).toEqual([200, '/store/folder'])
    expect(names()).toEqual([...initialNames, 'said.txt'].sort())
  })
})

describe('an incoming file is kept', () => {
  const target: Piece[] = [
    ['q', 'upload'],
    ['path', '/store/folder'],
  ]
  const csrfField = (): Piece => ['_csrf', server.csrf]

  test('in its folder once the fields have arrived', async () => {
    const form = beginForm([...target, csrfField(), half])
    await until(() => partialFilesIn(folder).length > 0)
    expect(partialFilesIn(cache())).toEqual([])
    expect((await form.resume(['\r\n', ['name', 'whole.txt'], lastLine])).status).toBe(200)
    expect(names()).toEqual([...initialNames, 'whole.txt'].sort())
  })

  for (const [why, first, rest] of [
    ['without any fields', () => [], () => [...target, csrfField()]],
    ['while its folder is unknown', () => [target[0] ?? blob, csrfField()], () => target.slice(1)],
    ['without _csrf', () => target, () => [csrfField()]],
  ] as const)
    test(`in the data directory ${why}`, async () => {
      const form = beginForm([...first(), half])
      await until(() => partialFilesIn(cache()).length > 0)
      expect(partialFilesInStore()).toEqual([])
      expect((await form.resume(['\r\n', ...rest(), lastLine])).status).toBe(200)
      expect(text('half.txt')).toBe('half')
    })

  test('only for global admins: nothing of it is read for others', async () => {
    for (const [as, status] of [
      ['anonymous', 401],
      ['other', 403],
    ] as const) {
      const form = beginForm([half], as)
      expect((await form.response).status).toBe(status)
      expect(form.pulls()).toBe(0)
    }
  })

  test('until the request is aborted or ends too early, and then removed', async () => {
    for (const first of [[blob], [...target, csrfField(), blob]]) {
      const broken = beginForm(first)
      await until(() => partialFilesIn(folder).length + partialFilesIn(cache()).length > 0)
      expect((await broken.abort()).status).toBeGreaterThanOrEqual(400)
      expectNothingLeft()
      const short = beginForm(first)
      await until(() => partialFilesIn(folder).length + partialFilesIn(cache()).length > 0)
      expect((await short.resume([])).status).toBe(400)
      expectNothingLeft()
    }
    expect(names()).toEqual(initialNames)
  })

  test('until the next start if the server is killed, and then removed', async () => {
    const { fileManager, journal } = server.library
    const place = await fileManager.places.find(terminalViewer, '/store/folder')
    async function* bytes() {
      yield Buffer.from('left behind')
    }
    for (const where of [null, place]) {
      await fileManager.actions.receive(terminalViewer, bytes(), { place: where, maxBytes: limit })
      expect(partialFilesIn(where === null ? cache() : folder).length).toBe(1)
      expect(await journal.recover({ restarted: true })).toMatchObject({ undone: 1, left: 0 })
      expectNothingLeft()
    }
  })
})

describe('a form', () => {
  const allFields = (): Piece[] => [
    ['q', 'upload'],
    ['path', '/store/folder'],
    ['_csrf', server.csrf],
  ]
  const large = (size: number): Piece => ({ file: new Uint8Array(size), name: 'large.bin' })
  const without = (name: string) => allFields().filter(piece => !(Array.isArray(piece) && piece[0] === name))

  for (const [what, form, status, message] of [
    [
      'a field before and after the file',
      () => [...allFields(), blob, ['path', '/store/folder/sub']],
      400,
      /more than once/,
    ],
    ['a field twice after the file', () => [blob, ...allFields(), ['q', 'delete']], 400, /more than once/],
    ['a wrong _csrf after the file', () => [blob, ...without('_csrf'), ['_csrf', 'wrong']], 403, /CSRF/],
    ['a wrong _csrf before the file', () => [['_csrf', 'wrong'], ...without('_csrf'), blob], 403, /CSRF/],
    ['no _csrf', () => [blob, ...without('_csrf')], 403, /CSRF/],
    ['no q', () => [blob, ...without('q')], 400, /^q names/],
    ['an unknown action after the file', () => [blob, ...without('q'), ['q', 'format']], 400, /no action/],
    ['no path', () => [blob, ...without('path')], 403, /^'\/' lists the configured folders/],
    ['a path that is not there', () => [blob, ...without('path'), ['path', '/store/none']], 404, /no \/store\/none/],
    ['a path that leads out', () => [blob, ...without('path'), ['path', '/store/../outside']], 400, /./],
    ['a path over a link', () => [blob, ...without('path'), ['path', '/store/link-to-dir']], 403, /links are not/],
    ['a name that leads out', () => [blob, ...allFields(), ['name', '../x']], 400, /./],
    ['a name that is taken', () => [blob, ...allFields(), ['name', 'a.txt']], 409, /a\.txt/],
    [
      'a file that is one byte too large before its fields',
      () => [large(limit + 1), ...allFields()],
      413,
      /^A file can have at most/,
    ],
    [
      'a file that is one byte too large after its fields',
      () => [...allFields(), large(limit + 1)],
      413,
      /^A file can have at most/,
    ],
    [
      'two files that are too large together',
      () => [large(0.6 * limit), large(0.6 * limit), ...allFields()],
      413,
      /^The upload .* all its files together have at most/,
    ],
    [
      'a file that is too large for an action that ignores it',
      () => [['q', 'index'], large(limit + 1)],
      413,
      /at most/,
    ],
    [
      'an empty file in place of an existing one',
      () => [{ file: '' }, ...allFields(), ['name', 'a.txt'], ['overwrite', '1']],
      400,
      /empty/,
    ],
  ] as [string, () => Piece[], number, RegExp][])
    test(`is refused, and no file is stored: ${what}`, async () => {
      const response = await sendForm(form())
      expect([response.status, response.message]).toEqual([status, expect.stringMatching(message)])
      expect(names()).toEqual(initialNames)
      expect(text('a.txt')).toBe('as it was')
      expect(partialFilesInStore()).toEqual([])
    })

  test('with a file of exactly the limit is accepted, whether the file is before or after its fields', async () => {
    expect((await sendForm([large(limit), ...allFields(), ['name', 'one']])).status).toBe(200)
    expect((await sendForm([...allFields(), ['name', 'two'], large(limit)])).status).toBe(200)
    expect([statSync(join(folder, 'one')).size, statSync(join(folder, 'two')).size]).toEqual([limit, limit])
  })

  test('with two files before its fields: both are stored, the first under the name of the field', async () => {
    const files: Piece[] = [blob, { file: 'second', name: 'second.txt' }]
    expect((await sendForm([...files, ...allFields(), ['name', 'first.txt']])).status).toBe(200)
    expect([text('first.txt'), text('second.txt')]).toEqual(['bytes', 'second'])
  })
})
