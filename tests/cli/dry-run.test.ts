/** `--dry-run` fails where the command itself would fail, with the same messages, and changes nothing. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { isLong, longTest } from '../support/long.ts'
import { picture, takenAt } from '../support/scanning-library.ts'
import { type RunningServer, startServer } from '../support/server-process.ts'
import { asOrdinaryUser, openFullShellWorkspace, type ShellWorkspace, sidecar } from '../support/shell-workspace.ts'

let workspace: ShellWorkspace

/** Whether a row only records that somebody was refused. */
const isTrace = (row: Record<string, unknown>) => row.action === 'refused' || row.channel === 'audit'

/** Every row of the library, except records of requests that were refused. */
function libraryState(): unknown {
  const db = new Database(`${workspace.data}/library.db`, { readonly: true })
  try {
    const tables = db
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
    return tables.map(({ name }) => {
      const rows = db.query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`).all()
      return { name, rows: rows.filter(row => !isTrace(row)).map(row => ({ ...row, used_at: null })) }
    })
  } finally {
    db.close()
  }
}

beforeAll(async () => {
  workspace = await openFullShellWorkspace()
  await workspace.sh('keepsake scan ~/Pictures --quiet; mkdir -p ~/sub; keepsake access create Loose')
  // Registers the plugin.
  await workspace.sh('keepsake plugin list')
  await workspace.sh('echo secret | keepsake user create ines --admin')
}, 60_000)

/** Dry runs whose text is compared in a normal run, too. */
const asText = [
  'scan Pictures',
  'scan --all',
  'scan Nothing',
  'transfer --query year:2021 --to Archive',
  'import Pictures --into Archive',
  'meta import Pictures',
  'meta export Pictures',
  'faces index',
  'faces forget --person Anna --yes',
  'people unused --remove --yes',
  'collection remove Pictures',
]

/** Commands that fail, with their exit codes. */
const failing: [string, number][] = [
  ['collection add /nope', 4],
  ['collection add ~/Pictures/2019', 1],
  ['collection add .local/share/keepsake', 1],
  ['collection set Pictures managed=yes', 2],
  ["access create ''", 2],
  ['access add Loose nobody', 4],
  ['access attach Loose Nothing', 4],
  ['access detach 1 Pictures', 1],
  ['access set 1 public=yes', 1],
  ['item tag set date nonsense 1', 2],
  ['item tag set location 99,999 1', 2],
  ['item tag set rating 7 1', 2],
  ['item tag set keywords x 987654', 4],
  ['item rotate 987654', 4],
  ['item restore 987654', 4],
  ["people rename Anna ''", 2],
  ["people name Anna 'Anna L' --from 2020-01-01 --to 2010-01-01", 2],
  ['people merge Anna Anna', 2],
  ['sort Pictures', 1],
  ['import Pictures --into Pictures', 1],
  ['history undo last', 1],
  ['token issue --user nobody', 4],
  ['token revoke 99', 4],
  ['jobs cancel 99', 4],
  ['plugin options sample-statistics a=b', 2],
  ['config set listen nonsense', 2],
  ['backup --out /nope/x.zip', 4],
  // The home directory contains collections, but does not lie in one.
  ['backup --out ~', 2],
  ["export --out ''", 2],
  ['export Pictures --format xmp --to ~/Pictures', 1],
  ['export Pictures --format xmp --to bin/keepsake/x', 2],
  ["user create '' <<< secret", 2],
  ['user create ines <<< secret', 1],
  ['user create otto --pin 12345 <<< secret', 2],
  ["user passwd ines <<< ''", 2],
]

/** More commands that fail. They resemble those in `failing`, so only long runs include them. */
const failingAlike: [string, number][] = [
  ['collection set Pictures pathVariant=relative', 2],
  ['access drop Loose nobody', 4],
  ['access detach Loose Pictures', 4],
  ['item tag set date 2020-99-99 1', 2],
  ['item recycle 987654', 4],
  ['item restore --query year:2019', 4],
  ["keystring rename Holiday ''", 2],
  ['keystring merge Holiday Holiday', 2],
  ['import ~/Pictures/2019 --into Pictures', 1],
  ['backup --out sub --replace', 2],
  ['export --out /nope/x.json', 4],
  ['export --out sub', 2],
]

describe('a dry run', () => {
  test('fails with the same messages and exit codes as the command', async () => {
    const before = libraryState()
    for (const [line, code] of isLong ? [...failing, ...failingAlike] : failing) {
      const [words = '', input = ''] = line.split(' <<<')
      const after = input === '' ? '' : ` <<<${input}`
      const [dry, real] = await Promise.all([
        workspace.sh(`keepsake ${words} --dry-run --json${after}`),
        workspace.sh(`keepsake ${words} --json${after}`),
      ])
      expect({ line, code: dry.code, err: dry.err }).toEqual({ line, code: real.code, err: real.err })
      expect({ line, code: dry.code }).toEqual({ line, code })
      expect({ line, end: dry.objects.at(-1) }).toMatchObject({ line, end: { type: 'summary', state: 'failed' } })
    }
    expect(libraryState()).toEqual(before)
  }, 300_000)

  test('succeeds without messages, and writes no file', async () => {
    const before = libraryState()
    const done = (line: string) => {
      const [words = '', input] = line.split(' <<< ')
      return workspace.sh(`keepsake ${words} --dry-run --json${input === undefined ? '' : ` <<< ${input}`}`)
    }
    for (const line of [
      'collection add ~/Card',
      'collection set Pictures readonly=yes',
      'access create Family --view',
      'access set Loose update=yes',
      'access add Loose ines',
      'access attach Loose Pictures',
      'item tag add keywords Fresh 1',
      "item tag set rating '' 1",
      'item rotate 1',
      'item recycle 1',
      "people name Anna 'Anna L'",
      'people merge Anna Annie',
      'keystring rename Holiday Strand',
      'keystring merge Holiday Seaside',
      'plugin on sample-statistics',
      'token issue --user ines',
      'backup --out b.zip',
      'export --out x.json',
      'export Pictures --format xmp --to deep/er',
      'config set scan_every 12h',
      'jobs cancel 1',
      'user create otto <<< secret',
      'user passwd ines <<< other',
    ]) {
      const ran = await done(line)
      expect({ line, code: ran.code, err: ran.err }).toEqual({ line, code: 0, err: '' })
      expect({ line, end: ran.objects.at(-1) }).toMatchObject({ line, end: { state: 'done', dryRun: true } })
    }
    for (const path of ['b.zip', 'x.json', 'deep']) expect(existsSync(workspace.at(path))).toBe(false)
    expect(libraryState()).toEqual(before)
  }, 120_000)

  test('of a restore fails where there is a library, like the restore itself', async () => {
    expect((await workspace.sh('keepsake backup --out kept.zip')).code).toBe(0)
    expect(await workspace.sh('keepsake restore kept.zip --dry-run')).toMatchObject({ code: 1 })
    expect((await workspace.sh('keepsake restore kept.zip --force --dry-run')).err).toContain('is intact')
    expect((await workspace.sh('keepsake --data ~/other restore kept.zip --dry-run')).code).toBe(0)
    expect(existsSync(workspace.at('other'))).toBe(false)
    expect((await workspace.sh('keepsake item list --json')).objects.at(-1)).toMatchObject({ items: 3 })
  }, 60_000)
})

describe('where a command would fail', () => {
  let away: ShellWorkspace
  let server: RunningServer
  let environment: Record<string, string> = {}
  beforeAll(async () => {
    away = await openFullShellWorkspace()
    await away.sh('keepsake scan ~/Pictures --quiet; keepsake scan ~/Card --quiet; keepsake collection add ~/Archive')
    await away.sh("keepsake collection set Archive managed=yes fileFormat=IMG_ 'folderFormat={Year}'")
    await away.sh('echo secret | keepsake user create ines --admin')
    server = await startServer(away.data)
    const token = (await away.sh('keepsake token issue --user ines')).out.trim()
    environment = { KEEPSAKE_SERVER: server.address, KEEPSAKE_TOKEN: token }
  }, 60_000)
  afterAll(async () => {
    await server.stop()
  })

  /** Runs a command as a dry run, locally and with `--server`, then for real, and compares outputs and exit codes. */
  async function compareRuns(line: string, code: number) {
    const dry = await away.sh(`keepsake ${line} --dry-run`)
    const there = await away.sh(`keepsake ${line} --dry-run`, environment)
    const real = await away.sh(`keepsake ${line}`)
    expect({ line, there: there.code, out: there.out, err: there.err }).toEqual({
      line,
      there: dry.code,
      out: dry.out,
      err: dry.err,
    })
    expect({ line, dry: dry.code, real: real.code }).toEqual({ line, dry: code, real: code })
    return { dry, real }
  }

  test('a dry run stops like the command when the disk of the source is not connected', async () => {
    await away.sh('mv Pictures gone')
    try {
      const { dry, real } = await compareRuns('meta import Pictures', 7)
      expect(dry.err).toContain('Pictures is not there. Is its disk connected? Nothing was marked missing.')
      expect(real.err).toBe(dry.err)
      expect((await away.sh('keepsake meta import Pictures --json')).objects.at(-1)).toMatchObject({
        state: 'stopped',
        error: expect.stringContaining('is not there'),
      })
      const faces = await compareRuns('faces index Pictures', 7)
      expect(faces.dry.err).toContain('Pictures is not there')
      expect(faces.real.err).toContain(faces.dry.err)
      expect((await away.sh('keepsake faces index Pictures', environment)).code).toBe(7)
      expect((await compareRuns('faces index', 3)).dry.err).toContain('would be searched. /')
      expect((await compareRuns('transfer --query year:2021 --to Archive', 3)).dry.out).toMatch(
        /^fails {2}Pictures\/2021/,
      )
    } finally {
      await away.sh('mv gone Pictures')
    }
  }, 60_000)

  test('dry runs and plans report each file when the disk of the target is not connected', async () => {
    await away.sh('mv Archive gone')
    try {
      for (const line of ['import Card --into Archive', 'transfer --query year:2021 --to Archive']) {
        const { dry } = await compareRuns(line, 3)
        expect(dry.out).toMatch(/^fails .*Archive is not there\. Is its disk connected\?\n$/)
        const plan = await away.sh(`keepsake ${line} --plan plan.json`)
        expect(plan.code).toBe(3)
        expect(plan.err).toContain('Archive is not there')
        expect(plan.err).not.toContain('keepsake apply')
        expect((await away.sh('keepsake apply plan.json --dry-run')).code).toBe(3)
        expect((await away.sh('keepsake apply plan.json')).code).toBe(3)
      }
      expect(existsSync(away.at('Archive'))).toBe(false)
    } finally {
      await away.sh('mv gone Archive')
    }
  }, 60_000)

  test('a dry run of a sort reports a file that has changed since the scan', async () => {
    await away.sh('keepsake import Card --into Archive --quiet; keepsake collection set Archive fileFormat=P_')
    await away.sh('touch -d 2001-01-01 Archive/2022/*')
    const { dry } = await compareRuns('sort Archive', 3)
    expect(dry.out).toMatch(/^fails {2}2022\/.* has changed since the last scan\.\n$/)
    const ran = await away.sh('keepsake sort Archive --dry-run --json')
    expect(ran.objects).toMatchObject([
      { type: 'move', fails: true },
      { moves: 0, stay: 0, failed: 1 },
    ])
    const plan = await away.sh('keepsake sort Archive --plan plan.json --json')
    expect(plan.objects).toMatchObject([
      { type: 'move', to: null, fails: true },
      { files: 0, stay: 0, failed: 1 },
    ])
    expect([plan.code, (await away.sh('keepsake apply plan.json --dry-run')).code]).toEqual([3, 3])
    expect((await away.sh('keepsake apply plan.json')).code).toBe(3)
  }, 60_000)

  test('a dry run is refused when the data directory lies in a collection', async () => {
    await away.sh('cp -r ~/.local/share/keepsake Pictures/data')
    for (const line of ['scan Pictures', 'meta import Pictures']) {
      const [dry, real] = [
        await away.sh(`keepsake --data Pictures/data ${line} --dry-run`),
        await away.sh(`keepsake --data Pictures/data ${line}`),
      ]
      expect({ line, code: dry.code, err: dry.err }).toEqual({ line, code: 1, err: real.err })
    }
    await away.sh('rm -r Pictures/data')
  }, 60_000)
})

test('a dry run of a metadata import names unreadable files, like the import itself', async () => {
  const other = await openFullShellWorkspace()
  await other.sh('keepsake scan ~/Pictures --quiet')
  const as = await asOrdinaryUser(other)
  if (as === null) return
  await other.sh('chmod 000 Pictures/2021 Pictures/2019/beach.jpg')
  const [dry, json, real] = [
    await other.sh(`${as}keepsake meta import Pictures --dry-run`),
    await other.sh(`${as}keepsake meta import Pictures --dry-run --json`),
    await other.sh(`${as}keepsake meta import Pictures`),
  ]
  const listed = await other.sh(`${as}keepsake problems --json`)
  await other.sh('chmod 755 Pictures/2021')
  expect([dry.code, json.code, real.code]).toEqual([3, 3, 3])
  expect(dry.err).toMatch(
    /^ {2}2021: Permission denied .*\n {2}2019\/beach\.jpg: There is no permission to read it\. See to .*\n/,
  )
  expect(json.objects.at(-1)).toMatchObject({ type: 'summary', dryRun: true, problems: 2 })
  const problems = listed.objects.filter(({ type }) => type === 'problem')
  expect(problems.map(({ path }) => path)).toEqual(['2019/beach.jpg', '2021'])
}, 60_000)

describe('with --server', () => {
  let server: RunningServer
  let environment: Record<string, string> = {}
  let reader = ''
  beforeAll(async () => {
    const token = (await workspace.sh('keepsake token issue --user ines')).out.trim()
    await workspace.sh('echo secret | keepsake user create ben; keepsake access create Readers --view')
    await workspace.sh('keepsake access attach Readers Pictures; keepsake access add Readers ben')
    reader = (await workspace.sh('keepsake token issue --user ben')).out.trim()
    server = await startServer(workspace.data)
    environment = { KEEPSAKE_SERVER: server.address, KEEPSAKE_TOKEN: token }
  }, 60_000)
  afterAll(async () => {
    await server.stop()
  })

  longTest(
    'dry runs of commands on files print and exit as they do on the server itself',
    async () => {
      await workspace.sh('keepsake collection add ~/Archive --quiet; mkdir -p Pictures/later')
      await workspace.sh('keepsake collection set Pictures writeBack=sidecar --quiet')
      workspace.put('Pictures/later/new.jpg', await picture({ seed: 77, exif: takenAt('2023-03-04 05:06:07') }))
      workspace.put('Pictures/2021/hills.jpg.xmp', sidecar(['Carla']))
      await workspace.sh('mv Pictures/2019/sea.jpg Pictures/later/')
      const before = libraryState()
      for (const [line, code] of [
        ['scan Pictures', 0],
        ['scan Pictures --full', 0],
        ['scan --all', 0],
        ['scan Nothing', 4],
        ['transfer --query year:2021 --to Archive', 0],
        ['transfer 9999 --to Archive', 4],
        ['transfer 1 --to Nothing', 4],
        ['import Pictures --into Archive', 3],
        ['import Pictures --into Pictures', 1],
        ['meta import Pictures', 0],
        ['meta export Pictures', 3],
        ['meta export Archive', 11],
        ['faces index', 0],
        ['faces index Pictures --all', 0],
        ['faces forget --all --yes', 0],
        ['faces forget --person Anna --yes', 0],
        ['people unused --remove --yes', 0],
        ['collection remove Pictures', 0],
        ['collection remove Nothing', 4],
      ] as const) {
        // In a normal run, text is compared once for each kind of output.
        for (const json of isLong || asText.includes(line) ? [' --json', ''] : [' --json']) {
          const [here, there] = await Promise.all([
            workspace.sh(`keepsake ${line} --dry-run${json}`),
            workspace.sh(`keepsake ${line} --dry-run${json}`, environment),
          ])
          if (code !== 4) expect({ line, err: there.err }).toEqual({ line, err: here.err })
          if (code !== 4) expect({ line, out: there.out }).toEqual({ line, out: here.out })
          expect({ line, code: there.code, here: here.code }).toEqual({ line, code, here: code })
        }
      }
      const [found] = (await workspace.sh('keepsake scan Pictures --dry-run --json', environment)).objects
      expect(found).toMatchObject({ type: 'file', collection: 'Pictures' })
      expect(libraryState()).toEqual(before)
      // Users who may only view a collection see nothing of its files.
      const denied = { ...environment, KEEPSAKE_TOKEN: reader }
      for (const line of ['scan Pictures', 'transfer 1 --to Pictures', 'meta import Pictures', 'faces index'])
        expect({ line, code: (await workspace.sh(`keepsake ${line} --dry-run`, denied)).code }).toEqual({
          line,
          code: 5,
        })
      const response = await fetch(`${server.address}/v1/plan`, {
        method: 'POST',
        headers: { authorization: `Bearer ${reader}`, 'content-type': 'application/json' },
        body: JSON.stringify({ work: 'scan', collection: 1, full: true, acceptMissing: false }),
      })
      expect(response.status).toBe(403)
    },
    300_000,
  )

  test('the server checks a dry run and changes nothing', async () => {
    const before = libraryState()
    for (const [line, code] of [
      ['collection add /nope', 4],
      ['collection set Pictures managed=yes', 2],
      ["access create ''", 2],
      ['access add Loose nobody', 4],
      ['access detach 1 Pictures', 1],
      ['item tag set date nonsense 1', 2],
      ['sort Pictures', 1],
      ['access create Family --view', 0],
      ['item tag add keywords Fresh 1', 0],
      ['item recycle 1', 0],
      ['people merge Anna Annie', 0],
      ['keystring rename Holiday Strand', 0],
      ['plugin on sample-statistics', 0],
    ] as const) {
      const ran = await workspace.sh(`keepsake ${line} --dry-run --json`, environment)
      expect({ line, code: ran.code, err: ran.err }).toMatchObject({ line, code })
    }
    // A token has the rights of its user: the dry run of a change that this user may not make is denied.
    const denied = { ...environment, KEEPSAKE_TOKEN: reader }
    for (const line of [
      'item rotate 1',
      'item recycle 1',
      'item tag set rating 1 1',
      'collection set Pictures readonly=yes',
    ])
      expect({ line, code: (await workspace.sh(`keepsake ${line} --dry-run`, denied)).code }).toEqual({ line, code: 5 })
    expect(libraryState()).toEqual(before)
  }, 120_000)

  test('a dry run with a token does not name hidden items', async () => {
    await workspace.sh('keepsake keystring hide Holiday --items')
    const full = await workspace.sh('keepsake scan Pictures --full --dry-run --json', environment)
    expect(full.objects).toMatchObject([{ type: 'summary', state: 'done', dryRun: true }])
    for (const line of ['scan Pictures --full', 'meta import Pictures', 'meta export Pictures']) {
      const { out } = await workspace.sh(`keepsake ${line} --dry-run --json`, environment)
      expect({ line, out }).not.toMatchObject({ out: expect.stringContaining('beach.jpg') })
      expect((await workspace.sh(`keepsake ${line} --dry-run --json`)).objects.at(-1)).toMatchObject({
        type: 'summary',
      })
    }
    expect((await workspace.sh('keepsake scan Pictures --full --dry-run --json')).out).toContain('beach.jpg')
  }, 60_000)
})
