import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CommandResult, runCommand } from '../support/command.ts'
import { picture, takenAt } from '../support/scanning-library.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** A library with two scanned collections; the second one is managed. */
async function workspace() {
  const directory = temporaryDirectory()
  const data = join(directory, 'data')
  const put = (path: string, bytes: Uint8Array | string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), bytes)
  }
  put('pictures/a.jpg', await picture({ seed: 1, exif: takenAt('2019-08-03 14:22:33') }))
  put('pictures/sub/b.jpg', await picture({ seed: 2, exif: takenAt('2020-01-02 03:04:05') }))
  put('pictures/sub/undated.jpg', await picture({ seed: 3 }))
  put('managed/old.jpg', await picture({ seed: 4, exif: takenAt('2001-02-03 04:05:06') }))
  put('card/c.jpg', await picture({ seed: 5, exif: takenAt('2021-05-06 07:08:09') }))
  put('card/again.jpg', await picture({ seed: 1, exif: takenAt('2019-08-03 14:22:33') }))
  const keepsake = (...args: string[]): Promise<CommandResult> => runCommand(['--data', data, ...args])
  for (const name of ['pictures', 'managed']) await keepsake('scan', join(directory, name))
  await keepsake('collection', 'set', 'managed', 'managed=yes', 'fileFormat=IMG_', 'folderFormat={Year}/{Month}')
  return { directory, data, put, keepsake, at: (path: string) => join(directory, path) }
}

/** Hashes of all files except the database and the logs, and of the rows of all tables. */
function everything({ directory, data }: Pick<Awaited<ReturnType<typeof workspace>>, 'directory' | 'data'>) {
  const files = readdirSync(directory, { recursive: true })
    .map(String)
    .filter(path => statSync(join(directory, path)).isFile() && !/^data\/(library\.db|logs\/|server\.lock)/.test(path))
    .sort()
    .map(path => `${path} ${Bun.hash(readFileSync(join(directory, path)))}`)
  const db = new Database(join(data, 'library.db'), { readonly: true })
  const tables = db
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%' ORDER BY name",
    )
    .all()
  const rows = tables.map(({ name }) => [name, Bun.hash(JSON.stringify(db.query(`SELECT * FROM "${name}"`).values()))])
  db.close()
  return JSON.stringify({ files, rows }, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

const lib = await workspace()
await lib.keepsake('collection', 'set', 'pictures', 'writeBack=sidecar')
const exported = lib.at('export.json')
await lib.keepsake('export', 'pictures', '--out', exported)
// `meta import` would apply the rating of this sidecar, and `import` the rotation in changed.json.
lib.put(
  'pictures/a.jpg.xmp',
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>',
)
const changedExport = readFileSync(exported, 'utf8').replace('"rotation":0', '"rotation":90')
lib.put('changed.json', changedExport)

describe('--dry-run', () => {
  for (const [args, lines, summary] of [
    [
      ['sort', 'managed'],
      [{ type: 'move', from: 'old.jpg', to: '2001/02/IMG_20010203_040506.jpg' }],
      { moves: 1, stay: 0 },
    ],
    [
      ['import', 'pictures', '--into', 'managed'],
      [
        { type: 'copy', from: 'a.jpg', to: '2019/08/IMG_20190803_142233.jpg' },
        { type: 'copy', from: 'sub/b.jpg', to: '2020/01/IMG_20200102_030405.jpg' },
        { type: 'copy', from: 'sub/undated.jpg', to: 'sub/undated.jpg' },
      ],
      { selected: 3, copied: 3, skipped: 0, failed: 0 },
    ],
    [
      ['import', lib.at('card'), '--into', 'pictures'],
      [{ type: 'copy', from: 'c.jpg', to: 'c.jpg' }],
      { selected: 2, copied: 1, skipped: 1, failed: 0 },
    ],
    [
      ['import', lib.at('card'), '--into', 'managed'],
      [
        { type: 'copy', from: 'again.jpg', to: '2019/08/IMG_20190803_142233.jpg' },
        { type: 'copy', from: 'c.jpg', to: '2021/05/IMG_20210506_070809.jpg' },
      ],
      { copied: 2 },
    ],
    [
      ['import', lib.at('changed.json'), '--into', 'pictures'],
      [{ type: 'item', path: 'a.jpg', by: 'content', changes: ['rotation'] }],
      { items: 3, changed: 1, unmatched: 0 },
    ],
    [
      ['transfer', '--to', 'managed', '--query', 'in:pictures'],
      [
        { type: 'move', collection: 'pictures', from: 'sub/undated.jpg', to: 'sub/undated.jpg' },
        { type: 'move', collection: 'pictures', from: 'sub/b.jpg', to: '2020/01/IMG_20200102_030405.jpg' },
        { type: 'move', collection: 'pictures', from: 'a.jpg', to: '2019/08/IMG_20190803_142233.jpg' },
      ],
      { moves: 3, stay: 0, failed: 0 },
    ],
    [['meta', 'import', 'pictures'], [{ type: 'item', path: 'a.jpg', changes: ['rating'] }], { changed: 1 }],
    [
      ['meta', 'export', 'pictures'],
      [{ type: 'item', path: 'a.jpg', result: 'skipped', files: [] }],
      { written: 0, unchanged: 2, skipped: 1, failed: 0 },
    ],
    [
      ['export', 'pictures', '--format', 'xmp', '--to', lib.at('sidecars')],
      [
        { type: 'sidecar', path: 'a.jpg.xmp', result: 'written', reason: '' },
        { type: 'sidecar', path: 'sub/b.jpg.xmp', result: 'written', reason: '' },
      ],
      { written: 2, unchanged: 0, skipped: 0, failed: 0 },
    ],
    [['export', 'pictures', '--out', lib.at('other.json')], [], { file: lib.at('other.json') }],
    [['collection', 'remove', 'pictures'], [], { name: 'pictures', items: 3, edited: 0 }],
    [['scan', 'pictures'], [], { new: 0, missing: 0 }],
  ] as const) {
    test(`of ${args.slice(0, 2).join(' ')} lists what the command would do, and writes nothing`, async () => {
      const before = everything(lib)
      const ran = await lib.keepsake(...args, '--dry-run', '--json')
      expect(everything(lib)).toBe(before)
      expect(ran.err).toBe('')
      expect(ran.objects.slice(0, -1)).toMatchObject([...lines])
      expect(ran.objects.at(-1)).toMatchObject({ type: 'summary', schema: 1, dryRun: true, ...summary })
      const asWords = await lib.keepsake(...args, '--dry-run')
      expect(everything(lib)).toBe(before)
      expect(asWords.err).toMatch(/would be|Nothing was changed/)
    })
  }

  test('exits with 3 when items of an export are not found', async () => {
    const ran = await lib.keepsake('import', exported, '--into', 'managed', '--dry-run', '--json')
    expect(ran.code).toBe(3)
    expect(ran.objects.filter(({ type }) => type === 'unmatched')).toHaveLength(3)
  })
})

describe('import, sort, transfer and export', () => {
  test('do what their dry runs announced', async () => {
    const { keepsake, at, put } = await workspace()
    const planned = await keepsake('import', at('card'), '--into', 'managed', '--dry-run', '--json')
    expect((await keepsake('import', at('card'), '--into', 'managed')).code).toBe(0)
    for (const { to } of planned.objects)
      if (to !== undefined) expect(statSync(at(`managed/${to}`)).isFile()).toBe(true)
    const moves = await keepsake('sort', 'managed', '--dry-run', '--json')
    expect((await keepsake('sort', 'managed')).code).toBe(0)
    for (const { to } of moves.objects) if (to !== undefined) expect(statSync(at(`managed/${to}`)).isFile()).toBe(true)
    const transfer = ['transfer', '--to', 'managed', '--query', 'in:pictures']
    const going = await keepsake(...transfer, '--dry-run', '--json')
    expect((await keepsake(...transfer)).code).toBe(0)
    for (const { to } of going.objects) if (to !== undefined) expect(statSync(at(`managed/${to}`)).isFile()).toBe(true)
    expect((await keepsake(...transfer)).code).toBe(4)
    put('managed/new.jpg', await picture({ seed: 9 }))
    expect((await keepsake('scan', 'managed', '--dry-run', '--json')).objects.at(-1)).toMatchObject({ new: 1 })
  })

  test('an export file is imported into the collections that its items came from', async () => {
    const { keepsake, at, data, directory } = await workspace()
    const out = at('all.json')
    expect((await keepsake('export', '--out', out, '--json')).objects).toMatchObject([{ type: 'summary', file: out }])
    const changed = readFileSync(out, 'utf8').replaceAll('"rotation":0', '"rotation":180')
    writeFileSync(out, changed)
    const ran = await keepsake('import', out, '--into', 'pictures', '--json')
    expect(ran.code).toBe(0)
    expect(ran.objects.at(-1)).toMatchObject({ state: 'done', items: 3, changed: 3, unmatched: 0 })
    expect((await keepsake('import', out, '--into', 'managed')).code).toBe(0)
    expect((await keepsake('export')).out).toBe(changed)
    const wrong = await keepsake('import', out, '--into', 'managed', '--from', 'pictures')
    expect(wrong.code).toBe(3)
    expect(wrong.err).toContain('sub/b.jpg')
    expect(everything({ data, directory })).toContain('all.json')
  })

  test('exported sidecars hold all metadata and are written once; other files are replaced only with --replace', async () => {
    const { keepsake, at, put } = await workspace()
    await keepsake('export', 'pictures', '--out', at('e.json'))
    writeFileSync(at('e.json'), readFileSync(at('e.json'), 'utf8').replaceAll('"rating":null', '"rating":5'))
    await keepsake('import', at('e.json'), '--into', 'pictures')
    const write = (...more: string[]) =>
      keepsake('export', 'pictures', '--format', 'xmp', '--to', at('sidecars'), '--json', ...more)
    expect((await write()).objects.at(-1)).toMatchObject({ state: 'done', written: 3 })
    expect((await write()).objects.at(-1)).toMatchObject({ written: 0, unchanged: 3 })
    put('sidecars/a.jpg.xmp', 'mine')
    const kept = await write()
    expect(kept.code).toBe(3)
    expect(kept.objects).toMatchObject([{ path: 'a.jpg.xmp', result: 'skipped' }, { skipped: 1 }])
    expect(readFileSync(at('sidecars/a.jpg.xmp'), 'utf8')).toBe('mine')
    expect((await write('--replace')).objects.at(-1)).toMatchObject({ written: 1, unchanged: 2 })
    // A scan of copies of the pictures reads the same metadata from the exported sidecars.
    for (const path of ['a.jpg', 'sub/b.jpg', 'sub/undated.jpg'])
      put(`copy/${path}`, readFileSync(at(`pictures/${path}`)))
    for (const path of ['a.jpg', 'sub/b.jpg', 'sub/undated.jpg'])
      put(`copy/${path}.xmp`, readFileSync(at(`sidecars/${path}.xmp`)))
    await keepsake('scan', at('copy'))
    const items = (await keepsake('export', 'copy')).objects.filter(({ type }) => type === 'item')
    expect(items.map(({ rating }) => rating)).toEqual([5, 5, 5])
    expect((await keepsake('export', 'pictures', '--format', 'xmp', '--to', at('pictures/x'))).err).toContain(
      'lie within each other',
    )
  })
})

describe('wrong arguments are reported', () => {
  for (const [args, code, message] of [
    [['sort', 'pictures'], 1, /not a managed collection/],
    [['sort', 'nothing'], 4, /neither a directory nor a collection/],
    [['transfer', '--to', 'managed'], 2, /Give item ids or --query/],
    [['transfer', '--to', 'managed', '--items', '1,99999'], 4, /There is no item 99999/],
    [['transfer', '--to', 'managed', '--query', 'keyword:nothing'], 4, /No items available/],
    [['import', 'nothing', '--into', 'managed'], 4, /neither a directory nor a collection/],
    [['import', 'managed', '--into', 'managed'], 1, /into itself/],
    [['export', '--format', 'csv'], 2, /export COLLECTION/],
    [['export', 'pictures', '--format', 'xmp'], 2, /--to DIR/],
    [['export', 'pictures', '--to', 'x'], 2, /--format xmp/],
    [['export', 'pictures', '--json', '--format', 'csv'], 2, /--out FILE/],
    [['export', '--out', '/nowhere/at/all.json'], 4, /\/nowhere\/at\/all\.json/],
    [['collection', 'add', lib.at('card'), '--name', 'x'], 2, /more than 2 characters/],
    [['collection', 'set', 'managed', 'fileFormat='], 2, /fileFormat: Prefix is required/],
    [['access', 'set', '1', 'view=perhaps'], 2, /not a setting/],
    [['token', 'revoke', '999'], 4, /There is no token 999/],
    [['jobs', 'cancel', '999'], 4, /There is no job 999/],
  ] as const) {
    test(`keepsake ${args.slice(0, 4).join(' ')}`, async () => {
      const ran = await lib.keepsake(...args)
      expect(ran.err).toMatch(message)
      expect(ran.code).toBe(code)
    })
  }
})

test('access set changes the rights of a group, and access list includes groups without a collection', async () => {
  const { keepsake } = await workspace()
  const created = await keepsake('access', 'create', 'Family', '--view', '--json')
  expect(created.objects).toMatchObject([{ type: 'summary', id: expect.any(Number) }])
  expect((await keepsake('access', 'set', 'Family', 'update=yes', 'view=no', 'name=Friends')).code).toBe(0)
  const groups = (await keepsake('access', 'list', '--json')).objects
  expect(groups.find(({ name }) => name === 'Friends')).toMatchObject({ collection: null, update: true, view: false })
  expect((await keepsake('access', 'attach', 'Friends', 'pictures')).code).toBe(0)
  const after = (await keepsake('access', 'list', '--json')).objects
  expect(after.find(({ name }) => name === 'Friends')).toMatchObject({ collection: 1 })
})
