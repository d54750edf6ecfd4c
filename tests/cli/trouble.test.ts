/** Failures of the machine: a damaged library, a full disk, a file in place of the data directory. */
import { Database } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { closeSync, openSync, readdirSync, writeSync } from 'node:fs'
import type { CommandResult } from '../support/command.ts'
import { openFullShellWorkspace, type ShellWorkspace } from '../support/shell-workspace.ts'

let workspace: ShellWorkspace
const keepsake = (line: string): Promise<CommandResult> => workspace.sh(`keepsake ${line}`)

beforeAll(async () => {
  workspace = await openFullShellWorkspace()
  await keepsake('scan ~/Pictures --quiet')
}, 60_000)

/** Overwrites the first page of a table, as a failing disk would. */
function damage(path: string, table: string): void {
  const db = new Database(path)
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const { page_size: size } = db.query<{ page_size: number }, []>('PRAGMA page_size').get() ?? { page_size: 0 }
  const { rootpage } = db
    .query<{ rootpage: number }, [string]>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .get(table) ?? { rootpage: 0 }
  db.close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(size, 0xfe), 0, size, (rootpage - 1) * size)
  closeSync(file)
}

describe('one damaged page of library.db', () => {
  test.each([
    ['items', ['item list', 'item show 1', 'item tag set rating 3 1', 'verify', 'backup --out b.zip']],
    ['collections', ['collection list', 'item tag set rating 3 1', 'problems', 'export', 'verify', 'history']],
    ['jobs', ['jobs --all', 'scan Pictures', 'verify', 'backup --out b.zip']],
  ])(
    'in the table %s is reported with the file name and a remedy by every command that reads it',
    async (table, lines) => {
      await workspace.sh('rm -rf ~/bad; cp -r ~/.local/share/keepsake ~/bad')
      damage(workspace.at('bad/library.db'), table)
      for (const line of lines) {
        const { code, err } = await keepsake(`--data ~/bad ${line}`)
        expect({ line, code, err }).toEqual({
          line,
          code: 1,
          err: expect.stringContaining('bad/library.db is damaged'),
        })
        expect(err).toContain('keepsake restore FILE --force')
        expect(err).not.toMatch(/unexpected|malformed/)
      }
      expect(readdirSync(workspace.home).filter(name => name.startsWith('b.zip'))).toEqual([])
      const [first = ''] = lines
      const ran = await keepsake(`--data ~/bad ${first} --json`)
      expect(ran.objects.at(-1)).toMatchObject({ state: 'failed', error: expect.stringContaining('is damaged') })
    },
    120_000,
  )
})

test('a pipe, device or directory in place of a file is refused without waiting', async () => {
  await workspace.sh('mkfifo pipe; mkdir -p folder; cp -r ~/.local/share/keepsake ~/piped')
  const reads = ['apply FILE', 'restore FILE --force --dry-run', 'models add FILE', 'import FILE --into Pictures']
  const lines = reads.flatMap(line => ['pipe', '/dev/zero', 'folder'].map(file => line.replace('FILE', file)))
  for (const line of lines.filter(one => !one.startsWith('import folder'))) {
    const { code, err } = await keepsake(line)
    expect({ line, code, err }).toEqual({
      line,
      code: 2,
      err: expect.stringMatching(/is a directory|is not a regular file/),
    })
  }
  expect(await workspace.sh('KEEPSAKE_TLS_CERT=~/pipe KEEPSAKE_TLS_KEY=~/pipe keepsake serve')).toMatchObject({
    code: 2,
    err: expect.stringContaining('is not a regular file'),
  })
  for (const name of ['config.toml', 'secrets.json']) {
    await workspace.sh(`cd piped; rm -f ${name}; mkfifo ${name}`)
    expect(await keepsake('--data ~/piped item list')).toMatchObject({ code: 2, err: expect.stringContaining(name) })
    await workspace.sh(`rm piped/${name}`)
  }
  // Links are followed.
  await workspace.sh('keepsake backup --out linked.zip --quiet; ln -s linked.zip link.zip')
  expect(await keepsake('--data ~/unlinked restore link.zip --dry-run')).toMatchObject({ code: 0 })
}, 120_000)

test('a path below a file is reported without an unexpected error', async () => {
  await workspace.sh('echo words > notes')
  const commands: [string, number][] = [
    ['scan notes/x', 4],
    ['scan notes/x --dry-run', 4],
    ['import notes/x --into Pictures', 4],
    ['import notes/x --into Pictures --dry-run', 4],
    ['collection add notes/album', 4],
    ['collection set Pictures pathVariant=$PWD/notes/x', 2],
    ['sort notes/x', 4],
    ['apply notes/x', 4],
    ['restore notes/x --force', 4],
    ['models add notes/x', 4],
    ['item list --json > out; keepsake export --out notes/x', 2],
  ]
  for (const [line, code] of commands) {
    const ran = await keepsake(line)
    expect({ line, code: ran.code, err: ran.err }).toEqual({
      line,
      code,
      err: expect.not.stringContaining('unexpected'),
    })
    expect(ran.err).not.toBe('')
  }
}, 60_000)

test('every command reports a file in place of the data directory or of its parent', async () => {
  await workspace.sh('echo words > notes; keepsake backup --out whole.zip --quiet')
  for (const data of ['notes', 'notes/within']) {
    for (const line of [
      'config',
      'config get listen',
      'config set scan_every 12h',
      'config unset scan_every --dry-run',
      'restore whole.zip',
      'restore whole.zip --force --dry-run',
      'item list',
      'backup --out other.zip',
      'scan ~/Pictures',
      'scan ~/Pictures --dry-run',
      'collection add ~/Pictures',
      'serve',
      'cron',
    ]) {
      const { code, err, out } = await keepsake(`--data ${data} ${line}`)
      expect({ line, code, err, out }).toEqual({
        line,
        code: 2,
        err: `keepsake: ${workspace.at('notes')} is not a directory. Choose another with --data DIR or KEEPSAKE_DATA.\n`,
        out: '',
      })
    }
    expect((await keepsake(`--data ${data} doctor`)).out).toContain('notes is not a directory')
  }
}, 120_000)

describe('standard output', () => {
  const lines = [
    'item list',
    'item list --json',
    'item show 1',
    'export',
    'config',
    'doctor --quiet',
    'explain beach',
    'cron',
    'man',
    'completion bash',
    'scan --all --json',
    '--help',
    'item list --help',
    'help scan',
    '--version',
  ]

  test.each([
    ['closed', '>&-', 'It is closed'],
    ['full', '> /dev/full', 'No space left on the disk (ENOSPC)'],
  ])(
    'that is %s makes commands that write data fail with a message',
    async (_what, how, reason) => {
      for (const line of lines) {
        const { code, err } = await keepsake(`${line} ${how}`)
        const words = `keepsake: Standard output cannot be written: ${reason}\n`
        expect({ line, code, err: err.slice(-words.length), times: err.split('cannot be written').length - 1 }).toEqual(
          {
            line,
            code: 1,
            err: words,
            times: 1,
          },
        )
      }
      expect(await keepsake(`item list --colour --json ${how}`)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/unknown option[\s\S]*cannot be written/),
      })
    },
    120_000,
  )

  test('may be /dev/null, or closed for commands that write no data', async () => {
    expect((await keepsake('item list --quiet > /dev/null')).code).toBe(0)
    expect((await keepsake('item list --quiet 1<> /dev/null')).code).toBe(0)
    expect((await keepsake('config set scan_every 12h >&-')).code).toBe(0)
  }, 60_000)
})

const canMount = Bun.spawnSync(['unshare', '-rm', 'true'], { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0

describe.skipIf(!canMount)('a disk that is full', () => {
  /** Runs shell lines with a disk of the given size mounted at `~/disk`. */
  const onDisk = (size: string, ...lines: string[]) => {
    workspace.put('on-disk.sh', `mkdir -p disk && mount -t tmpfs -o size=${size} none disk\n${lines.join('\n')}\n`)
    return workspace.sh('unshare -rm bash on-disk.sh')
  }
  const fill = 'head -c 20M /dev/zero > disk/fill 2> /dev/null'

  test('is reported by commands that write a file there, which leave no partial file', async () => {
    await keepsake('config set scan_every 12h --quiet')
    const full = (file: string) => `keepsake: ${workspace.at(file)}: No space left on the disk (ENOSPC)\n1\n`
    for (const [line, err] of [
      ['backup --out disk/b.zip', full('disk/b.zip')],
      ['backup --out disk/b.zip --replace', full('disk/b.zip')],
      ['export --out disk/items.json', full('disk/items.json').replace(`${workspace.home}/`, '')],
      ['--data disk config set scan_every 12h', full('disk/config.toml')],
      ['import Card --into Pictures --plan disk/plan', full('disk/plan').replace(`${workspace.home}/`, '')],
    ] as const) {
      const ran = await onDisk('100k', 'mkdir disk/cache', fill, `keepsake ${line}`, 'echo $? >&2', 'ls disk')
      expect({ line, err: ran.err, out: ran.out }).toEqual({ line, err, out: 'cache\nfill\n' })
    }
  }, 120_000)

  test('is reported by commands on a library there, which stays intact', async () => {
    const ran = await onDisk(
      '12M',
      'cp -r .local/share/keepsake disk/lib',
      fill,
      'for line in "item list" "item tag set rating 3 1" "scan --all --full" "--json problems"; do',
      '  keepsake --data disk/lib $line > said; echo $? >&2; tail -1 said >&2',
      'done',
      'rm disk/fill',
      'keepsake --data disk/lib item list --fields rating > said; echo $? >&2',
    )
    const words = 'The disk of the library is full. Free some space and try again.'
    const summary = `{"type":"summary","schema":1,"state":"failed","error":"${words}"}\n`
    expect(ran.err).toBe(`${`keepsake: ${words}\n1\n`.repeat(4)}${summary}3 items\n0\n`)
  }, 60_000)
})
