import { describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { sharedFileManagerLibrary } from '../../support/file-manager-library.ts'
import { describeWithSamples } from '../../support/samples.ts'
import { picture } from '../../support/scanning-library.ts'
import { buildZip } from '../../support/zip-maker.ts'

const manager = sharedFileManagerLibrary({ limit: '10MB' })

let folderCount = 0
/** A fresh folder with an archive in it; returns the virtual paths of both, and the folder's directory. */
function withArchive(bytes: Uint8Array, name = 'archive.zip') {
  const { files, put } = manager()
  const folder = `folder ${++folderCount}`
  put(join(files, folder, name), bytes)
  return { folder: `/Files/${folder}`, directory: join(files, folder), item: `/Files/${folder}/${name}` }
}

async function unarchive(bytes: Uint8Array) {
  const { folder, directory, item } = withArchive(bytes)
  const response = await manager().get({ q: 'unarchive', path: folder, item })
  return { response, tree: manager().tree(directory), directory }
}

/** The archive is refused with this status and message, and nothing is unpacked. */
async function expectRefused(bytes: Uint8Array, status: number, message: RegExp) {
  const { response, tree } = await unarchive(bytes)
  expect(response.json.message).toMatch(message)
  expect(response.status).toBe(status)
  expect(response.json.status).toBe(false)
  expect(Object.keys(tree)).toEqual(['archive.zip'])
  expect(manager().faults()).toEqual([])
}

const outside = '../../Files secret/private.txt'
const longText = Buffer.alloc(200_000, 'keepsake ')
const zeros = Buffer.alloc(30 * 1024 * 1024)

describe('hostile archives are refused with a message, and nothing is unpacked', () => {
  const cases: [string, () => Uint8Array, number, RegExp][] = [
    ["'..' at the front", () => buildZip([{ name: outside, data: 'x' }]), 400, /leads out of its folder/],
    ["'..' in the middle", () => buildZip([{ name: 'a/../../b', data: 'x' }]), 400, /leads out of its folder/],
    ["'..' at the end", () => buildZip([{ name: 'a/..', data: 'x' }]), 400, /leads out of its folder/],
    ["'..' as a folder", () => buildZip([{ name: '../' }]), 400, /leads out of its folder/],
    [
      "a good entry before a '..'",
      () =>
        buildZip([
          { name: 'good', data: 'x' },
          { name: '../bad', data: 'x' },
        ]),
      400,
      /'\.\.'/,
    ],
    ['an absolute name', () => buildZip([{ name: '/etc/keepsake', data: 'x' }]), 400, /absolute/],
    ['two slashes at the front', () => buildZip([{ name: '//server/share', data: 'x' }]), 400, /absolute/],
    ['a drive letter', () => buildZip([{ name: 'C:/Windows/x', data: 'x' }]), 400, /absolute/],
    ['a drive letter without a slash', () => buildZip([{ name: 'c:x', data: 'x' }]), 400, /absolute/],
    ['backslashes', () => buildZip([{ name: '..\\..\\x', data: 'x' }]), 400, /'\\'/],
    ['a backslash in a name', () => buildZip([{ name: 'a\\b', data: 'x' }]), 400, /'\\'/],
    ['an empty name in a path', () => buildZip([{ name: 'a//b', data: 'x' }]), 400, /empty name/],
    ["'.' in a path", () => buildZip([{ name: './a', data: 'x' }]), 400, /empty name/],
    [
      'a name without visible characters',
      () => buildZip([{ name: '\u200b\u2060', data: 'x' }]),
      400,
      /visible characters/,
    ],
    [
      'a folder without visible characters',
      () => buildZip([{ name: 'a/\u3164/b', data: 'x' }]),
      400,
      /visible characters/,
    ],
    ['a name of spaces', () => buildZip([{ name: '  ', data: 'x' }]), 400, /visible characters/],
    ['an empty name', () => buildZip([{ name: '', data: 'x' }]), 400, /empty name/],
    ['a NUL in a name', () => buildZip([{ name: 'a\0.jpg', data: 'x' }]), 400, /control characters/],
    ['a line break in a name', () => buildZip([{ name: 'a\nb', data: 'x' }]), 400, /control characters/],
    ['an escape in a name', () => buildZip([{ name: 'a\u001b[2Jb', data: 'x' }]), 400, /control characters/],
    ['a right-to-left override', () => buildZip([{ name: 'a\u202egpj.exe', data: 'x' }]), 400, /writing direction/],
    ['a name of 256 bytes', () => buildZip([{ name: 'n'.repeat(256), data: 'x' }]), 400, /255 bytes/],
    [
      'a name of 256 bytes in Cyrillic letters',
      () => buildZip([{ name: 'ж'.repeat(128), data: 'x' }]),
      400,
      /255 bytes/,
    ],
    [
      'folders that are nested too deep',
      () => buildZip([{ name: `${'a/'.repeat(200)}b`, data: 'x' }]),
      400,
      /too deep/,
    ],
    [
      "the name of one of Keepsake's temporary files",
      () => buildZip([{ name: '.keepsake-0123456789abcdef.tmp', data: 'x' }]),
      400,
      /Keepsake uses itself/,
    ],
    [
      'a name that is not UTF-8',
      () => buildZip([{ name: Buffer.from([0x61, 0xff]), flags: 0x800, data: 'x' }]),
      400,
      /not valid text/,
    ],
    [
      'a control character in a CP437 name',
      () => buildZip([{ name: Buffer.from([0x61, 0x07, 0x81]), data: 'x' }]),
      400,
      /control characters/,
    ],
    ['a link', () => buildZip([{ name: 'link', data: '/etc/passwd', mode: 0o120777 }]), 400, /link/],
    [
      'a link and a file through it',
      () =>
        buildZip([
          { name: 'link', data: '../..', mode: 0o120777 },
          { name: 'link/x', data: 'x' },
        ]),
      400,
      /link/,
    ],
    ['a FIFO', () => buildZip([{ name: 'pipe', mode: 0o010644 }]), 400, /neither a file nor a folder/],
    ['a device', () => buildZip([{ name: 'zero', mode: 0o020666 }]), 400, /neither a file nor a folder/],
    ['a socket', () => buildZip([{ name: 'socket', mode: 0o140666 }]), 400, /neither a file nor a folder/],
    ['a file with the mode of a folder', () => buildZip([{ name: 'a', data: 'x', mode: 0o040755 }]), 400, /folder/],
    ['a folder with the mode of a file', () => buildZip([{ name: 'a/', mode: 0o100644 }]), 400, /file/],
    ['a folder with bytes', () => buildZip([{ name: 'a/', data: 'x' }]), 400, /has bytes/],
    [
      'the same name twice',
      () =>
        buildZip([
          { name: 'a', data: '1' },
          { name: 'a', data: '2' },
        ]),
      400,
      /two entries/,
    ],
    [
      'names that differ in case',
      () =>
        buildZip([
          { name: 'A.jpg', data: '1' },
          { name: 'a.JPG', data: '2' },
        ]),
      400,
      /two entries/,
    ],
    [
      'folders that differ in case',
      () =>
        buildZip([
          { name: 'A/1', data: '1' },
          { name: 'a/2', data: '2' },
        ]),
      400,
      /two entries/,
    ],
    [
      'names that differ in their composition',
      () =>
        buildZip([
          { name: 'é', data: '1' },
          { name: 'e\u0301', data: '2' },
        ]),
      400,
      /two entries/,
    ],
    [
      'a file that is also a folder',
      () =>
        buildZip([
          { name: 'a', data: '1' },
          { name: 'a/b', data: '2' },
        ]),
      400,
      /two entries/,
    ],
    [
      'a folder that is also a file',
      () =>
        buildZip([
          { name: 'a/b', data: '1' },
          { name: 'a', data: '2' },
        ]),
      400,
      /two entries/,
    ],
    ['a wrong checksum', () => buildZip([{ name: 'a', data: 'right', crc: 1 }]), 400, /checksum/],
    [
      'a wrong checksum of stored bytes',
      () => buildZip([{ name: 'a', data: 'right', stored: true, crc: 1 }]),
      400,
      /checksum/,
    ],
    [
      'a wrong checksum of the last file',
      () =>
        buildZip([
          { name: 'a', data: 'right' },
          { name: 'b', data: longText, crc: 1 },
        ]),
      400,
      /checksum/,
    ],
    ['a size that is too small', () => buildZip([{ name: 'a', data: longText, size: 10 }]), 400, /larger than it says/],
    [
      'a size that is too large',
      () => buildZip([{ name: 'a', data: 'short', size: 5000 }]),
      400,
      /smaller than it says/,
    ],
    [
      'stored bytes whose two sizes differ',
      () => buildZip([{ name: 'a', data: 'short', stored: true, size: 50 }]),
      400,
      /two sizes/,
    ],
    [
      'a header with another size',
      () => buildZip([{ name: 'a', data: 'short', header: { size: 4 } }]),
      400,
      /another size/,
    ],
    [
      'a header with another name',
      () => buildZip([{ name: 'a', data: 'x', header: { name: '../a' } }]),
      400,
      /another file/,
    ],
    [
      'a header with another method',
      () => buildZip([{ name: 'a', data: 'xx', header: { method: 0 } }]),
      400,
      /another file/,
    ],
    [
      'no header at the offset in the list',
      () => buildZip([{ name: 'a', data: 'x', header: { signature: 1 } }]),
      400,
      /not where its list says/,
    ],
    [
      'files that overlap',
      () =>
        buildZip([
          { name: 'a', data: longText },
          { name: 'b', data: longText, offset: 0 },
        ]),
      400,
      /overlaps another file/,
    ],
    ['a file after the list', () => buildZip([{ name: 'a', data: 'x', offset: 5000 }]), 400, /damaged/],
    ['packed bytes beyond the end', () => buildZip([{ name: 'a', data: 'x', packed: 100_000 }]), 400, /damaged/],
    [
      'bytes that are not deflated',
      () => buildZip([{ name: 'a', data: 'zzzzzzzz', stored: true, method: 8 }]),
      400,
      /cannot be unpacked|two sizes|larger|smaller/,
    ],
    [
      'bytes after the deflated data',
      () => buildZip([{ name: 'a', data: 'right', tail: Buffer.from('junk') }]),
      400,
      /belong to nothing|cannot be unpacked/,
    ],
    [
      'an unknown compression method',
      () => buildZip([{ name: 'a', data: 'x', method: 99 }]),
      400,
      /unsupported compression/,
    ],
    ['a password', () => buildZip([{ name: 'a', data: 'x', flags: 1 }]), 400, /password/],
    ['an encrypted list', () => buildZip([{ name: 'a', data: 'x', flags: 0x2041 }]), 400, /password/],
    ['an entry count that is too high', () => buildZip([{ name: 'a', data: 'x' }], { count: 5 }), 400, /list of files/],
    [
      'an entry count that is too low',
      () =>
        buildZip(
          [
            { name: 'a', data: 'x' },
            { name: 'b', data: 'x' },
          ],
          { count: 1 },
        ),
      400,
      /longer than it says/,
    ],
    [
      'a list that is longer than the archive',
      () => buildZip([{ name: 'a', data: 'x' }], { listLength: 100_000 }),
      400,
      /missing/,
    ],
    ['one of several parts', () => buildZip([{ name: 'a', data: 'x' }], { disk: 2 }), 400, /several parts/],
    ['no entries', () => buildZip([]), 400, /empty/],
    ['nothing at all', () => new Uint8Array(0), 400, /not a zip archive/],
    ['text', () => Buffer.from('this is a text with more than some letters'), 400, /not a zip archive/],
    [
      'half an archive',
      () => buildZip([{ name: 'a', data: longText }]).subarray(0, 300),
      400,
      /no zip archive|end is missing/,
    ],
    ['a list without its bytes', () => buildZip([{ name: 'a', data: longText }]).subarray(200), 400, /damaged/],
    ['a bomb', () => buildZip([{ name: 'zeros', data: zeros }]), 413, /not plausible/],
    [
      'a bomb of many files',
      () => buildZip(Array.from({ length: 20 }, (_, n) => ({ name: `z${n}`, data: zeros.subarray(0, 1024 * 1024) }))),
      413,
      /not plausible/,
    ],
    [
      'more bytes than any disk has',
      () => buildZip([{ name: 'a', data: 'x', size: 0xfffffff0, packed: 0xfffffff0 }]),
      413,
      /more than/,
    ],
  ]
  test.each(cases)('%s', async (_, bytes, status, message) => {
    await expectRefused(bytes(), status, message)
  })
})

describe('unpacking:', () => {
  test('valid archives are unpacked with files, folders, empty folders, names in other scripts, times', async () => {
    const bytes = buildZip([
      { name: 'تصاویر/', mode: 0o040755 },
      { name: 'عکس.txt', data: 'یک' },
      { name: 'deep/er/file.txt', data: longText, mode: 0o100644 },
      { name: 'stored.bin', data: 'as it is', stored: true },
      { name: 'empty', data: '' },
    ])
    const { response, tree, directory } = await unarchive(bytes)
    expect(response.status).toBe(200)
    expect(Object.keys(tree).sort()).toEqual(
      ['archive.zip', 'deep', 'deep/er', 'deep/er/file.txt', 'empty', 'stored.bin', 'تصاویر', 'عکس.txt'].sort(),
    )
    expect(readFileSync(join(directory, 'deep/er/file.txt')).equals(longText)).toBe(true)
    expect(statSync(join(directory, 'عکس.txt')).mtime).toEqual(new Date(2020, 1, 2, 2, 2, 2))
    expect(response.json.files?.map(({ basename: name }) => name)).toContain('عکس.txt')
    expect(manager().faults()).toEqual([])
  })

  test('special and executable modes are dropped', async () => {
    const { directory } = await unarchive(buildZip([{ name: 'tool', data: '#!/bin/sh', mode: 0o104755 }]))
    expect(statSync(join(directory, 'tool')).mode & 0o7111).toBe(0)
  })

  test('names in CP437 are decoded', async () => {
    const { tree } = await unarchive(buildZip([{ name: Buffer.from([0x81, 0x62, 0x84]), data: 'x' }]))
    expect(Object.keys(tree)).toContain('übä')
  })

  test('an archive with bytes before it and a comment after it is unpacked', async () => {
    const bytes = buildZip([{ name: 'a', data: 'x' }], { before: Buffer.from('#!/bin/sh\n'), comment: 'words' })
    const { response, tree } = await unarchive(bytes)
    expect(response.status).toBe(200)
    expect(Object.keys(tree).sort()).toEqual(['a', 'archive.zip'])
  })

  test('an archive with Zip64 fields is unpacked, unless a size is implausible', async () => {
    const entries = [
      { name: 'a.txt', data: longText, wide: true },
      { name: 'b.txt', data: 'b' },
    ]
    const { response, tree } = await unarchive(buildZip(entries, { wide: true }))
    expect(response.json.message ?? '').toBe('')
    expect(Object.keys(tree).sort()).toEqual(['a.txt', 'archive.zip', 'b.txt'])
    const wrongSize = buildZip([{ name: 'a.txt', data: longText, wide: true, size: 2 ** 50 }], { wide: true })
    await expectRefused(wrongSize, 413, /more than/)
  })

  test('an archive whose end record has an impossible offset is refused', async () => {
    const bytes = buildZip([{ name: 'a', data: 'x' }], { wide: true })
    bytes.writeBigUInt64LE(2n ** 63n, bytes.lastIndexOf(Buffer.from('PK\x06\x07')) + 8)
    await expectRefused(bytes, 400, /missing/)
  })

  test('an archive in an archive is unpacked as a file', async () => {
    const inner = buildZip([{ name: 'zeros', data: zeros }])
    const { response, tree } = await unarchive(buildZip([{ name: 'inner.zip', data: inner, stored: true }]))
    expect(response.status).toBe(200)
    expect(Object.keys(tree).sort()).toEqual(['archive.zip', 'inner.zip'])
  })

  test('a text that compresses well is not refused as a zip bomb', async () => {
    expect(deflateRawSync(longText).length).toBeLessThan(longText.length / 100)
    const { response } = await unarchive(buildZip([{ name: 'log.txt', data: longText }]))
    expect(response.status).toBe(200)
  })

  test('if a name is taken, nothing is unpacked or replaced', async () => {
    const { folder, directory, item } = withArchive(
      buildZip([
        { name: 'new', data: '1' },
        { name: 'old', data: '2' },
      ]),
    )
    writeFileSync(join(directory, 'old'), 'mine')
    const response = await manager().get({ q: 'unarchive', path: folder, item })
    expect(response.status).toBe(409)
    expect(response.json.message).toContain(`${folder}/old`)
    expect(Object.keys(manager().tree(directory)).sort()).toEqual(['archive.zip', 'old'])
    expect(readFileSync(join(directory, 'old'), 'utf8')).toBe('mine')
    expect(manager().faults()).toEqual([])
  })

  test('an archive that contains its own name does not replace itself', async () => {
    const { folder, directory, item } = withArchive(buildZip([{ name: 'archive.zip', data: 'gotcha' }]))
    const before = manager().tree(directory)
    expect((await manager().get({ q: 'unarchive', path: folder, item })).status).toBe(409)
    expect(manager().tree(directory)).toEqual(before)
  })

  test('an archive is unpacked into another folder', async () => {
    const { item } = withArchive(buildZip([{ name: 'x', data: 'x' }]))
    const { folder, directory } = withArchive(new Uint8Array(0))
    expect((await manager().get({ q: 'unarchive', path: folder, item })).status).toBe(200)
    expect(Object.keys(manager().tree(directory)).sort()).toEqual(['archive.zip', 'x'])
  })

  test('a folder is refused as an archive, and a file as a target', async () => {
    const { folder, item } = withArchive(buildZip([{ name: 'x', data: 'x' }]))
    expect((await manager().get({ q: 'unarchive', path: folder, item: folder })).status).toBe(400)
    expect((await manager().get({ q: 'unarchive', path: item, item })).status).toBe(400)
    expect((await manager().get({ q: 'unarchive', path: folder, item: `${folder}/none.zip` })).status).toBe(404)
    expect(manager().faults()).toEqual([])
  })

  test('pictures in an archive are items at once', async () => {
    const { get, items, photos, put } = manager()
    const bytes = buildZip([
      { name: 'album/one.jpg', data: await picture({ seed: 71 }), stored: true },
      { name: 'two.jpg', data: await picture({ seed: 72 }), stored: true },
    ])
    put(join(photos.root, 'album.zip'), bytes)
    expect((await get({ q: 'unarchive', path: '/Photos', item: '/Photos/album.zip' })).status).toBe(200)
    expect([...items().values()].sort()).toEqual(['Photos: album/one.jpg', 'Photos: two.jpg'])
  })

  test('unpacking into a read-only collection is refused', async () => {
    const { get, readOnly, put, tree } = manager()
    put(join(readOnly.root, 'a.zip'), buildZip([{ name: 'x', data: 'x' }]))
    expect((await get({ q: 'unarchive', path: '/Locked', item: '/Locked/a.zip' })).status).toBe(403)
    expect(Object.keys(tree(readOnly.root))).toEqual(['a.zip'])
  })
})

describeWithSamples('the archives among the samples', samples => {
  const hostile = [
    'absolute names.zip',
    'bomb 10 MB.zip',
    'bomb 300 MB.zip',
    'cut in half.zip',
    'empty.zip',
    'link then write through it.zip',
    'not an archive.zip',
    'parent folder names.tar',
    'parent folder names.zip',
    'same name twice.zip',
    'wrong checksum.zip',
  ]
  test.each(hostile)('hostile: %s is refused', async name => {
    await expectRefused(
      readFileSync(join(samples, 'archives/hostile', name)),
      name.startsWith('bomb') ? 413 : 400,
      /\w{4}/,
    )
  })

  test.each(['password secret.zip', 'photos.tar', 'photos.tar.gz', 'photos.tar.bz2'])(
    '%s is refused: only zip archives without a password are accepted',
    async name => {
      await expectRefused(readFileSync(join(samples, 'archives', name)), 400, /zip|password/)
    },
  )

  test('of a nested zip bomb, only the inner archives are unpacked', async () => {
    const { response, tree } = await unarchive(readFileSync(join(samples, 'archives/hostile/nested bomb.zip')))
    expect(response.status).toBe(200)
    expect(Object.keys(tree).every(path => path.endsWith('.zip'))).toBe(true)
    expect(manager().faults()).toEqual([])
  })

  test
    .skipIf(Bun.which('python3') === null)
    .each(['album with folders.zip', 'many small files.zip', 'photos.zip', 'unicode names.zip'])(
    'valid: %s is unpacked into the files that Python lists',
    async name => {
      const path = join(samples, 'archives', name)
      const { response, tree } = await unarchive(readFileSync(path))
      expect(response.status).toBe(200)
      const { stdout } = Bun.spawnSync(['python3', '-c', nameLister, path])
      const expected: string[] = JSON.parse(stdout.toString())
      const found = Object.entries(tree).flatMap(([inner, hash]) => (hash === 'dir' ? [] : [inner]))
      expect(found.filter(one => basename(one) !== 'archive.zip').sort()).toEqual(expected.sort())
      expect(manager().faults()).toEqual([])
    },
    30_000,
  )
})

/** A Python program that prints the names of the files in an archive. */
const nameLister =
  'import json,sys,zipfile; print(json.dumps([n for n in zipfile.ZipFile(sys.argv[1]).namelist() if not n.endswith("/")]))'

describe('an archive of very many empty files', () => {
  const empty = (count: number, path: (n: number) => string) =>
    buildZip(Array.from({ length: count }, (_, n) => ({ name: path(n) })))

  test('is unpacked completely, in folders and at the top', async () => {
    const { response, tree } = await unarchive(empty(700, n => (n % 2 === 0 ? `${n}.txt` : `deep/${n % 7}/${n}.txt`)))
    expect(response.status).toBe(200)
    const files = Object.keys(tree).filter(path => path.endsWith('.txt'))
    expect(files).toHaveLength(700)
    expect(files).toContain('deep/1/1.txt')
    expect(manager().faults()).toEqual([])
  })

  test('is unpacked also where the system cannot sync a whole disk at once', async () => {
    const { PATH } = process.env
    process.env.PATH = ''
    try {
      const { response, tree } = await unarchive(empty(20, n => `deep/${n}.txt`))
      expect([response.status, Object.keys(tree).filter(path => path.endsWith('.txt')).length]).toEqual([200, 20])
    } finally {
      process.env.PATH = PATH
    }
  })

  test('is refused as a whole when one of its names is taken', async () => {
    const { folder, directory, item } = withArchive(empty(500, n => `${n}.txt`))
    manager().put(join(directory, '499.txt'), 'mine')
    const response = await manager().get({ q: 'unarchive', path: folder, item })
    expect(response.status).toBe(409)
    expect(response.json.message).toContain('499.txt')
    expect(Object.keys(manager().tree(directory)).sort()).toEqual(['499.txt', 'archive.zip'])
  })

  test('is refused when one of them has a wrong checksum, or a header with another name', async () => {
    await expectRefused(buildZip([{ name: 'a' }, { name: 'b', crc: 1 }]), 400, /checksum of 'b' is wrong/)
    await expectRefused(buildZip([{ name: 'a' }, { name: 'b', header: { name: 'c' } }]), 400, /'b' is another file/)
  })
})
