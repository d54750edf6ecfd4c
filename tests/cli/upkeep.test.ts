import { Database } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { CommandResult } from '../support/command.ts'
import { startServer } from '../support/server-process.ts'
import { openFullShellWorkspace, type ShellWorkspace } from '../support/shell-workspace.ts'

let workspace: ShellWorkspace
const keepsake = (line: string): Promise<CommandResult> => workspace.sh(`keepsake ${line}`)
/** Runs doctor with any free port, since another Keepsake may use the default one. */
const doctor = (options: string): Promise<CommandResult> =>
  workspace.sh(`keepsake ${options} doctor`, { KEEPSAKE_LISTEN: '127.0.0.1:0' })

beforeAll(async () => {
  workspace = await openFullShellWorkspace()
  await keepsake('scan ~/Pictures --quiet')
}, 60_000)

describe('keepsake backup and restore', () => {
  test('a backup made while a server runs restores everything', async () => {
    await keepsake('config set scan_every 12h')
    const server = await startServer(workspace.data)
    const created = await keepsake('backup --out library.zip --json')
    const busy = await keepsake('restore library.zip --force')
    await server.stop()
    expect(created.objects).toMatchObject([{ type: 'summary', state: 'done', items: 3, collections: 1 }])
    expect(busy).toMatchObject({ code: 11, err: expect.stringContaining('stop the server') })
    expect(statSync(workspace.at('library.zip')).mode & 0o777).toBe(0o600)
    expect(readdirSync(workspace.home).filter(name => name.endsWith('.tmp'))).toEqual([])
    const again = await keepsake('backup --out library.zip')
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('--replace') })
    expect((await keepsake('backup --out library.zip --replace')).code).toBe(0)

    const before = await keepsake('export')
    await keepsake('item tag set rating 3 --query year:2019')
    expect((await keepsake('restore library.zip')).err).toContain('--force')
    const restored = await keepsake('restore library.zip --force --json')
    const kept = String(restored.objects[0]?.kept)
    expect(restored.objects).toMatchObject([{ state: 'done', items: 3 }])
    expect(kept).toContain('before-restore')
    expect((await keepsake('--data ~/trusted restore library.zip --dry-run')).err).toContain(
      'Restore only backups you trust',
    )
    expect((await keepsake('export')).out).toBe(before.out)
    expect((await keepsake('config get scan_every')).out).toBe('12h\n')
    expect(existsSync(`${workspace.data}/plugins/sample-statistics/plugin.json`)).toBe(true)
    const ratings = await workspace.sh(`keepsake --data '${kept}' item list year:2019 --fields rating`)
    expect(ratings).toMatchObject({ code: 0, out: '3\n3\n' })
  }, 120_000)

  test('no export or backup overwrites pictures or the library; no library is restored among pictures', async () => {
    const picture = readFileSync(workspace.at('Pictures/2019/beach.jpg'))
    const data = '~/.local/share/keepsake'
    for (const line of [
      'export Pictures --format csv --out Pictures/2019/beach.jpg',
      'export --out Pictures/list.json',
      `export --out ${data}/library.db`,
      `export Pictures --format csv --out ${data}/secrets.json`,
      `backup --replace --out ${data}/library.db`,
      'backup --replace --out Pictures/2019/beach.jpg',
      'transfer 1 --to Pictures --plan Pictures/2019/beach.jpg',
    ])
      for (const dry of ['', ' --dry-run'])
        expect({ line, code: (await keepsake(line + dry)).code }).toEqual({ line, code: 1 })
    expect(readFileSync(workspace.at('Pictures/2019/beach.jpg')).equals(picture)).toBe(true)
    expect((await keepsake('item list --json')).objects.at(-1)).toMatchObject({ items: 3 })
    await keepsake('backup --out apart.zip')
    for (const place of ['Pictures/keep', 'Pictures/a/b', ''])
      for (const dry of ['', ' --dry-run']) {
        const force = place === '' ? '--force' : ''
        const ran = await keepsake(`--data ~/${place} restore apart.zip ${force}${dry}`)
        expect({ place, dry, code: ran.code }).toEqual({ place, dry, code: 1 })
        expect(ran.err).toContain('must not lie within each other')
      }
    expect(readdirSync(workspace.at('Pictures')).sort()).toEqual(['2019', '2021'])
    expect((await workspace.sh('ls -A | grep -c restor')).out).toBe('0\n')
    const apart = await keepsake('--data ~/all/data restore apart.zip --dry-run')
    expect(apart).toMatchObject({ code: 0, err: expect.stringContaining('Nothing was changed') })
    expect(existsSync(workspace.at('all'))).toBe(false)
    await workspace.sh('keepsake --data ~/moved restore apart.zip --quiet; mv ~/moved ~/Pictures/keep')
    for (const line of ['scan --all', 'scan Pictures', 'scan --all --dry-run'])
      expect(await keepsake(`--data ~/Pictures/keep ${line}`)).toMatchObject({ code: 1 })
    expect((await keepsake('--data ~/Pictures/keep doctor')).out).toContain('lie within each other')
    await workspace.sh('rm -r ~/Pictures/keep')
  }, 120_000)

  const canMount = Bun.spawnSync(['unshare', '-rm', 'true'], { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0
  test.skipIf(!canMount)(
    'a restore into a mount point keeps the directory and replaces its content',
    async () => {
      await keepsake('backup --out again.zip')
      await workspace.sh('mkdir -p volume && keepsake --data ~/volume restore again.zip')
      const ran = await workspace.sh(
        "unshare -rm sh -c 'mkdir -p mounted; mount --bind volume mounted; keepsake --data ~/mounted restore again.zip --force --json'",
      )
      expect(ran).toMatchObject({ code: 0, err: '' })
      expect(ran.objects).toMatchObject([{ state: 'done', kept: expect.stringContaining('mounted/.before-restore-') }])
      expect((await doctor('--data ~/volume')).code).not.toBe(1)
      expect((await workspace.sh('ls -A')).out).not.toContain('restoring')
    },
    60_000,
  )

  test('a damaged, a foreign and a newer backup are refused, and nothing is changed', async () => {
    await keepsake('backup --out good.zip --replace')
    const bytes = readFileSync(workspace.at('good.zip'))
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(workspace.at('bad.zip'), bytes)
    expect(await keepsake('--data ~/fresh restore bad.zip')).toMatchObject({
      code: 2,
      err: expect.stringContaining('damaged'),
    })
    writeFileSync(workspace.at('strange.zip'), 'no zip at all')
    expect((await keepsake('--data ~/fresh restore strange.zip')).code).toBe(2)
    expect((await keepsake('--data ~/fresh restore nothing.zip')).code).toBe(4)
    expect(readdirSync(workspace.home).filter(name => name.startsWith('fresh'))).toEqual([])

    expect((await keepsake('backup --out next.zip --replace')).code).toBe(0)
    await makeNewer(workspace.at('next.zip'))
    const refused = await keepsake('--data ~/fresh restore next.zip')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('newer Keepsake') })
    expect(existsSync(workspace.at('fresh'))).toBe(false)
  }, 120_000)
})

/** Rewrites a backup as if a newer Keepsake had made it. */
async function makeNewer(path: string): Promise<void> {
  const { openRegularFile } = await import('../../core/files/open-file.ts')
  const { openBackup } = await import('../../core/exchange/backup/archive.ts')
  const { zipped } = await import('../../core/files/zip-out.ts')
  const file = openRegularFile(Buffer.from(path))
  const { manifest, members } = await openBackup(file)
  const entries = []
  for (const [name, member] of members) {
    const pieces: Uint8Array[] = []
    for await (const piece of member.content()) pieces.push(Buffer.from(piece))
    const bytes =
      name === 'backup.json'
        ? Buffer.from(JSON.stringify({ ...manifest, database: manifest.database + 1 }))
        : Buffer.concat(pieces)
    entries.push({ name, modified: 0, open: async () => bytes })
  }
  file.close()
  const whole: Uint8Array[] = []
  for await (const piece of zipped(entries)) whole.push(piece)
  writeFileSync(path, Buffer.concat(whole))
}

describe('keepsake verify', () => {
  test('reports changed, rotten and missing files with exit code 3, and nothing in an intact library', async () => {
    expect((await keepsake('verify --json')).objects.at(-1)).toMatchObject({ problems: 0, rotten: 0 })
    const path = workspace.at('Pictures/2019/beach.jpg')
    const kept = readFileSync(path)
    const bytes = Buffer.from(kept)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(`${path}.tmp`, bytes)
    Bun.spawnSync(['touch', '-r', path, `${path}.tmp`])
    Bun.spawnSync(['cp', '-p', path, `${path}.kept`])
    renameSync(`${path}.tmp`, path)
    writeFileSync(workspace.at('Pictures/2019/sea.jpg.xmp'), 'other')
    renameSync(workspace.at('Pictures/2021/hills.jpg'), workspace.at('hills.jpg'))
    const ran = await keepsake('verify --collection Pictures --json')
    expect(ran.code).toBe(3)
    expect(ran.objects.filter(({ type }) => type === 'problem').map(({ kind, path: of }) => `${kind} ${of}`)).toEqual([
      'rotten 2019/beach.jpg',
      'changed 2019/sea.jpg.xmp',
      'missing 2021/hills.jpg',
    ])
    expect(ran.objects.at(-1)).toMatchObject({ type: 'summary', problems: 3, changed: 1, rotten: 1, missing: 1 })
    expect((await keepsake('problems')).out).toContain('Restore it from a backup')
    renameSync(`${path}.kept`, path)
    renameSync(workspace.at('hills.jpg'), workspace.at('Pictures/2021/hills.jpg'))
    expect((await keepsake('verify --json')).objects.at(-1)).toMatchObject({ problems: 1, changed: 1 })
  }, 120_000)

  test('a full scan keeps its findings, and doctor reports them, until the file is intact again', async () => {
    const path = workspace.at('Pictures/2019/beach.jpg')
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    Bun.spawnSync(['cp', '-p', path, `${path}.kept`])
    writeFileSync(`${path}.tmp`, bytes)
    Bun.spawnSync(['touch', '-r', path, `${path}.tmp`])
    renameSync(`${path}.tmp`, path)
    expect((await keepsake('verify --json')).objects.at(-1)).toMatchObject({ rotten: 1 })
    expect((await keepsake(`scan ${workspace.at('Pictures')} --full`)).code).toBe(3)
    expect((await keepsake('problems')).out).toContain('Restore it from a backup')
    const files = async () => (await keepsake('doctor --json')).objects.find(({ check }) => check === 'files')
    expect(await files()).toMatchObject({ state: 'fail' })
    renameSync(`${path}.kept`, path)
    expect((await keepsake('verify --json')).objects.at(-1)).toMatchObject({ rotten: 0 })
    expect(await files()).toBeUndefined()
  }, 120_000)

  test('continues where it was interrupted, except with --restart', async () => {
    const all = Number((await keepsake('verify --json')).objects.at(-1)?.checked)
    expect(all).toBeGreaterThan(3)
    const db = new Database(`${workspace.data}/library.db`)
    const [{ id } = { id: 0 }] = db
      .query<{ id: number }, []>(
        "SELECT id FROM files WHERE item_id IS NOT NULL AND role <> 'none' ORDER BY id LIMIT 1 OFFSET 1",
      )
      .all()
    const interrupted = () => {
      const position = JSON.stringify({ after: id, counts: { checked: 100 } })
      db.run("INSERT INTO choices (name, value) VALUES ('verify-0', ?)", [position])
    }
    interrupted()
    expect((await keepsake('verify --json')).objects.at(-1)).toMatchObject({ checked: 100 + all - 2 })
    interrupted()
    expect((await keepsake('verify --restart --json')).objects.at(-1)).toMatchObject({ checked: all })
    expect((await keepsake('verify --json')).objects.at(-1)).toMatchObject({ checked: all })
    db.close()
  }, 60_000)

  test('stops when a disk is not mounted', async () => {
    renameSync(workspace.at('Pictures'), workspace.at('Elsewhere'))
    const ran = await keepsake('verify')
    renameSync(workspace.at('Elsewhere'), workspace.at('Pictures'))
    expect(ran.err).toContain('Is its disk mounted?')
    expect(ran.code).not.toBe(0)
  })
})

describe('keepsake doctor', () => {
  test('reports the state of each check, and a remedy', async () => {
    const healthy = await doctor('--json')
    const states = Object.fromEntries(healthy.objects.map(({ check, state }) => [check, state]))
    expect(states).toMatchObject({
      'data directory': 'ok',
      database: 'ok',
      journal: 'ok',
      'collection Pictures': 'ok',
      settings: 'ok',
    })
    expect(healthy.objects.at(-1)).toMatchObject({ type: 'summary', schema: 1, fail: 0 })
    rmSync(workspace.at('config.toml'), { force: true })
    writeFileSync(`${workspace.data}/config.toml`, 'listn = "1"\n')
    const broken = await keepsake('doctor')
    await workspace.sh(`rm '${workspace.data}/config.toml'`)
    expect(broken.code).toBe(1)
    expect(broken.out).toMatch(/fail {2}settings: .*Did you mean 'listen'\?/)
    expect((await keepsake('--data ~/nowhere doctor')).out).toContain('is not there yet')
    expect(existsSync(workspace.at('nowhere'))).toBe(false)
    renameSync(workspace.at('Pictures'), workspace.at('Elsewhere'))
    const away = await keepsake('doctor')
    renameSync(workspace.at('Elsewhere'), workspace.at('Pictures'))
    expect(away.out).toMatch(/fail {2}collection Pictures: .*\n {6}-> Mount its disk/)
  }, 60_000)
})

describe('keepsake config', () => {
  test('set and unset change one line of config.toml, and leave the rest as it was', async () => {
    const file = `${workspace.data}/config.toml`
    writeFileSync(file, '# ours\nregistration = "closed" # for now\n\n[map]\ntiles = "https://t/{z}/{x}/{y}"\n')
    expect((await keepsake('config set listen 127.0.0.1:4711')).code).toBe(0)
    expect((await keepsake("config set roots '/srv/a, /srv/b'")).code).toBe(0)
    expect((await keepsake('config set jobs 2')).code).toBe(0)
    expect((await keepsake('config set map.tiles https://u/{z}/{x}/{y}')).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(
      '# ours\nregistration = "closed" # for now\n\nlisten = "127.0.0.1:4711"\nroots = ["/srv/a", "/srv/b"]\njobs = 2\n[map]\ntiles = "https://u/{z}/{x}/{y}"\n',
    )
    expect((await keepsake('config get listen')).out).toBe('127.0.0.1:4711\n')
    expect((await keepsake('config set registration open --dry-run --json')).objects).toMatchObject([
      { dryRun: true, changed: true },
    ])
    expect((await keepsake('config get registration')).out).toBe('closed\n')
    for (const name of ['listen', 'roots', 'jobs']) expect((await keepsake(`config unset ${name}`)).code).toBe(0)
    expect(await keepsake('config set listn 1')).toMatchObject({
      code: 2,
      err: expect.stringContaining("Did you mean 'listen'?"),
    })
    expect(await keepsake('config set scan_every often')).toMatchObject({
      code: 2,
      err: expect.stringContaining("'often' must be like"),
    })
    await workspace.sh(`rm '${file}'`)
  }, 60_000)
})

test('exports of the same library are identical, on standard output and in a file', async () => {
  for (const format of ['csv', 'json', 'people']) {
    const of = format === 'people' ? '' : 'Pictures'
    const first = await keepsake(`export ${of} --format ${format}`)
    expect(first.code).toBe(0)
    expect(first.out.length).toBeGreaterThan(2)
    expect((await keepsake(`export ${of} --format ${format} --out -`)).out).toBe(first.out)
    await keepsake(`export ${of} --format ${format} --out same`)
    // Reading the output as text drops the byte order mark that spreadsheets need.
    expect(readFileSync(workspace.at('same'), 'utf8').replace(/^\ufeff/, '')).toBe(first.out)
  }
  await keepsake('export Pictures --format xmp --to ~/one')
  await keepsake('export Pictures --format xmp --to ~/two')
  expect((await workspace.sh('diff -r one two')).code).toBe(0)
}, 60_000)
