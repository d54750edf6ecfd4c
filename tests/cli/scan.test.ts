import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnvironment, programCommand, runCommand } from '../support/command.ts'
import { longTest } from '../support/long.ts'
import { picture } from '../support/scanning-library.ts'
import { waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

async function pictures(count: number): Promise<{ data: string; root: string }> {
  const directory = temporaryDirectory()
  const root = join(directory, 'holiday')
  mkdirSync(root)
  for (let n = 0; n < count; n++) writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n }))
  return { data: join(directory, 'data'), root }
}

/** The paths in a data directory, without the files that the database has only while it is open. */
function contentsBelow(data: string): string[] {
  return readdirSync(data, { recursive: true })
    .map(String)
    .filter(name => !/-(wal|shm)$/.test(name))
    .sort()
}

describe('keepsake scan', () => {
  test('creates a collection from a new directory, reports the result on standard error, and exits with 0', async () => {
    const { data, root } = await pictures(3)
    const { code, out, err } = await runCommand(['--data', data, 'scan', root])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toMatch(/^holiday: 3 files, 3 new, 0 changed, 0 moved, 0 missing, 0 failed in [\d.]+ s\n$/)
    const { objects } = await runCommand(['--data', data, 'collection', 'list', '--json'])
    expect(objects[0]).toMatchObject({ type: 'collection', name: 'holiday', path: root, itemcount: 3 })
  })

  test('a scan that another command cancels reports the interruption, and exits with 130', async () => {
    const { data, root } = await pictures(120)
    const child = Bun.spawn([...programCommand(), '--data', data, 'scan', root, '--json', '--jobs', '1'], {
      stdout: 'pipe',
      stderr: 'ignore',
      stdin: 'ignore',
      env: cleanEnvironment(),
    })
    for (let tries = 0; tries < 200; tries++) {
      const { objects } = await runCommand(['--data', data, 'jobs', '--json'])
      if (objects.some(({ kind }) => kind === 'scan')) break
    }
    await runCommand(['--data', data, 'jobs', 'cancel', '1'])
    const [code, out] = await Promise.all([child.exited, new Response(child.stdout).text()])
    expect(code).toBe(130)
    expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ type: 'summary', state: 'interrupted' })
  })

  test('asks for a directory when it is given a file or an empty argument', async () => {
    const { data, root } = await pictures(1)
    await runCommand(['--data', data, 'scan', root])
    const file = await runCommand(['--data', data, 'scan', join(root, '0.jpg')])
    expect(file.code).toBe(4)
    expect(file.err).toContain('is a file. Give its directory')
    expect((await runCommand(['--data', data, 'problems'])).out).not.toContain('0.jpg')
    expect((await runCommand(['--data', data, 'scan', ''])).code).toBe(2)
  })

  test('names a problem in the first scan and counts it in later ones; --quiet omits the count', async () => {
    const { data, root } = await pictures(1)
    writeFileSync(join(root, 'broken.jpg'), 'no picture')
    const first = await runCommand(['--data', data, 'scan', root, '--quiet'])
    expect({ code: first.code, out: first.out }).toEqual({ code: 3, out: '' })
    expect(first.err).toMatch(/^ {2}broken\.jpg: .*\n$/)
    expect(await runCommand(['--data', data, 'scan', root, '--quiet'])).toMatchObject({ code: 3, out: '', err: '' })
    const { code, out, err } = await runCommand(['--data', data, 'scan', root])
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(err).toMatch(/^holiday: 2 files, .*\n1 problem\. See: keepsake problems\n$/)
  })

  test('--json prints one object a line and ends with a summary', async () => {
    const { data, root } = await pictures(3)
    writeFileSync(join(root, 'broken.jpg'), 'no picture')
    const { code, out, objects } = await runCommand(['scan', root, '--json'], { environment: { KEEPSAKE_DATA: data } })
    expect(code).toBe(3)
    expect(out.trimEnd().split('\n')).toHaveLength(objects.length)
    expect(objects.find(object => object.type === 'problem')).toMatchObject({ path: 'broken.jpg', code: 'not-media' })
    expect(objects.at(-1)).toMatchObject({
      type: 'summary',
      schema: 1,
      state: 'done',
      found: 4,
      new: 3,
      failed: 1,
      problems: 1,
    })
  })

  test('finds a collection by name, by id, by its directory and by a directory within it', async () => {
    const { data, root } = await pictures(2)
    mkdirSync(join(root, 'beach'))
    writeFileSync(join(root, 'beach/9.jpg'), await picture({ seed: 9 }))
    await runCommand(['--data', data, 'scan', root])
    for (const [word, found] of [
      ['holiday', 3],
      ['HOLIDAY', 3],
      ['1', 3],
      [root, 3],
      [join(root, 'beach'), 1],
    ] as const) {
      const { code, objects } = await runCommand(['--data', data, 'scan', word, '--json'])
      expect({ word, code, found: objects.at(-1)?.found }).toEqual({ word, code: 0, found })
    }
    expect((await runCommand(['--data', data, 'collection', 'list', '--json'])).objects.at(-1)).toMatchObject({
      collections: 1,
    })
  })

  test('--dry-run reports what would happen and writes nothing', async () => {
    const { data, root } = await pictures(3)
    const first = await runCommand(['--data', data, 'scan', root])
    expect(first.code).toBe(0)
    renameSync(join(root, '0.jpg'), join(root, 'moved.jpg'))
    rmSync(join(root, '1.jpg'))
    writeFileSync(join(root, 'new.jpg'), await picture({ seed: 50 }))
    const dry = await runCommand(['--data', data, 'scan', root, '--dry-run', '--json'])
    expect(dry.objects).toEqual([
      { type: 'file', collection: 'holiday', change: 'moved', path: 'moved.jpg', from: '0.jpg' },
      { type: 'file', collection: 'holiday', change: 'new', path: 'new.jpg' },
      { type: 'file', collection: 'holiday', change: 'missing', path: '1.jpg' },
      { type: 'summary', schema: 1, state: 'done', dryRun: true, new: 1, changed: 0, moved: 1, missing: 1, found: 3 },
    ])
    const real = await runCommand(['--data', data, 'scan', root, '--json'])
    expect(real.objects.at(-1)).toMatchObject({ new: 1, moved: 1, missing: 1 })
  })

  describe('--dry-run of a new directory', () => {
    test('reports new files and the collection that it would create, and changes nothing', async () => {
      const { data, root } = await pictures(2)
      mkdirSync(join(root, 'beach'))
      writeFileSync(join(root, 'beach/9.jpg'), await picture({ seed: 9 }))
      const other = await pictures(1)
      await runCommand(['--data', data, 'scan', other.root])
      const before = contentsBelow(data)
      const dry = await runCommand(['--data', data, 'scan', root, '--dry-run', '--json'])
      expect(dry.code).toBe(0)
      // The other collection is already called 'holiday'.
      const collection = 'holiday 2'
      expect(dry.objects).toEqual([
        { type: 'collection', new: true, name: collection, path: root },
        { type: 'file', collection, change: 'new', path: '0.jpg' },
        { type: 'file', collection, change: 'new', path: '1.jpg' },
        { type: 'file', collection, change: 'new', path: 'beach/9.jpg' },
        { type: 'summary', schema: 1, state: 'done', dryRun: true, new: 3, changed: 0, moved: 0, missing: 0, found: 3 },
      ])
      const printed = await runCommand(['--data', data, 'scan', root, '--dry-run'])
      expect(printed.out).toBe('new     0.jpg\nnew     1.jpg\nnew     beach/9.jpg\n')
      expect(printed.err).toContain(`A collection 'holiday 2' would be created from ${root}.`)
      const listed = await runCommand(['--data', data, 'collection', 'list', '--json'])
      expect(listed.objects.at(-1)).toMatchObject({ collections: 1 })
      expect(contentsBelow(data)).toEqual(before)
      // The scan itself makes the announced changes.
      const real = await runCommand(['--data', data, 'scan', root, '--json'])
      expect(real.objects.find(object => object.type === 'collection')).toMatchObject({ name: collection, new: 3 })
    })

    test('creates no data directory where there is no library yet, and leaves nothing behind', async () => {
      const { data, root } = await pictures(2)
      const temporary = temporaryDirectory()
      const dry = (word: string) =>
        runCommand(['--data', data, 'scan', word, '--dry-run', '--json'], { environment: { TMPDIR: temporary } })
      const ran = await dry(root)
      expect(ran.code).toBe(0)
      expect(ran.objects.map(({ type, name, path }) => [type, name ?? path ?? ''])).toEqual([
        ['collection', 'holiday'],
        ['file', '0.jpg'],
        ['file', '1.jpg'],
        ['summary', ''],
      ])
      const refused = await dry(join(root, 'nothing'))
      expect(refused.code).toBe(10)
      expect(refused.objects.at(-1)).toMatchObject({ type: 'summary', state: 'failed' })
      expect(existsSync(data)).toBe(false)
      expect(readdirSync(temporary)).toEqual([])
    })

    test('fails for the same reasons and with the same exit codes as creating the collection', async () => {
      const { data, root } = await pictures(1)
      await runCommand(['--data', data, 'scan', root])
      const around = join(root, '..')
      const file = join(root, '0.jpg')
      const holding = temporaryDirectory()
      for (const [where, word] of [
        [data, around],
        [data, '/'],
        [data, `${root}/../nothing`],
        [join(holding, 'sub', 'data'), holding],
        [join(holding, 'data'), file],
      ] as const) {
        const dry = await runCommand(['--data', where, 'scan', word, '--dry-run'])
        expect(readdirSync(holding)).toEqual([])
        const real = await runCommand(['--data', where, 'scan', word])
        for (const created of readdirSync(holding)) rmSync(join(holding, created), { recursive: true })
        expect({ word, code: dry.code, err: dry.err }).toEqual({ word, code: real.code, err: real.err })
        expect(dry.code).not.toBe(0)
      }
    })

    test('of a folder in a collection reports only that folder', async () => {
      const { data, root } = await pictures(1)
      await runCommand(['--data', data, 'scan', root])
      mkdirSync(join(root, 'beach'))
      for (const name of ['beach/9.jpg', '8.jpg']) writeFileSync(join(root, name), await picture({ seed: 9 }))
      const dry = await runCommand(['--data', data, 'scan', join(root, 'beach'), '--dry-run', '--json'])
      expect(dry.objects.map(({ type, path }) => [type, path])).toEqual([
        ['file', 'beach/9.jpg'],
        ['summary', undefined],
      ])
    })
  })

  test('the safety stop exits with 7 and the reason, and --accept-missing overrides it', async () => {
    const { data, root } = await pictures(2)
    await runCommand(['--data', data, 'scan', root])
    for (const name of ['0.jpg', '1.jpg']) rmSync(join(root, name))
    const stopped = await runCommand(['--data', data, 'scan', 'holiday'])
    expect(stopped.code).toBe(7)
    expect(stopped.err).toContain('Is its disk connected?')
    expect(stopped.err).toContain('--accept-missing')
    const accepted = ['--data', data, 'scan', 'holiday', '--accept-missing', '--json']
    const dry = await runCommand([...accepted, '--dry-run'])
    expect([dry.code, dry.objects.at(-1)]).toMatchObject([0, { missing: 2 }])
    expect((await runCommand(accepted)).objects.at(-1)).toMatchObject({ missing: 2 })
  })

  test('a missing file counts as changed when it is back, or as moved when it is back elsewhere', async () => {
    const { data, root } = await pictures(2)
    await runCommand(['--data', data, 'scan', root])
    mkdirSync(join(root, '../away'))
    for (const name of ['0.jpg', '1.jpg']) renameSync(join(root, name), join(root, '../away', name))
    await runCommand(['--data', data, 'scan', root, '--accept-missing'])
    renameSync(join(root, '../away/0.jpg'), join(root, '0.jpg'))
    renameSync(join(root, '../away/1.jpg'), join(root, 'other.jpg'))
    const dry = await runCommand(['--data', data, 'scan', root, '--dry-run', '--json'])
    expect(dry.objects).toMatchObject([
      { change: 'changed', path: '0.jpg' },
      { change: 'moved', path: 'other.jpg', from: '1.jpg' },
      { new: 0, changed: 1, moved: 1, missing: 0 },
    ])
    const real = await runCommand(['--data', data, 'scan', root, '--json'])
    expect(real.objects.at(-1)).toMatchObject({ new: 0, changed: 1, moved: 1, missing: 0 })
  })

  test('a scan of a collection that is being scanned exits with 11', async () => {
    const { data, root } = await pictures(1)
    // The first scan cannot end before `gate` exists, however fast the machine is.
    const gate = join(data, '..', 'gate')
    const ffprobe = join(data, '..', 'ffprobe')
    writeFileSync(join(root, 'film.mkv'), Buffer.from('1a45dfa3a34282886d6174726f736b61', 'hex'))
    writeFileSync(ffprobe, `#!/bin/sh\ntouch '${gate}-begun'\nwhile [ ! -e '${gate}' ]; do sleep 0.05; done\nexit 1\n`)
    chmodSync(ffprobe, 0o755)
    const first = runCommand(['--data', data, 'scan', root], { environment: { KEEPSAKE_FFPROBE: ffprobe } })
    while (!existsSync(`${gate}-begun`)) await Bun.sleep(20)
    const second = await runCommand(['--data', data, 'scan', root])
    writeFileSync(gate, '')
    expect(second.code).toBe(11)
    expect(second.err).toContain('already running')
    expect((await first).code).toBe(3)
  })

  test('after Ctrl-C, a scan exits with 130 and keeps what it has found; the next scan adds the rest', async () => {
    const { data, root } = await pictures(200)
    const child = Bun.spawn([...programCommand(), '--data', data, 'scan', root, '--json'], {
      stdout: 'pipe',
      stderr: 'pipe',
      env: cleanEnvironment(),
    })
    const reader = child.stdout.getReader()
    await reader.read()
    child.kill('SIGINT')
    let rest = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      rest += new TextDecoder().decode(value)
    }
    expect(await child.exited).toBe(130)
    expect(rest).toContain('"state":"interrupted"')
    const second = await runCommand(['--data', data, 'scan', root, '--json'])
    expect(second.code).toBe(0)
    expect((await runCommand(['--data', data, 'collection', 'list', '--json'])).objects[0]).toMatchObject({
      itemcount: 200,
    })
  })

  longTest(
    'Ctrl-C while medium pictures are created exits with 130, too',
    async () => {
      const directory = temporaryDirectory()
      const root = join(directory, 'pictures')
      mkdirSync(root)
      const one = await picture({ seed: 1, width: 2400, height: 1800 })
      // Appended bytes make each content different. With this many, the scan leaves the medium pictures to a job.
      for (let n = 0; n < 120; n++) writeFileSync(join(root, `${n}.jpg`), Buffer.concat([one, Buffer.from(String(n))]))
      const data = join(directory, 'data')
      const child = Bun.spawn([...programCommand(), '--data', data, 'scan', root, '--json'], {
        stdout: 'pipe',
        stderr: 'pipe',
        env: cleanEnvironment(),
      })
      const out = new Response(child.stdout).text()
      await waitUntil(async () => {
        if (!existsSync(join(data, 'library.db'))) return null
        const db = new Database(join(data, 'library.db'), { readonly: true })
        try {
          return db.query("SELECT 1 FROM jobs WHERE kind = 'renditions' AND state = 'running'").get()
        } catch {
          // The tables of the database are still being created.
          return null
        } finally {
          db.close()
        }
      })
      child.kill('SIGINT')
      expect(await child.exited).toBe(130)
      expect(JSON.parse((await out).trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
        type: 'summary',
        state: 'interrupted',
        new: 120,
      })
    },
    120_000,
  )

  for (const [what, args, code, message] of [
    ['a directory that is not there, without a library', ['scan', '/no/such/place'], 10, /no library/],
    ['no argument', ['scan'], 2, /Give a directory, a collection, or --all/],
    ['a collection and --all', ['scan', 'x', '--all'], 2, /not both/],
    ['an unknown flag', ['scan', '--accept-mising'], 2, /--accept-missing/],
    ['an invalid number of jobs', ['scan', 'x', '--jobs', 'many'], 2, /1 to 64/],
    ['an unknown command', ['scann'], 2, /Did you mean scan/],
    ['a list without a library', ['collection', 'list'], 10, /no library/],
  ] as const) {
    test(`${what} is an error that says what to do (${code})`, async () => {
      const ran = await runCommand(['--data', join(temporaryDirectory(), 'data'), ...args])
      expect(ran.code).toBe(code)
      expect(ran.err).toMatch(message)
      expect(ran.out).toBe('')
    })
  }

  test('a directory around a collection or around the data directory is refused', async () => {
    const { data, root } = await pictures(1)
    mkdirSync(join(root, 'sub'))
    await runCommand(['--data', data, 'scan', root])
    const around = await runCommand(['--data', data, 'scan', join(root, '..')])
    expect(around.code).not.toBe(0)
    const other = temporaryDirectory()
    writeFileSync(join(other, 'a.jpg'), await picture({ seed: 1 }))
    const aroundData = await runCommand(['--data', join(other, 'sub', 'data'), 'scan', other])
    expect(aroundData.err).toContain('must not lie within each other')
  })
})
