import { beforeEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DiskPlace } from '../../../core/files/anchor.ts'
import { createDisk, readRegularFile } from '../../../core/files/disk.ts'
import { DiskError } from '../../../core/files/disk-error.ts'
import { systemCalls } from '../../../core/files/system-calls.ts'
import { isTemporaryName } from '../../../core/files/write-whole.ts'
import { Failure } from '../../../schema/errors.ts'
import { openPathsIn } from '../../support/descriptors.ts'
import { otherDisk, temporaryDirectory } from '../../support/temporary.ts'

const calls = systemCalls()
const ways = [
  ...(calls === null ? [] : [{ name: 'by system calls', options: {} }]),
  ...(calls === null
    ? []
    : [{ name: 'by system calls of an older kernel', options: { calls: { ...calls, openBeneath: null } } }]),
  ...(existsSync('/proc/self/fd') ? [{ name: 'by descriptors', options: { calls: null } }] : []),
  { name: 'by paths', options: { calls: null, held: false } },
]

test('system calls are available on Linux on x64 and arm64', () => {
  const expected = process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64')
  expect(calls !== null).toBe(expected)
})

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

async function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => new Error('nothing was thrown'),
    error => error,
  )
}

function codeOf(error: unknown): string {
  if (error instanceof Failure || error instanceof DiskError) return error.code
  throw error
}

describe.each(ways)('the disk $name', ({ options }) => {
  const disk = createDisk(options)
  let root = ''
  const at = (path: string | Uint8Array): DiskPlace => ({
    root,
    path: typeof path === 'string' ? Buffer.from(path) : path,
  })

  beforeEach(() => {
    root = temporaryDirectory()
    mkdirSync(join(root, 'in/deeper'), { recursive: true })
    writeFileSync(join(root, 'in/deeper/a.jpg'), 'abcdefghij')
    mkdirSync(join(root, 'outside'))
    writeFileSync(join(root, 'outside/secret'), 'secret')
    symlinkSync(join(root, 'outside'), join(root, 'in/link'))
    symlinkSync(join(root, 'outside/secret'), join(root, 'in/file-link'))
  })

  describe('reading', () => {
    test('returns a whole file, a part of it or a stream', async () => {
      expect(Buffer.from(disk.read(at('in/deeper/a.jpg'), 100)).toString()).toBe('abcdefghij')
      const file = disk.open(at('in/deeper/a.jpg'))
      expect(file.size).toBe(10)
      expect(Buffer.from(file.read(3, 4)).toString()).toBe('defg')
      expect(Buffer.from(file.read(8, 99)).toString()).toBe('ij')
      expect(file.read(10, 1)).toHaveLength(0)
      expect(await new Response(file.stream(2, 5)).text()).toBe('cde')
      const again = await disk.openAsync(at('in/deeper/a.jpg'))
      expect(await new Response(again.stream()).text()).toBe('abcdefghij')
    })

    test('reports size, kind and time to the nanosecond', () => {
      const known = statSync(join(root, 'in/deeper/a.jpg'), { bigint: true })
      const facts = disk.stat(at('in/deeper/a.jpg'))
      expect(facts).toMatchObject({ kind: 'file', size: 10, device: String(known.dev), inode: String(known.ino) })
      expect(BigInt(facts?.mtimeSeconds ?? 0) * 1_000_000_000n + BigInt(facts?.mtimeNanoseconds ?? 0)).toBe(
        known.mtimeNs,
      )
      expect(disk.stat(at('in/deeper'))?.kind).toBe('dir')
      expect(disk.stat(at('in/link'))?.kind).toBe('link')
      expect(disk.stat(at('in/nothing'))).toBeNull()
      expect(disk.stat(at('nowhere/nothing'))).toBeNull()
    })

    test('reports a time before 1970', () => {
      spawnSync('touch', ['-d', '1969-07-20 20:17:40.25 UTC', join(root, 'in/deeper/a.jpg')])
      const facts = disk.stat(at('in/deeper/a.jpg'))
      expect(facts).toMatchObject({
        mtimeSeconds: Date.UTC(1969, 6, 20, 20, 17, 40) / 1000,
        mtimeNanoseconds: 250_000_000,
      })
    })

    test('supports names that are not text', async () => {
      const name = Buffer.from([...Buffer.from('in/'), 0xe9, 0xff, 0x0a])
      await disk.write(at(name), Buffer.from('x'))
      expect(
        readdirSync(join(root, 'in'), { encoding: 'buffer' }).some(found =>
          Buffer.from(found).equals(name.subarray(3)),
        ),
      ).toBe(true)
      expect(disk.read(at(name), 1)).toHaveLength(1)
      expect(disk.remove(at(name))).toBe(true)
    })

    test('reads a file whose path is longer than the system allows', async () => {
      if (options.held === false) return
      const path = Buffer.from(Array.from({ length: 40 }, () => 'n'.repeat(200)).join('/'))
      disk.makeDirectory(at(path))
      const file = Buffer.concat([path, Buffer.from('/file')])
      await disk.write(at(file), Buffer.from('deep'))
      expect(Buffer.from(disk.read(at(file), 9)).toString()).toBe('deep')
    })

    test('refuses a file larger than the limit', () => {
      expect(codeOf(thrownBy(() => disk.read(at('in/deeper/a.jpg'), 9)))).toBe('tooLarge')
    })

    test('follows no link, neither at the end of a path nor within it', () => {
      expect(codeOf(thrownBy(() => disk.open(at('in/file-link'))))).toBe('ELOOP')
      expect(['ELOOP', 'ENOTDIR']).toContain(codeOf(thrownBy(() => disk.open(at('in/link/secret')))))
      expect(['ELOOP', 'ENOTDIR']).toContain(codeOf(thrownBy(() => disk.stat(at('in/link/secret')))))
    })

    test.each(['../outside/secret', 'in/../../x', '/etc/passwd', 'in//deeper', ''])(
      'never leaves its root with %p',
      path => {
        const inner = { root: join(root, 'in'), path: Buffer.from(path) }
        expect(codeOf(thrownBy(() => disk.open(inner)))).toBe('invalid')
      },
    )

    test('accepts a root that is a link', () => {
      expect(disk.read({ root: join(root, 'in/link'), path: Buffer.from('secret') }, 9)).toHaveLength(6)
    })

    test('opens neither directories, FIFOs nor devices', () => {
      spawnSync('mkfifo', [join(root, 'in/fifo')])
      expect(codeOf(thrownBy(() => disk.open(at('in/fifo'))))).toBe('invalid')
      expect(codeOf(thrownBy(() => disk.open(at('in/deeper'))))).toBe('invalid')
      expect(codeOf(thrownBy(() => disk.open({ root: '/dev', path: Buffer.from('zero') })))).toBe('invalid')
    })

    test('reports an error with the path of the file', () => {
      const error = thrownBy(() => disk.open(at('in/nothing.jpg')))
      expect(error).toBeInstanceOf(DiskError)
      expect(error).toMatchObject({ code: 'ENOENT', message: `${root}/in/nothing.jpg: It is not there (ENOENT)` })
    })

    test('leaves no descriptor open', async () => {
      const before = openPathsIn(root)
      for (const path of ['in/nothing', 'in/link/secret', 'in/deeper', 'nowhere/x']) thrownBy(() => disk.open(at(path)))
      disk.stat(at('in/deeper/a.jpg'))
      await new Response(disk.open(at('in/deeper/a.jpg')).stream(0, 4)).text()
      const broken = disk.open(at('in/deeper/a.jpg')).stream().getReader()
      await broken.cancel()
      const started = disk.open(at('in/deeper/a.jpg')).stream(0, 3).getReader()
      await started.read()
      await started.cancel()
      await disk.write(at('in/x'), Buffer.from('x'))
      disk.move(at('in/x'), at('outside/x'))
      disk.makeDirectory(at('in/y/z'))
      expect(openPathsIn(root)).toEqual(before)
      const held = disk.open(at('in/deeper/a.jpg'))
      // Verify that `openPathsIn` finds open descriptors.
      if (existsSync('/proc/self/fd')) expect(openPathsIn(root).length).toBeGreaterThan(before.length)
      held.close()
    })

    test('reports a file that becomes shorter while it is read', async () => {
      const path = join(root, 'in/long')
      writeFileSync(path, Buffer.alloc(600_000))
      const reader = disk.open(at('in/long')).stream().getReader()
      await reader.read()
      writeFileSync(path, 'short')
      const error = await rejectionOf(reader.read().then(() => reader.read()))
      expect(String(error)).toContain('too early')
    })
  })

  describe('writing', () => {
    test('creates a file and leaves no other files', async () => {
      await disk.write(at('in/new.xmp'), Buffer.from('content'))
      expect(readFileSync(join(root, 'in/new.xmp'), 'utf8')).toBe('content')
      expect(readdirSync(join(root, 'in')).sort()).toEqual(['deeper', 'file-link', 'link', 'new.xmp'])
    })

    test('accepts a stream of pieces', async () => {
      async function* pieces() {
        yield Buffer.from('one ')
        yield Buffer.alloc(0)
        yield Buffer.from('two')
      }
      await disk.write(at('in/new'), pieces())
      expect(readFileSync(join(root, 'in/new'), 'utf8')).toBe('one two')
    })

    test('leaves no file if the stream fails', async () => {
      async function* pieces() {
        yield Buffer.from('half')
        throw new Error('the sender is gone')
      }
      expect(String(await rejectionOf(disk.write(at('in/deeper/new'), pieces())))).toContain('the sender is gone')
      expect(readdirSync(join(root, 'in/deeper'))).toEqual(['a.jpg'])
    })

    test('does not replace a file without `replace`', async () => {
      expect(codeOf(await rejectionOf(disk.write(at('in/deeper/a.jpg'), Buffer.from('new'))))).toBe('conflict')
      expect(readFileSync(join(root, 'in/deeper/a.jpg'), 'utf8')).toBe('abcdefghij')
      expect(readdirSync(join(root, 'in/deeper'))).toEqual(['a.jpg'])
    })

    test('replaces a file and keeps its permissions', async () => {
      chmodSync(join(root, 'in/deeper/a.jpg'), 0o604)
      const inode = statSync(join(root, 'in/deeper/a.jpg')).ino
      await disk.write(at('in/deeper/a.jpg'), Buffer.from('new'), { replace: true })
      const after = statSync(join(root, 'in/deeper/a.jpg'))
      expect(after.mode & 0o777).toBe(0o604)
      expect(after.ino).not.toBe(inode)
      expect(readFileSync(join(root, 'in/deeper/a.jpg'), 'utf8')).toBe('new')
      await disk.write(at('in/deeper/b.jpg'), Buffer.from('first'), { replace: true })
      expect(readFileSync(join(root, 'in/deeper/b.jpg'), 'utf8')).toBe('first')
    })

    test('replaces neither a link nor a directory', async () => {
      for (const path of ['in/file-link', 'in/deeper']) {
        expect(codeOf(await rejectionOf(disk.write(at(path), Buffer.from('new'), { replace: true })))).toBe('invalid')
      }
      expect(readFileSync(join(root, 'outside/secret'), 'utf8')).toBe('secret')
    })

    test('sets the given time of a file, even before 1970', async () => {
      for (const modified of [1_564_669_353.25, -86_399.5]) {
        await disk.write(at('in/dated'), Buffer.from('x'), { replace: true, modified })
        expect(statSync(join(root, 'in/dated')).mtimeMs).toBe(modified * 1000)
      }
    })

    test('writes through no link', async () => {
      const error = await rejectionOf(disk.write(at('in/link/new'), Buffer.from('new')))
      expect(['ELOOP', 'ENOTDIR']).toContain(codeOf(error))
      expect(readdirSync(join(root, 'outside'))).toEqual(['secret'])
    })

    test('creates missing directories and accepts existing ones', () => {
      disk.makeDirectory(at('in/one/two'))
      disk.makeDirectory(at('in/one/two/three'))
      expect(lstatSync(join(root, 'in/one/two/three')).isDirectory()).toBe(true)
      expect(codeOf(thrownBy(() => disk.makeDirectory(at('in/deeper/a.jpg/x'))))).toBe('ENOTDIR')
      expect(codeOf(thrownBy(() => disk.makeDirectory(at('in/deeper/a.jpg'))))).toBe('ENOTDIR')
      expect(['ELOOP', 'ENOTDIR']).toContain(codeOf(thrownBy(() => disk.makeDirectory(at('in/link/x')))))
      expect(existsSync(join(root, 'outside/x'))).toBe(false)
    })
  })

  describe('moving and removing', () => {
    test('renames a file and a directory', () => {
      disk.move(at('in/deeper/a.jpg'), at('outside/b.jpg'))
      expect(readFileSync(join(root, 'outside/b.jpg'), 'utf8')).toBe('abcdefghij')
      disk.move(at('in/deeper'), at('outside/there'))
      expect(readdirSync(join(root, 'outside')).sort()).toEqual(['b.jpg', 'secret', 'there'])
      expect(readdirSync(join(root, 'in')).sort()).toEqual(['file-link', 'link'])
    })

    test('never replaces anything when it renames', () => {
      writeFileSync(join(root, 'in/other'), 'other')
      mkdirSync(join(root, 'in/empty'))
      for (const [from, to] of [
        ['in/deeper/a.jpg', 'in/other'],
        ['in/deeper/a.jpg', 'in/file-link'],
        ['in/deeper/a.jpg', 'in/empty'],
        ['in/deeper', 'in/empty'],
        ['in/deeper', 'in/other'],
      ] as const) {
        expect(codeOf(thrownBy(() => disk.move(at(from), at(to))))).toBe('conflict')
      }
      expect(readFileSync(join(root, 'in/other'), 'utf8')).toBe('other')
      expect(readFileSync(join(root, 'in/deeper/a.jpg'), 'utf8')).toBe('abcdefghij')
    })

    test('renames neither out of its root nor through a link, and reports a missing file', () => {
      expect(codeOf(thrownBy(() => disk.move(at('in/deeper/a.jpg'), at('../a.jpg'))))).toBe('invalid')
      expect(['ELOOP', 'ENOTDIR']).toContain(
        codeOf(thrownBy(() => disk.move(at('in/deeper/a.jpg'), at('in/link/a.jpg')))),
      )
      const error = thrownBy(() => disk.move(at('in/nothing'), at('in/x')))
      expect(error).toMatchObject({ code: 'ENOENT', message: `${root}/in/nothing: It is not there (ENOENT)` })
      expect(existsSync(join(root, 'in/deeper/a.jpg'))).toBe(true)
    })

    test('fails with EXDEV if the target is on another disk', () => {
      if (otherDisk === null) return
      const elsewhere = { root: otherDisk, path: Buffer.from(`keepsake-test-${process.pid}`) }
      expect(codeOf(thrownBy(() => disk.move(at('in/deeper/a.jpg'), elsewhere)))).toBe('EXDEV')
      expect(existsSync(`${otherDisk}/${elsewhere.path}`)).toBe(false)
      expect(existsSync(join(root, 'in/deeper/a.jpg'))).toBe(true)
    })

    test('removes files and empty directories, and ignores missing ones', () => {
      expect(disk.remove(at('in/deeper/a.jpg'))).toBe(true)
      expect(disk.remove(at('in/deeper/a.jpg'))).toBe(false)
      expect(disk.removeDirectory(at('in/deeper'))).toBe(true)
      expect(disk.removeDirectory(at('in/deeper'))).toBe(false)
      expect(codeOf(thrownBy(() => disk.removeDirectory(at('in'))))).toBe('ENOTEMPTY')
    })

    test('removes a link but not its target', () => {
      expect(disk.remove(at('in/file-link'))).toBe(true)
      expect(readFileSync(join(root, 'outside/secret'), 'utf8')).toBe('secret')
      expect(['ELOOP', 'ENOTDIR']).toContain(codeOf(thrownBy(() => disk.remove(at('in/link/secret')))))
      expect(readFileSync(join(root, 'outside/secret'), 'utf8')).toBe('secret')
    })
  })
})

test('a full disk keeps the old file and leaves no partial new file', () => {
  const root = temporaryDirectory()
  writeFileSync(join(root, 'old'), 'old')
  const script = join(temporaryDirectory(), 'write.ts')
  const module = realpathSync(join(import.meta.dir, '../../../core/files/disk.ts'))
  writeFileSync(
    script,
    `import { createDisk } from ${JSON.stringify(module)}
     const placeOf = name => ({ root: ${JSON.stringify(root)}, path: Buffer.from(name) })
     for (const [name, replace] of [['old', true], ['new', false]]) {
       await createDisk().write(placeOf(name), Buffer.alloc(1_000_000), { replace }).then(() => console.log('written'), error => console.log(error.code))
     }`,
  )
  // A limit on the file size simulates a full disk: the system writes some bytes and then fails.
  const run = spawnSync('sh', ['-c', `trap '' XFSZ; ulimit -f 100; exec "$0" "$1"`, process.execPath, script], {
    encoding: 'utf8',
  })
  expect(run.stdout).toBe('EFBIG\nEFBIG\n')
  expect(readdirSync(root)).toEqual(['old'])
  expect(readFileSync(join(root, 'old'), 'utf8')).toBe('old')
})

test('temporary files of killed processes are recognized by name', () => {
  expect(isTemporaryName('.keepsake-0123456789abcdef.tmp')).toBe(true)
  expect(isTemporaryName('.keepsake-ignore')).toBe(false)
  expect(isTemporaryName('a.keepsake-0123456789abcdef.tmp')).toBe(false)
})

test.skipIf(!existsSync('/proc/self/fd'))(
  'a held directory stays usable after it is renamed, and reports its current path',
  () => {
    const disk = createDisk()
    const root = realpathSync(temporaryDirectory())
    const at = (path: string): DiskPlace => ({ root, path: Buffer.from(path) })
    mkdirSync(join(root, 'a'))
    const before = openPathsIn(root)
    const held = disk.hold(at('a'))
    expect(held?.path()?.toString()).toBe(join(root, 'a'))
    renameSync(join(root, 'a'), join(root, 'b (deleted)'))
    mkdirSync(join(root, 'a'))
    writeFileSync(join(root, 'b (deleted)/x'), 'x')
    expect(held?.path()?.toString()).toBe(join(root, 'b (deleted)'))
    expect(disk.stat({ root: held?.root ?? '', path: Buffer.from('x') })?.size).toBe(1)
    rmSync(join(root, 'b (deleted)'), { recursive: true })
    expect(held?.path()).toBeNull()
    expect(disk.stat({ root: held?.root ?? '', path: Buffer.from('x') })).toBeNull()
    held?.close()
    expect(openPathsIn(root)).toEqual(before)
    expect(thrownBy(() => disk.hold(at('b')))).toMatchObject({ code: 'ENOENT' })
  },
)

test('`kindOf` returns a description of the kind', () => {
  const disk = createDisk()
  const root = temporaryDirectory()
  const at = (path: string): DiskPlace => ({ root, path: Buffer.from(path) })
  writeFileSync(join(root, 'file'), '')
  mkdirSync(join(root, 'folder'))
  symlinkSync('/dev/null', join(root, 'link'))
  spawnSync('mkfifo', [join(root, 'pipe')])
  const kinds = ['file', 'folder', 'link', 'pipe', 'nothing'].map(name => disk.kindOf(at(name)))
  expect(kinds).toEqual(['a file', 'a folder', 'a link', 'a pipe', null])
})

test('`readRegularFile` returns a small file, or null', () => {
  const root = temporaryDirectory()
  writeFileSync(join(root, 'a.xmp'), 'abc')
  symlinkSync('a.xmp', join(root, 'link.xmp'))
  linkSync(join(root, 'a.xmp'), join(root, 'b.xmp'))
  const read = (name: string, limit: number) => readRegularFile(Buffer.from(join(root, name)), limit)
  expect(Buffer.from(read('b.xmp', 3) ?? []).toString()).toBe('abc')
  expect(read('a.xmp', 2)).toBeNull()
  expect(read('link.xmp', 99)).toBeNull()
  expect(read('nothing', 99)).toBeNull()
  expect(read('.', 99)).toBeNull()
})
