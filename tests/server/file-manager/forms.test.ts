import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { terminalViewer } from '../../../core/accounts/access.ts'
import { temporaryName } from '../../../core/files/write-whole.ts'
import { changingActions, type FileAction, readingActions } from '../../../schema/api/file-manager.ts'
import {
  type Answer,
  type As,
  answerOf,
  type Filing,
  itemsOf,
  put,
  roomForTests,
  untouched,
} from '../../support/filing.ts'
import { madeZip } from '../../support/zip-maker.ts'

let filing: Filing
let room = ''
const limit = 100 * 1024
roomForTests({ 'files.maxFileSize': '100KB' }, (opened, path) => {
  filing = opened
  room = path
})

const isOurs = (name: string) => name.startsWith(temporaryName().toString().slice(0, 10))
const begunIn = (directory: string) => readdirSync(directory, { recursive: true }).map(String).filter(isOurs)
/** Links lead out of it in every way: only the room is looked into. */
const begunInStore = () => [...readdirSync(filing.store).filter(isOurs), ...begunIn(room)]
const cache = () => join(filing.data, 'cache')
const names = () => readdirSync(room).sort()
const text = (name: string) => readFileSync(join(room, name), 'utf8')

function expectNothingLeft() {
  expect(begunIn(room)).toEqual([])
  expect(begunIn(cache())).toEqual([])
  expect(filing.library.db.all('SELECT * FROM journal')).toEqual([])
}
afterEach(expectNothingLeft)

type Piece = [name: string, value: string] | { file: string | Uint8Array; name?: string }
const blob: Piece = { file: 'bytes', name: 'blob' }

function bytesOf(piece: Piece): Uint8Array {
  const head = (says: string) => Buffer.from(`--b\r\nContent-Disposition: form-data; ${says}\r\n\r\n`)
  const end = Buffer.from('\r\n')
  if ('file' in piece)
    return Buffer.concat([head(`name="file"; filename="${piece.name ?? 'sent.txt'}"`), Buffer.from(piece.file), end])
  return Buffer.concat([head(`name="${piece[0]}"`), Buffer.from(piece[1]), end])
}

const type = { 'content-type': 'multipart/form-data; boundary=b' }
const lastLine = '--b--\r\n'

/** A form with its parts in this order. */
function sent(pieces: readonly Piece[], as: As = 'cookie', query: Record<string, string> = {}): Promise<Answer> {
  const body = Buffer.concat([...pieces.map(bytesOf), Buffer.from(lastLine)])
  return filing.ask(query, as, { method: 'POST', body, headers: type })
}

/** One that pauses after its first pieces, until released. */
function slow(first: readonly (Piece | string)[], as: As = 'cookie', gone?: AbortSignal) {
  const { promise: rest, resolve } = Promise.withResolvers<readonly (Piece | string)[] | Error>()
  const raw = (piece: Piece | string) => (typeof piece === 'string' ? Buffer.from(piece) : bytesOf(piece))
  async function* come() {
    for (const piece of first) yield raw(piece)
    const more = await rest
    if (more instanceof Error) throw more
    for (const piece of more) yield raw(piece)
  }
  const source = come()
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
  const answer = filing.send({}, as, { method: 'POST', body, headers: type, ...signal }).then(answerOf)
  return {
    goOn: (pieces: readonly (Piece | string)[]) => {
      resolve(pieces)
      return answer
    },
    breakOff: () => {
      resolve(new Error('the line is dead'))
      return answer
    },
    answer,
    pulls: () => pulls,
  }
}

/** The start of a file that has not come whole. */
const half = '--b\r\nContent-Disposition: form-data; name="file"; filename="half.txt"\r\n\r\nhalf'

/** Looks as often as the others let it. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setImmediate(resolve))
}

interface Wish {
  words: Record<string, string>
  /** Whether it has been done. */
  isDone: (answer: Answer) => boolean
  before?: () => void
}

const wishes: Record<FileAction, Wish> = {
  index: { words: { path: '/store/room' }, isDone: ({ files }) => files?.length === untouched.length },
  subfolders: { words: { path: '/store/room' }, isDone: answer => JSON.parse(answer.text).folders.length === 1 },
  search: { words: { path: '/store/room', filter: 'a.t' }, isDone: ({ files }) => files?.length === 1 },
  preview: { words: { path: '/store/room/a.txt' }, isDone: answer => answer.text === 'as it was' },
  download: { words: { path: '/store/room/a.txt' }, isDone: answer => answer.text === 'as it was' },
  newfolder: { words: { path: '/store/room', name: 'made' }, isDone: () => statSync(join(room, 'made')).isDirectory() },
  newfile: { words: { path: '/store/room', name: 'made' }, isDone: () => text('made') === '' },
  save: { words: { path: '/store/room/a.txt', content: 'other' }, isDone: () => text('a.txt') === 'other' },
  rename: {
    words: { path: '/store/room', item: '/store/room/a.txt', name: 'c.txt' },
    isDone: () => text('c.txt') === 'as it was',
  },
  move: {
    words: { path: '/store/room', items: itemsOf('/store/room/a.txt'), item: '/store/room/sub' },
    isDone: () => text('sub/a.txt') === 'as it was',
  },
  delete: {
    words: { path: '/store/room', items: itemsOf('/store/room/a.txt') },
    isDone: () => !existsSync(join(room, 'a.txt')),
  },
  archive: {
    words: { path: '/store/room', items: itemsOf('/store/room/a.txt'), name: 'packed' },
    isDone: () => existsSync(join(room, 'packed.zip')),
  },
  unarchive: {
    words: { path: '/store/room', item: '/store/room/in.zip' },
    before: () => put(join(room, 'in.zip'), madeZip([{ name: 'out.txt', data: 'unpacked' }])),
    isDone: () => text('out.txt') === 'unpacked',
  },
  upload: { words: { path: '/store/room', name: 'named.txt' }, isDone: () => text('named.txt') === 'bytes' },
}

test('a name that looks like a parameter of the form is a name', async () => {
  for (const name of ["y; filename*=utf-8''other.txt", "50; filename*=utf-8''100%.txt", 'z; name=path.txt'])
    expect((await sent([['q', 'upload'], ['path', '/store/room'], { file: name, name }], 'bearer')).status).toBe(200)
  expect(names()).toEqual(
    expect.arrayContaining(["50; filename*=utf-8''100%.txt", "y; filename*=utf-8''other.txt", 'z; name=path.txt']),
  )
  expect(text("y; filename*=utf-8''other.txt")).toBe("y; filename*=utf-8''other.txt")
})

const upload: Piece[] = [
  ['q', 'upload'],
  ['path', '/store/room'],
]

describe('a name that no line can show is reported, and nothing is kept under half of it:', () => {
  for (const [what, name, says] of [
    ['a separator of lines', 'a\u2028b.txt', /turn the direction/],
    ['one of paragraphs', 'a\u2029b.txt', /turn the direction/],
    ['a line feed', 'a\nb.txt', /line breaks/],
    ['a carriage return', 'a\rb.txt', /line breaks/],
    ['both, behind which its head goes on', 'a\r\nb.txt', /cannot be read/],
    ['a quotation mark that is not written as one', 'a"b.txt', /cannot be read/],
    ['one before a semicolon', 'a;b="c.txt', /cannot be read/],
    ['a backslash at its end', 'a\\', /has no '\/'/],
  ] as const)
    for (const [where, pieces] of [
      ['after its words', [...upload, { file: 'x', name }]],
      ['before them', [{ file: 'x', name }, ...upload]],
    ] as [string, Piece[]][])
      test(`${what}, ${where}`, async () => {
        const answer = await sent(pieces, 'bearer')
        expect([answer.status, answer.message]).toEqual([400, expect.stringMatching(says)])
        expect(names()).toEqual(untouched)
      })

  test('a separator of lines in a name that is said by itself is reported, too', async () => {
    const answer = await sent([...upload, blob, ['name', 'a\u2028b.txt']], 'bearer')
    expect([answer.status, answer.message]).toEqual([400, expect.stringMatching(/turn the direction/)])
  })
})

describe('a form may be written as RFC 2046 and browsers allow:', () => {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="sent.txt"'
  const end = '\r\n\r\nx\r\n--b--\r\n'
  for (const [what, body] of [
    ['a line before the first boundary', `For mail programs.\r\n--b\r\n${disposition}${end}`],
    ['an empty one', `\r\n--b\r\n${disposition}${end}`],
    ['blanks around =', `--b\r\n${disposition.replaceAll('=', ' = ')}${end}`],
    ['a head that ends in a semicolon', `--b\r\n${disposition};${end}`],
    ['a name that says its language', `--b\r\n${disposition}; filename*=UTF-8'en'sent.txt${end}`],
  ] as const)
    test(what, async () => {
      const query = { q: 'upload', path: '/store/room' }
      const answer = await filing.ask(query, 'bearer', { method: 'POST', body, headers: type })
      expect([answer.status, answer.message]).toEqual([200, ''])
      expect(text('sent.txt')).toBe('x')
    })

  test('a field for files that nothing was chosen in', async () => {
    const empty: Piece = { file: '', name: '' }
    expect((await sent([...upload, empty, blob, empty], 'bearer')).status).toBe(200)
    expect((await sent([empty, { file: 'y', name: 'y.txt' }, ...upload], 'bearer')).status).toBe(200)
    expect(names()).toEqual([...untouched, 'blob', 'y.txt'].sort())
    const none = await sent([...upload, empty], 'bearer')
    expect([none.status, none.message]).toEqual([400, expect.stringMatching(/^No file was sent/)])
  })

  test('bytes without a name are a file, whose name is said', async () => {
    expect((await sent([...upload, ['name', 'said.txt'], { file: 'z', name: '' }], 'bearer')).status).toBe(200)
    expect(text('said.txt')).toBe('z')
  })
})

test('what is no form is not read to its end', async () => {
  const form = slow(['x'.repeat(20 * 1024)], 'bearer')
  expect((await form.answer).status).toBe(400)
})

describe('a form may have its words', () => {
  for (const q of [...readingActions, ...changingActions]) {
    const { words, isDone, before } = wishes[q]
    const pieces = () => Object.entries({ q, ...words, _csrf: filing.csrf })
    const orders: [string, () => Piece[]][] = [
      ['before a file', () => [...pieces(), blob]],
      ['after it', () => [blob, ...pieces()]],
      ['after it, and backwards', () => [blob, ...pieces().reverse()]],
      ['around it', () => [...pieces().slice(0, 2), blob, ...pieces().slice(2)]],
      [
        'around it, with what proves it before',
        () => [...pieces().toReversed().slice(0, 2), blob, ...pieces().toReversed().slice(2)],
      ],
    ]
    for (const [where, form] of orders)
      test(`${where}: ${q}`, async () => {
        before?.()
        const answer = await sent(form())
        expect([answer.status, answer.message]).toEqual([200, ''])
        expect(isDone(answer)).toBe(true)
        expect(names()).not.toContain('blob')
      })
  }

  test('after a crop, as a client sends it that never forgets its file: the next text is saved', async () => {
    const csrf = ['_csrf', filing.csrf] as const
    const crop: Piece[] = [
      [...csrf],
      ['q', 'upload'],
      ['adapter', 'local'],
      ['path', '/store/room/b.txt'],
      blob,
      ['name', 'b.txt'],
    ]
    expect((await sent(crop)).status).toBe(200)
    expect(text('b.txt')).toBe('bytes')
    const save: Piece[] = [
      [...csrf],
      ['q', 'save'],
      ['adapter', 'local'],
      ['path', '/store/room/a.txt'],
      blob,
      ['content', 'new words'],
    ]
    const answer = await sent(save)
    expect([answer.status, answer.text]).toEqual([200, 'new words'])
    expect(text('a.txt')).toBe('new words')
    expect(names()).toEqual(untouched)
  })

  for (const [where, first, last] of [
    ['before', ['name', 'overwrite', 'modified'], []],
    ['around', ['name'], ['modified', 'overwrite']],
    ['after', [], ['overwrite', 'modified', 'name']],
  ] as const)
    test(`${where} the file that it replaces, name and time as they say`, async () => {
      const said: Record<string, string> = { name: 'a.txt', overwrite: '1', modified: '1000000000000' }
      const wordsOf = (keys: readonly string[]) => keys.map((key): Piece => [key, said[key] ?? ''])
      const path: Piece[] = [['q', 'upload'], ['path', '/store/room'], ...wordsOf(first), blob, ...wordsOf(last)]
      expect((await sent(path, 'bearer')).status).toBe(200)
      expect([text('a.txt'), statSync(join(room, 'a.txt')).mtimeMs]).toEqual(['bytes', 1_000_000_000_000])
      expect((await sent([...path, ['x', 'y']], 'bearer', { overwrite: '0', name: 'new.txt' })).status).toBe(200)
      expect([text('new.txt'), statSync(join(room, 'new.txt')).mtimeMs]).toEqual(['bytes', 1_000_000_000_000])
    })

  test('in its address: they win over those after the file', async () => {
    const answer = await sent([blob, ['path', '/store/room/sub'], ['name', 'other']], 'bearer', {
      q: 'upload',
      path: '/store/room',
      name: 'said.txt',
    })
    expect([answer.status, answer.dirname]).toEqual([200, '/store/room'])
    expect(names()).toEqual([...untouched, 'said.txt'].sort())
  })
})

describe('a file waits', () => {
  const target: Piece[] = [
    ['q', 'upload'],
    ['path', '/store/room'],
  ]
  const proof = (): Piece => ['_csrf', filing.csrf]

  test('in its folder where its words have come', async () => {
    const form = slow([...target, proof(), half])
    await until(() => begunIn(room).length > 0)
    expect(begunIn(cache())).toEqual([])
    expect((await form.goOn(['\r\n', ['name', 'whole.txt'], lastLine])).status).toBe(200)
    expect(names()).toEqual([...untouched, 'whole.txt'].sort())
  })

  for (const [why, first, rest] of [
    ['where nothing was said', () => [], () => [...target, proof()]],
    ['where its folder is not known', () => [target[0] ?? blob, proof()], () => target.slice(1)],
    ['where nothing proves that the request may do that', () => target, () => [proof()]],
  ] as const)
    test(`in the data directory ${why}`, async () => {
      const form = slow([...first(), half])
      await until(() => begunIn(cache()).length > 0)
      expect(begunInStore()).toEqual([])
      expect((await form.goOn(['\r\n', ...rest(), lastLine])).status).toBe(200)
      expect(text('half.txt')).toBe('half')
    })

  test('for nobody who is not signed in, or may not: nothing of it is read', async () => {
    for (const [as, status] of [
      ['nobody', 401],
      ['other', 403],
    ] as const) {
      const form = slow([half], as)
      expect((await form.answer).status).toBe(status)
      expect(form.pulls()).toBe(0)
    }
  })

  test('and goes where the sender goes away after it, or says nothing more', async () => {
    for (const first of [[blob], [...target, proof(), blob]]) {
      const broken = slow(first)
      await until(() => begunIn(room).length + begunIn(cache()).length > 0)
      expect((await broken.breakOff()).status).toBeGreaterThanOrEqual(400)
      expectNothingLeft()
      const short = slow(first)
      await until(() => begunIn(room).length + begunIn(cache()).length > 0)
      expect((await short.goOn([])).status).toBe(400)
      expectNothingLeft()
    }
    expect(names()).toEqual(untouched)
  })

  test('and goes at the next start where the server was killed', async () => {
    const { fileManager, journal } = filing.library
    const place = await fileManager.places.find(terminalViewer, '/store/room')
    async function* bytes() {
      yield Buffer.from('left behind')
    }
    for (const where of [null, place]) {
      await fileManager.actions.receive(terminalViewer, bytes(), { place: where, most: limit })
      expect(begunIn(where === null ? cache() : room).length).toBe(1)
      expect(await journal.recover({ restarted: true })).toMatchObject({ undone: 1, left: 0 })
      expectNothingLeft()
    }
  })
})

describe('a form is refused, and nothing of it stays:', () => {
  const done = (): Piece[] => [
    ['q', 'upload'],
    ['path', '/store/room'],
    ['_csrf', filing.csrf],
  ]
  const large = (size: number): Piece => ({ file: new Uint8Array(size), name: 'large.bin' })
  const without = (name: string) => done().filter(piece => !(Array.isArray(piece) && piece[0] === name))

  for (const [what, form, status, says] of [
    ['a word before and after the file', () => [...done(), blob, ['path', '/store/room/sub']], 400, /more than once/],
    ['a word twice after it', () => [blob, ...done(), ['q', 'delete']], 400, /more than once/],
    ['_csrf after it, and wrong', () => [blob, ...without('_csrf'), ['_csrf', 'wrong']], 403, /CSRF/],
    ['_csrf before it, and wrong', () => [['_csrf', 'wrong'], ...without('_csrf'), blob], 403, /CSRF/],
    ['no _csrf', () => [blob, ...without('_csrf')], 403, /CSRF/],
    ['no q', () => [blob, ...without('q')], 400, /^q names/],
    ['no action after it', () => [blob, ...without('q'), ['q', 'format']], 400, /no action/],
    ['no path', () => [blob, ...without('path')], 403, /^'\/' lists the configured folders/],
    ['a path that is not there', () => [blob, ...without('path'), ['path', '/store/none']], 404, /no \/store\/none/],
    ['a path that leads out', () => [blob, ...without('path'), ['path', '/store/../outside']], 400, /./],
    ['a path over a link', () => [blob, ...without('path'), ['path', '/store/link-to-dir']], 403, /links are not/],
    ['a name that leads out', () => [blob, ...done(), ['name', '../x']], 400, /./],
    ['a name that is taken', () => [blob, ...done(), ['name', 'a.txt']], 409, /a\.txt/],
    [
      'a file that is too large by a byte, before its words',
      () => [large(limit + 1), ...done()],
      413,
      /^A file has at most/,
    ],
    ['one after its words', () => [...done(), large(limit + 1)], 413, /^A file has at most/],
    [
      'two that are so together',
      () => [large(0.6 * limit), large(0.6 * limit), ...done()],
      413,
      /^The upload .* all its files together have at most/,
    ],
    ['one that is read past', () => [['q', 'index'], large(limit + 1)], 413, /at most/],
    [
      'an empty file for one that is there',
      () => [{ file: '' }, ...done(), ['name', 'a.txt'], ['overwrite', '1']],
      400,
      /empty/,
    ],
  ] as [string, () => Piece[], number, RegExp][])
    test(what, async () => {
      const answer = await sent(form())
      expect([answer.status, answer.message]).toEqual([status, expect.stringMatching(says)])
      expect(names()).toEqual(untouched)
      expect(text('a.txt')).toBe('as it was')
      expect(begunInStore()).toEqual([])
    })

  test('a file of as many bytes as are allowed is none, wherever its words stand', async () => {
    expect((await sent([large(limit), ...done(), ['name', 'one']])).status).toBe(200)
    expect((await sent([...done(), ['name', 'two'], large(limit)])).status).toBe(200)
    expect([statSync(join(room, 'one')).size, statSync(join(room, 'two')).size]).toEqual([limit, limit])
  })

  test('two files before their words are both taken, the first by its name', async () => {
    const files: Piece[] = [blob, { file: 'second', name: 'second.txt' }]
    expect((await sent([...files, ...done(), ['name', 'first.txt']])).status).toBe(200)
    expect([text('first.txt'), text('second.txt')]).toEqual(['bytes', 'second'])
  })
})
