import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { job as jobShape } from '../../schema/api/jobs.ts'
import { type CommandResult, cleanEnvironment, programCommand } from '../support/command.ts'
import { picture, takenAt } from '../support/scanning-library.ts'
import { type RunningServer, startServer, waitUntil } from '../support/server-process.ts'
import { openFullShellWorkspace, openShellWorkspace, type ShellWorkspace } from '../support/shell-workspace.ts'
import { temporaryOnDisk } from '../support/temporary.ts'

temporaryOnDisk()

let workspace: ShellWorkspace
let away: ShellWorkspace
let server: RunningServer
let token = ''
let reader = ''

/** Runs a command from another home directory, which has no library. */
const keepsake = (line: string, environment: Record<string, string> = {}): Promise<CommandResult> =>
  away.sh(`keepsake ${line}`, { KEEPSAKE_SERVER: server.address, KEEPSAKE_TOKEN: token, ...environment })

beforeAll(async () => {
  workspace = await openFullShellWorkspace()
  away = openShellWorkspace()
  await workspace.sh('keepsake scan ~/Pictures --quiet')
  await workspace.sh('echo secret | keepsake user create ines --admin')
  await workspace.sh('echo secret | keepsake user create ben')
  token = (await workspace.sh('keepsake token issue --user ines')).out.trim()
  reader =
    (await workspace.sh('keepsake token issue --user ben --name read --json')).objects.map(one =>
      String(one.token),
    )[0] ?? ''
  await workspace.sh('keepsake access create Readers --view')
  await workspace.sh('keepsake access attach Readers Pictures && keepsake access add Readers ben')
  server = await startServer(workspace.data)
}, 120_000)
afterAll(async () => {
  await server.stop()
})

describe('with --server', () => {
  test('lists are the same as on the server itself, byte for byte', async () => {
    for (const line of [
      'item list --json',
      "item list 'year:2019' --fields name,keywords,people",
      'item show 1',
      'collection list --json',
      'people list',
      'people unused --json',
      'faces status --json',
      'keystring list --json',
      'access list',
      'access matrix --json',
      'access explain --user ben --item 1',
      'plugin list --json',
      'token list --json',
      'problems --json',
      'history list --json',
      'audit --json',
      "explain 'beach year:2019'",
      // This is the last line, because the server adds the download to the audit log a moment later.
      'people export',
    ]) {
      const [here, there] = [await workspace.sh(`keepsake ${line}`), await keepsake(line)]
      expect({ line, out: there.out.replaceAll(/"used":\d+/g, '"used":null') }).toEqual({
        line,
        out: here.out.replaceAll(/"used":\d+/g, '"used":null'),
      })
      expect({ line, code: there.code }).toEqual({ line, code: here.code })
    }
    expect(existsSync(away.data)).toBe(false)
  }, 180_000)

  test('changes are made on the server, and can be undone', async () => {
    const done = await keepsake('item tag add keywords Remote --query year:2019 --json')
    expect(done.objects.at(-1)).toMatchObject({ state: 'done', changed: 2 })
    expect((await workspace.sh('keepsake item list keyword:remote --json')).objects.at(-1)).toMatchObject({ items: 2 })
    const [step] = (await keepsake('history --limit 1 --json')).objects
    expect(step).toMatchObject({ username: 'ines', items: 2 })
    expect((await keepsake('history undo last')).code).toBe(0)
    expect((await keepsake('item list keyword:remote --json')).objects.at(-1)).toMatchObject({ items: 0 })
    expect((await keepsake("people rename Anna 'Anna Berg'")).code).toBe(0)
    expect((await keepsake('keystring rename Holiday Vacation')).code).toBe(0)
    expect((await keepsake('plugin on sample-statistics')).code).toBe(0)
    expect((await keepsake('plugin options sample-statistics years.empty=yes --json')).code).toBe(0)
  }, 120_000)

  test('scan, sort, import, transfer and meta start a job on the server and follow it', async () => {
    workspace.put('Pictures/2022/new.jpg', await picture({ seed: 31, exif: takenAt('2022-02-02 02:02:02') }))
    const scanned = await keepsake('scan Pictures --json')
    expect(scanned.objects.at(-1)).toMatchObject({ type: 'summary', state: 'done', new: 1, collections: 1 })
    expect((await keepsake(`collection add ${workspace.at('Archive')}`)).code).toBe(0)
    await keepsake("collection set Archive managed=yes fileFormat=IMG_ 'folderFormat={Year}'")
    expect((await keepsake('transfer --to Archive --query year:2022 --json')).objects.at(-1)).toMatchObject({
      moved: 1,
    })
    expect(existsSync(workspace.at('Archive/2022/IMG_20220202_020202.jpg'))).toBe(true)
    expect((await keepsake('sort Archive --dry-run --json')).objects.at(-1)).toMatchObject({ dryRun: true, moves: 0 })
    expect((await keepsake('sort Archive')).code).toBe(0)
    expect((await keepsake('import Pictures --into Archive --json')).objects.at(-1)).toMatchObject({ copied: 3 })
    expect((await keepsake('meta import Pictures')).code).toBe(0)
    expect((await keepsake('scan ~/Card')).code).toBe(4)
    expect((await keepsake('scan Pictures --dry-run --json')).objects.at(-1)).toMatchObject({ dryRun: true, new: 0 })
    await waitUntil(async () => ((await keepsake('jobs --json')).objects.at(-1)?.jobs === 0 ? true : null))
    expect((await keepsake('jobs watch')).code).toBe(0)
  }, 180_000)
})

test('groups without a collection are listed and named as on the server itself', async () => {
  const created = await keepsake('access create Lone --view --json')
  expect((await keepsake('access list')).out).toBe((await workspace.sh('keepsake access list')).out)
  expect((await keepsake('access attach Lone Pictures')).code).toBe(0)
  await workspace.sh('keepsake access create Lone')
  const several = await keepsake('access detach Lone Pictures')
  expect(several).toMatchObject({ code: 1, err: (await workspace.sh('keepsake access detach Lone Pictures')).err })
  expect(several.err).toContain('Several groups are called')
  // An administrator of a collection who is no global admin can attach only their own groups.
  await workspace.sh('echo secret | keepsake user create cleo; keepsake access create Keepers --admin')
  await workspace.sh('keepsake access attach Keepers Pictures; keepsake access add Keepers cleo')
  const cleo = { KEEPSAKE_TOKEN: (await workspace.sh('keepsake token issue --user cleo')).out.trim() }
  const { id } = (await keepsake('access create Own --view --json', cleo)).objects[0] ?? {}
  const { id: foreign } = (await keepsake('access create Foreign --view --json')).objects[0] ?? {}
  expect(await keepsake(`access attach ${foreign} Pictures`, cleo)).toMatchObject({ code: 4 })
  expect(await keepsake('access attach Own Pictures', cleo)).toMatchObject({ code: 0 })
  expect(await keepsake('access attach 987654 Pictures', cleo)).toMatchObject({ code: 4 })
  for (const group of [created.objects[0]?.id, id]) await keepsake(`access detach ${group} Pictures`)
}, 120_000)

test('scan --all scans the other collections while one is already being scanned', async () => {
  await workspace.sh('mkdir -p ~/Other; keepsake collection add ~/Other')
  const { Database } = await import('bun:sqlite')
  const db = new Database(`${workspace.data}/library.db`)
  const job = db
    .query<{ id: number }, []>(
      `INSERT INTO jobs (kind, collection_id, input, lane, state, owner, lease_until, created_at)
       VALUES ('scan', 1, '{"collectionId":1}', 'collection-1', 'running', 'elsewhere:1:1', ${Date.now() + 300_000}, 1) RETURNING id`,
    )
    .get()
  const ran = await keepsake('scan --all --json')
  db.run('DELETE FROM jobs WHERE id = ?', [job?.id ?? 0])
  db.close()
  expect(ran).toMatchObject({ code: 11 })
  expect(ran.objects.filter(({ type }) => type === 'collection').map(({ state }) => state)).toEqual(
    expect.arrayContaining(['busy', 'done']),
  )
  expect(ran.objects.at(-1)).toMatchObject({ type: 'summary', state: 'busy' })
}, 60_000)

test('a scan from another machine names new problems, and omits older ones with --quiet', async () => {
  workspace.put('Other/broken.jpg', new TextEncoder().encode('This is no picture.'))
  const first = await keepsake('scan --all --quiet')
  expect(first).toMatchObject({ code: 3, out: '' })
  expect(first.err).toMatch(/^ {2}broken\.jpg: .*\n$/)
  expect(await keepsake('scan Other --quiet')).toMatchObject({ code: 3, out: '', err: '' })
  expect((await keepsake('scan Other')).err).toMatch(/^Other: 1 found.*\n1 problem\. See: keepsake problems\n$/)
  const { objects } = await keepsake('scan Other --json')
  expect(objects.filter(({ type }) => type === 'problem')).toMatchObject([{ collection: 'Other', path: 'broken.jpg' }])
  rmSync(workspace.at('Other/broken.jpg'))
  expect(await keepsake('scan Other --quiet')).toMatchObject({ code: 0, err: '' })
}, 60_000)

test('Ctrl-C cancels the job on the server, and exits with 130', async () => {
  for (let n = 0; n < 60; n++)
    workspace.put(`Many/${n}.jpg`, await picture({ seed: 500 + n, width: 1600, height: 1200 }))
  await workspace.sh('keepsake collection add ~/Many')
  const child = Bun.spawn([...programCommand(), 'scan', 'Many', '--server', server.address, '--json'], {
    stdout: 'pipe',
    stderr: 'pipe',
    env: cleanEnvironment({ KEEPSAKE_TOKEN: token }),
  })
  await waitUntil(async () => {
    const { objects } = await keepsake('jobs --json')
    return objects.some(({ kind, state }) => kind === 'scan' && state === 'running') ? true : null
  })
  child.kill('SIGINT')
  const out = await new Response(child.stdout).text()
  expect(await child.exited).toBe(130)
  expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ type: 'summary', state: 'interrupted' })
  const { objects } = await keepsake('jobs --all --json')
  expect(objects.find(({ kind }) => kind === 'scan')).toMatchObject({ state: 'cancelled' })
}, 60_000)

describe('reported errors', () => {
  test('a wrong token, and a token with too few rights', async () => {
    const wrong = await keepsake('item list', { KEEPSAKE_TOKEN: 'keepsake_wrong' })
    expect(wrong).toMatchObject({ code: 5, err: expect.stringContaining('does not accept this token') })
    expect(await keepsake('item list', { KEEPSAKE_TOKEN: '' })).toMatchObject({
      code: 5,
      err: expect.stringContaining('needs a token'),
    })
    const read = await keepsake('item list year:2019 --json', { KEEPSAKE_TOKEN: reader })
    expect(read.objects.at(-1)).toMatchObject({ items: 2 })
    expect(await keepsake('item rotate 1', { KEEPSAKE_TOKEN: reader })).toMatchObject({ code: 5 })
    expect(await keepsake('access matrix', { KEEPSAKE_TOKEN: reader })).toMatchObject({ code: 5 })
    const { objects } = await keepsake('token list --json')
    const id = objects.find(({ name }) => name === 'read')?.id
    expect((await keepsake(`token revoke ${id}`)).code).toBe(0)
    expect((await keepsake('history', { KEEPSAKE_TOKEN: reader })).code).toBe(5)
  }, 60_000)

  test('a server that has too much to do is reported as busy', async () => {
    const error = 'Other dry runs are still running. Wait until one of them is done.'
    const full = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => Response.json({ error, code: 'tooMany' }, { status: 429 }),
    })
    const ran = await keepsake('item list --json', { KEEPSAKE_SERVER: `http://127.0.0.1:${full.port}` })
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 11, err: `keepsake: ${error}\n` })
    expect(ran.objects).toMatchObject([{ type: 'summary', state: 'busy', error }])
    await full.stop(true)
  })

  test('a server that cannot be reached, is not Keepsake, or has a self-signed certificate', async () => {
    const gone = await keepsake('item list --json', { KEEPSAKE_SERVER: 'http://127.0.0.1:9' })
    expect(gone).toMatchObject({ code: 11, err: expect.stringContaining('http://127.0.0.1:9 cannot be reached') })
    expect(gone.objects).toMatchObject([{ type: 'summary', state: 'failed' }])
    const other = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response('<p>Hello</p>', { headers: { 'content-type': 'text/html' } }),
    })
    expect((await keepsake('item list', { KEEPSAKE_SERVER: `http://127.0.0.1:${other.port}` })).err).toContain(
      'Is it a Keepsake server?',
    )
    const plain = await keepsake('item list', { KEEPSAKE_SERVER: `https://127.0.0.1:${other.port}` })
    expect(plain.code).toBe(11)
    expect(plain.err).toContain('does not use https')
    expect(plain.err).not.toContain('certificate')
    await other.stop(true)
    const keyPair = await away.sh(
      'openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null',
    )
    if (keyPair.code === 0) {
      const tls = Bun.serve({
        port: 0,
        tls: { key: Bun.file(away.at('key.pem')), cert: Bun.file(away.at('cert.pem')) },
        fetch: () => Response.json({}),
      })
      const refused = await keepsake('item list', { KEEPSAKE_SERVER: `https://localhost:${tls.port}` })
      expect(refused).toMatchObject({ code: 11, err: expect.stringContaining('is not trusted') })
      await tls.stop(true)
    }
    for (const address of ['nonsense', 'ftp://x', 'http://a:b@c'])
      expect(await keepsake('item list', { KEEPSAKE_SERVER: address })).toMatchObject({ code: 2 })
  }, 60_000)
})

describe('Ctrl-C after the job is done on the server', () => {
  /** A proxy that reports a finished job as running until the client, stopped by `interrupt`, cancels it. */
  function lateServer(interrupt: () => void) {
    let isCancelled = false
    const send = (request: Request, path: string, method: string) =>
      fetch(server.address + path, { method, headers: { authorization: request.headers.get('authorization') ?? '' } })
    const forward = async (request: Request) =>
      fetch(server.address + new URL(request.url).pathname + new URL(request.url).search, {
        method: request.method,
        headers: request.headers,
        ...(request.method === 'GET' ? {} : { body: await request.arrayBuffer() }),
      })
    return Bun.serve({
      port: 0,
      async fetch(request) {
        const [, job, cancels] = /^\/v1\/job\/(\d+)(\/cancel)?$/.exec(new URL(request.url).pathname) ?? []
        if (job === undefined) return forward(request)
        const finished = await waitUntil(async () => {
          const { data } = jobShape.safeParse(await (await send(request, `/v1/job/${job}`, 'GET')).json())
          return data?.state === 'done' ? data : null
        })
        if (cancels !== undefined) isCancelled = true
        else if (!isCancelled) {
          interrupt()
          return Response.json({ ...finished, state: 'running' })
        }
        return Response.json(finished)
      },
    })
  }

  test.each([
    ['transfer 1 --to Archive', /^Transfer: .*1 moved/],
    ['scan Pictures', /^Pictures: \d+ found/],
    ['scan Pictures --json', /^$/],
  ])('%s is reported as done', async (line, words) => {
    await keepsake('collection add ~/Archive'.replace('~', workspace.home))
    let child: { kill(signal: 'SIGINT'): void } | undefined
    const late = lateServer(() => child?.kill('SIGINT'))
    try {
      const started = Bun.spawn([...programCommand(), ...line.split(' ')], {
        env: cleanEnvironment({ KEEPSAKE_SERVER: `http://localhost:${late.port}`, KEEPSAKE_TOKEN: token }),
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      })
      child = started
      const [out, err, code] = await Promise.all([
        new Response(started.stdout).text(),
        new Response(started.stderr).text(),
        started.exited,
      ])
      expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(words) })
      if (line.includes('--json')) expect(out).toContain('"state":"done"')
      expect(err + out).not.toContain('nterrupted')
    } finally {
      await late.stop(true)
    }
  })
})
