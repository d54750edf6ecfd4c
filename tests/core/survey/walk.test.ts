import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createDisk } from '../../../core/files/disk.ts'
import { systemCalls } from '../../../core/files/system-calls.ts'
import { listDirectory, type WalkedDirectory, type WalkOptions, walk } from '../../../core/survey/walk.ts'
import { openPathsIn } from '../../support/descriptors.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

async function collect(root: string, options: WalkOptions): Promise<WalkedDirectory[]> {
  const found: WalkedDirectory[] = []
  for await (const directory of walk(root, options)) found.push(directory)
  return found
}

/** Paths of all directories and files, in the order returned. */
async function paths(root: string, options: WalkOptions): Promise<string[]> {
  const all = await collect(root, options)
  return all.flatMap(({ display, entries }) => [
    `${display}/`,
    ...entries.map(entry => `${display}/${entry.display} ${entry.kind}`),
  ])
}

function put(root: string, ...names: string[]) {
  for (const name of names) {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), name)
  }
}

async function fingerprint(root: string, options: WalkOptions): Promise<string> {
  const [top] = await collect(root, options)
  return Buffer.from(top?.fingerprint ?? []).toString('hex')
}

const ways = [
  ...(systemCalls() === null ? [] : [{ name: 'by system calls', way: {} }]),
  { name: 'by node:fs', way: { calls: null } },
]

describe.each(ways)('a walk $name', ({ way }) => {
  test('returns parents before children, in byte order of their names', async () => {
    const root = temporaryDirectory()
    put(root, 'b/2.jpg', 'b/10.jpg', 'B.jpg', 'a/x/é.jpg', 'a/x/z.jpg', 'a-b/1.jpg', 'a.jpg')
    mkdirSync(join(root, 'empty'))
    expect(await paths(root, way)).toEqual([
      '/',
      '/B.jpg file',
      '/a dir',
      '/a-b dir',
      '/a.jpg file',
      '/b dir',
      '/empty dir',
      'a/',
      'a/x dir',
      'a/x/',
      'a/x/z.jpg file',
      'a/x/é.jpg file',
      'a-b/',
      'a-b/1.jpg file',
      'b/',
      'b/10.jpg file',
      'b/2.jpg file',
      'empty/',
    ])
  })

  test('returns sizes and times to the nanosecond, also before 1970 and after 2106', async () => {
    const root = temporaryDirectory()
    const times = [
      '2019-08-01 14:22:33.123456789',
      '1969-12-31 23:59:59.999999999',
      '1901-12-14 00:00:00',
      '2200-01-01 00:00:00.5',
    ]
    for (const [n, time] of times.entries()) {
      writeFileSync(join(root, `${n}`), 'x'.repeat(n * 1000))
      spawnSync('touch', ['-d', `${time} UTC`, join(root, `${n}`)])
    }
    spawnSync('truncate', ['-s', '5000000000', join(root, 'large')])
    const [top] = await collect(root, way)
    expect(top?.entries).toHaveLength(5)
    for (const entry of top?.entries ?? []) {
      const known = statSync(join(root, entry.raw), { bigint: true })
      expect(BigInt(entry.mtimeSeconds) * 1_000_000_000n + BigInt(entry.mtimeNanoseconds)).toBe(known.mtimeNs)
      expect(entry.mtimeNanoseconds).toBeGreaterThanOrEqual(0)
      expect(BigInt(entry.size)).toBe(known.size)
    }
  })

  test('returns names that are not UTF-8, contain a newline, or have the maximum length', async () => {
    const root = temporaryDirectory()
    const names = [
      Buffer.from('a\nb'),
      Buffer.of(0xe9, 0xff, 0x2e, 0x80),
      Buffer.alloc(255, 'n'),
      Buffer.alloc(255, 0xe9),
      Buffer.from('e\u0301'),
    ]
    const disk = createDisk()
    for (const name of names) {
      await disk.write({ root, path: Buffer.concat([Buffer.from('in/'), name]) }, name).catch(async () => {
        disk.makeDirectory({ root, path: Buffer.from('in') })
        await disk.write({ root, path: Buffer.concat([Buffer.from('in/'), name]) }, name)
      })
    }
    disk.makeDirectory({ root, path: Buffer.concat([Buffer.from('in/'), Buffer.of(0xff, 0x0a)]) })
    const [, inside, odd] = await collect(root, way)
    expect(inside?.entries.filter(entry => entry.kind === 'file').map(entry => entry.name)).toEqual(
      names.sort(Buffer.compare),
    )
    expect(odd?.path).toEqual(Buffer.from([...Buffer.from('in/'), 0xff, 0x0a]))
    expect(odd?.display).toBe('in/\\xFF\n')
  })

  test('follows no link except its root, so that cycles terminate', async () => {
    const root = temporaryDirectory()
    put(root, 'a/1.jpg', 'outside/2.jpg')
    symlinkSync('..', join(root, 'a/up'))
    symlinkSync('../outside/2.jpg', join(root, 'a/file'))
    symlinkSync('nowhere', join(root, 'a/dangling'))
    expect(await paths(join(root, 'a'), way)).toEqual(['/', '/1.jpg file', '/dangling link', '/file link', '/up link'])
    symlinkSync('a', join(root, 'b'))
    expect(await paths(join(root, 'b'), way)).toContain('/1.jpg file')
    const [asTop] = await collect(root, { ...way, below: Buffer.from('a/up') })
    expect(asTop).toMatchObject({ entries: [] })
    expect(asTop?.error).toContain('links are not followed')
  })

  test('returns FIFOs without blocking', async () => {
    const root = temporaryDirectory()
    spawnSync('mkfifo', [join(root, 'fifo')])
    expect(await paths(root, way)).toEqual(['/', '/fifo other'])
  })

  test('skips ignored names and directories with a marker file', async () => {
    const root = temporaryDirectory()
    put(
      root,
      '1.jpg',
      '._1.jpg',
      '.hidden/2.jpg',
      '@eaDir/3.jpg',
      'private/.nomedia',
      'private/4.jpg',
      'private/deep/5.jpg',
      'mine/.keepsake-ignore',
      'ok/.nomedia/6.jpg',
      'ok/7.jpg',
    )
    const ignored = (raw: string) => raw.startsWith('.') || raw === '@eaDir'
    const found = await collect(root, { ...way, ignored })
    expect(
      found.map(({ display, excludedBy, entries }) => [display, excludedBy, entries.map(entry => entry.display)]),
    ).toEqual([
      ['', null, ['1.jpg', 'mine', 'ok', 'private']],
      ['mine', '.keepsake-ignore', []],
      // A directory of that name is not a marker.
      ['ok', null, ['.nomedia', '7.jpg']],
      ['ok/.nomedia', null, ['6.jpg']],
      ['private', '.nomedia', []],
    ])
  })

  test('can start below its root', async () => {
    const root = temporaryDirectory()
    put(root, 'a/b/1.jpg', 'a/b/c/2.jpg', 'a/3.jpg')
    expect(await paths(root, { ...way, below: Buffer.from('a/b') })).toEqual([
      'a/b/',
      'a/b/1.jpg file',
      'a/b/c dir',
      'a/b/c/',
      'a/b/c/2.jpg file',
    ])
    expect(await paths(root, { ...way, below: Buffer.from('gone') })).toEqual([])
    expect(collect(root, { ...way, below: Buffer.from('../x') })).rejects.toThrow('no path within')
  })

  test('returns nothing for a missing root, and the error of an unreadable one', async () => {
    const root = temporaryDirectory()
    put(root, 'file')
    expect(await collect(join(root, 'nothing'), way)).toEqual([])
    const [top] = await collect(join(root, 'file'), way)
    expect(top?.error).toContain('ENOTDIR')
  })

  test('goes a thousand directories deep without keeping them all open', async () => {
    const root = temporaryDirectory()
    const deep = (depth: number) => join(root, ...Array.from({ length: depth }, (_, n) => (n % 2 === 0 ? 'n' : 'nn')))
    mkdirSync(deep(1000), { recursive: true })
    writeFileSync(join(deep(1000), 'file'), 'x')
    // More directories than may be kept open have a later sibling, so they are not finished on the way down.
    for (let depth = 0; depth < 1000; depth += 10) mkdirSync(join(deep(depth), 'z'))
    expect(openPathsIn(root)).toEqual([])
    let most = 0
    const order: number[] = []
    let files = 0
    for await (const { path, error, entries } of walk(root, way)) {
      expect(error).toBeNull()
      most = Math.max(most, openPathsIn(root).length)
      if (path.toString().endsWith('z')) order.push(path.length)
      files += entries.filter(entry => entry.kind === 'file').length
    }
    expect(files).toBe(1)
    expect(order).toHaveLength(100)
    expect(order).toEqual([...order].sort((a, b) => b - a))
    // A walk by system calls keeps directories open: they show that `openPathsIn` counts correctly.
    if (!('calls' in way)) expect(most).toBeGreaterThan(32)
    expect(most).toBeLessThan(80)
    expect(openPathsIn(root)).toEqual([])
    // rmSync starts at the root for each directory, which takes seconds at this depth.
    spawnSync('rm', ['-rf', join(root, 'n')])
  }, 60_000)

  test('reads directories with paths longer than PATH_MAX, or returns an error', async () => {
    const root = temporaryDirectory()
    const disk = createDisk()
    const deep = Buffer.from(Array.from({ length: 50 }, () => 'n'.repeat(255)).join('/'))
    disk.makeDirectory({ root, path: deep })
    const found = await collect(root, way)
    const last = found.at(-1)
    if ('calls' in way) {
      expect(last?.error).toContain('ENAMETOOLONG')
      expect(last?.path.length).toBeGreaterThan(3700)
    } else {
      expect(last).toMatchObject({ error: null, path: deep })
    }
  })

  test('returns the error of an unreadable directory, and continues', () => {
    const root = temporaryDirectory()
    put(root, 'a/1.jpg', 'locked/2.jpg', 'z/3.jpg', 'no-search/4.jpg')
    chmodSync(join(root, 'locked'), 0o300)
    chmodSync(join(root, 'no-search'), 0o644)
    chmodSync(root, 0o755)
    // Root can read everything, so the script runs as another user.
    const script = join(temporaryDirectory(), 'walk.ts')
    const module = realpathSync(join(import.meta.dir, '../../../core/survey/walk.ts'))
    writeFileSync(
      script,
      `import { walk } from ${JSON.stringify(module)}
       const all = []
       const options = ${JSON.stringify(way)}
       await walk('/', options).next()
       process.chdir(${JSON.stringify(root)})
       if (process.getuid() === 0) process.setuid(65534)
       for await (const { display, error, entries } of walk('.', options)) all.push([display, error, entries.map(entry => [entry.display, entry.error])])
       console.log(JSON.stringify(all))`,
    )
    const run = spawnSync(process.execPath, [script], { encoding: 'utf8' })
    const denied = 'Permission denied (EACCES)'
    const isByNodeFs = 'calls' in way
    expect(JSON.parse(run.stdout)).toEqual([
      [
        '',
        null,
        [
          ['a', null],
          ['locked', null],
          ['no-search', null],
          ['z', null],
        ],
      ],
      ['a', null, [['1.jpg', null]]],
      ['locked', denied, []],
      // The name can be read, but not the attributes: the file exists, and may be a directory.
      [
        'no-search',
        null,
        isByNodeFs
          ? [
              ['4.jpg', denied],
              ['4.jpg', null],
            ]
          : [['4.jpg', denied]],
      ],
      ...(isByNodeFs ? [['no-search/4.jpg', denied, []]] : []),
      ['z', null, [['3.jpg', null]]],
    ])
    chmodSync(join(root, 'locked'), 0o700)
    chmodSync(join(root, 'no-search'), 0o700)
  })

  test('walks another file system that is mounted below', async () => {
    if (!existsSync('/dev/shm') || statSync('/dev/shm').dev === statSync('/dev').dev) return
    const [other] = await collect('/dev', { ...way, below: Buffer.from('shm') })
    expect(other).toMatchObject({ error: null, device: String(statSync('/dev/shm').dev) })
  })

  test('continues when files and directories disappear during the walk', async () => {
    const root = temporaryDirectory()
    put(root, 'a/1.jpg', 'b/2.jpg', 'c/3.jpg', 'd/x/4.jpg', 'e/5.jpg')
    const seen: string[] = []
    for await (const { display } of walk(root, way)) {
      seen.push(display)
      if (display === 'a') {
        rmSync(join(root, 'b'), { recursive: true })
        rmSync(join(root, 'c'), { recursive: true })
        symlinkSync('a', join(root, 'c'))
      }
      if (display === 'd') rmSync(join(root, 'd'), { recursive: true })
    }
    expect(seen).toEqual(['', 'a', 'd', 'e'])
  })

  test('ends at once when aborted or when its loop is left, and closes its descriptors', async () => {
    const root = temporaryDirectory()
    put(root, 'a/b/c/1.jpg', 'd/2.jpg', 'e/3.jpg')
    const stop = new AbortController()
    const seen: string[] = []
    const walking = (async () => {
      for await (const { display } of walk(root, { ...way, signal: stop.signal })) {
        seen.push(display)
        if (display === 'a/b') stop.abort(new Error('enough'))
      }
    })()
    expect(walking).rejects.toThrow('enough')
    await walking.catch(() => null)
    expect(seen).toEqual(['', 'a', 'a/b'])
    for await (const { display } of walk(root, way)) if (display === 'a') break
    expect(openPathsIn(root)).toEqual([])
  })

  test('yields to other tasks', async () => {
    const root = temporaryDirectory()
    put(root, 'a/1.jpg', 'b/2.jpg')
    const order: string[] = []
    for await (const { display } of walk(root, way)) {
      order.push(display)
      setImmediate(() => order.push(`turn after ${display}`))
      const start = performance.now()
      while (performance.now() - start < 30) {
        // Simulates a directory that takes long to process.
      }
    }
    expect(order).toEqual(['', 'turn after ', 'a', 'turn after a', 'b', 'turn after b'])
  })

  describe('the fingerprint', () => {
    test('is the same for the same files in any order', async () => {
      const one = temporaryDirectory()
      const other = temporaryDirectory()
      const names = Array.from({ length: 300 }, (_, n) => `IMG_${(n * 37) % 300}.jpg`)
      put(one, ...names)
      put(other, ...names.toReversed())
      for (const root of [one, other]) for (const name of names) utimesSync(join(root, name), 1, 1_500_000_000)
      expect(await fingerprint(one, way)).toBe(await fingerprint(other, way))
      expect(await fingerprint(one, way)).toBe(await fingerprint(one, { calls: null }))
      expect(await fingerprint(one, way)).toMatch(/^[0-9a-f]{16}$/)
    })

    test('changes with a name, size, time, and an added or removed file', async () => {
      const root = temporaryDirectory()
      put(root, 'a.jpg', 'b.jpg', 'sub/x.jpg')
      for (const name of ['a.jpg', 'b.jpg'])
        spawnSync('touch', ['-d', '2019-01-01 00:00:00.000000001', join(root, name)])
      const seen = [await fingerprint(root, way)]
      const changes: (() => void)[] = [
        () => renameSync(join(root, 'a.jpg'), join(root, 'A.jpg')),
        () => spawnSync('touch', ['-d', '2019-01-01 00:00:00.000000002', join(root, 'b.jpg')]),
        () => {
          appendFileSync(join(root, 'b.jpg'), 'x')
          spawnSync('touch', ['-d', '2019-01-01 00:00:00.000000002', join(root, 'b.jpg')])
        },
        () => put(root, 'c.jpg'),
        () => rmSync(join(root, 'A.jpg')),
      ]
      for (const change of changes) {
        change()
        seen.push(await fingerprint(root, way))
      }
      expect(new Set(seen).size).toBe(changes.length + 1)
    })

    test('does not change with ignored files, subdirectories or their content', async () => {
      const root = temporaryDirectory()
      put(root, 'a.jpg', 'sub/x.jpg')
      const options = { ...way, ignored: (raw: string) => raw.startsWith('.') }
      const before = await fingerprint(root, options)
      put(root, '.DS_Store', 'sub/y.jpg', 'new/z.jpg')
      expect(await fingerprint(root, options)).toBe(before)
    })
  })

  test('returns for one directory what listDirectory returns, which is null for a missing one and for a file', async () => {
    const root = temporaryDirectory()
    put(root, 'a/1.jpg', 'a/b/2.jpg', '3.jpg')
    const walked = await collect(root, way)
    expect(listDirectory(root, Buffer.from('a'), way)).toEqual(walked[1] ?? null)
    expect(listDirectory(root, Buffer.of(), way)).toEqual(walked[0] ?? null)
    expect(listDirectory(root, Buffer.from('gone'), way)).toBeNull()
    expect(listDirectory(root, Buffer.from('3.jpg'), way)).toBeNull()
  })
})
