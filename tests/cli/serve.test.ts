import { afterEach, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnvironment, programCommand, runCommand } from '../support/command.ts'
import { picture } from '../support/scanning-library.ts'
import { type RunningServer, registerAndSignIn, setupKey, startServer, waitUntil } from '../support/server-process.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const running: RunningServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function serving(data: string, dirs: readonly string[] = []): Promise<RunningServer> {
  const server = await startServer(data, dirs)
  running.push(server)
  return server
}

describe('keepsake serve', () => {
  test('serves at once, scans the directory in the background, and then creates medium pictures', async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    const one = await picture({ seed: 1, width: 1500, height: 1000 })
    for (let n = 0; n < 120; n++) writeFileSync(join(root, `${n}.jpg`), Buffer.concat([one, Buffer.from(String(n))]))
    const server = await serving(join(directory, 'data'), [root])
    const token = await registerAndSignIn(server)
    const fetchJson = async (path: string) => {
      const response = await fetch(server.address + path, { headers: { authorization: `Bearer ${token}` } })
      return JSON.parse(await response.text())
    }
    await waitUntil(async () => ((await fetchJson('/v1/item/list/0'))._meta.total_records === 120 ? true : null))
    const jobs = await waitUntil(async () => {
      const list: { kind: string; state: string }[] = await fetchJson('/v1/job?state=all')
      return list.some(job => job.kind === 'renditions' && job.state === 'done') ? list : null
    })
    expect(jobs.map(job => `${job.kind} ${job.state}`)).toContain('scan done')
    server.child.kill('SIGTERM')
    expect(await server.child.exited).toBe(0)
  })

  test('a second server of the same library ends at once and says why', async () => {
    const data = join(temporaryDirectory(), 'data')
    await serving(data)
    const second = await runCommand(['--data', data, 'serve', '--listen', '127.0.0.1:0'])
    expect(second.code).toBe(11)
    expect(second.err).toContain('A Keepsake server already uses')
  })

  test('the set-up link is printed first as long as there is no account', async () => {
    const data = join(temporaryDirectory(), 'data')
    const printed = async () => {
      const server = Bun.spawn([...programCommand(), '--data', data, 'serve', '--listen', '127.0.0.1:0'], {
        stdout: 'pipe',
        stderr: 'pipe',
        env: cleanEnvironment(),
      })
      let text = ''
      for await (const piece of server.stderr) {
        text += new TextDecoder().decode(piece)
        if (text.includes('Ctrl-C')) server.kill('SIGTERM')
      }
      return text.split('\n')
    }
    const [first = '', link = '', serves = ''] = await printed()
    expect(first).toStartWith('There is no account yet. Open this link')
    expect(link).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/\?setup=[\w-]{20,}$/)
    expect(serves).toMatch(/^Keepsake serves http:\/\/127\.0\.0\.1:\d+$/)
    const created = await runCommand(['--data', data, 'user', 'create', 'ines', '--admin'], {
      input: 'a good password\n',
    })
    expect(created.code).toBe(0)
    expect((await printed())[0]).toStartWith('Keepsake serves')
  })

  test('the first account is created with the key of the link, and refused without it', async () => {
    const server = await serving(join(temporaryDirectory(), 'data'))
    const register = async (setup?: string) => {
      const body = { username: 'ines', name: 'Inés', email: 'a@b', password: 'secret', unlockPin: '1234', setup }
      const headers = { 'content-type': 'application/json', origin: server.address }
      const url = `${server.address}/v1/users/register`
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status
    }
    expect([await register(), await register('guessed'), await register(setupKey(server))]).toEqual([403, 403, 201])
  })

  test('--json prints a summary at the end, also of a refused start', async () => {
    const data = join(temporaryDirectory(), 'data')
    const child = Bun.spawn([...programCommand(), '--data', data, 'serve', '--listen', '127.0.0.1:0', '--json'], {
      stdout: 'pipe',
      env: cleanEnvironment(),
    })
    const printed: string[] = []
    for await (const piece of child.stdout) {
      printed.push(new TextDecoder().decode(piece))
      if (printed.length > 1) continue
      const refused = await runCommand(['--data', data, 'serve', '--listen', '127.0.0.1:0', '--json'])
      expect(refused).toMatchObject({ code: 11, objects: [{ type: 'summary', schema: 1, state: 'busy' }] })
      child.kill('SIGTERM')
    }
    expect(await child.exited).toBe(0)
    const [serves = '', end = ''] = printed.join('').trimEnd().split('\n')
    expect(JSON.parse(serves)).toMatchObject({ type: 'serving' })
    expect(JSON.parse(end)).toEqual({ type: 'summary', schema: 1, state: 'done' })
  })

  test('a port that is in use is an error that names the port', async () => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('') })
    const ran = await runCommand([
      '--data',
      join(temporaryDirectory(), 'data'),
      'serve',
      '--listen',
      `127.0.0.1:${other.port}`,
    ])
    expect(ran.code).toBe(11)
    expect(ran.err).toContain(`Port ${other.port} is in use`)
    await other.stop(true)
  })

  test('a directory that is not there is reported before the port is open', async () => {
    const ran = await runCommand(['--data', join(temporaryDirectory(), 'data'), 'serve', '/no/such/pictures'])
    expect(ran.code).toBe(4)
    expect(ran.err).toContain("'/no/such/pictures' is neither a directory nor a collection")
  })

  test('the running server lists the items of a scan by another command', async () => {
    const directory = temporaryDirectory()
    const data = join(directory, 'data')
    const root = join(directory, 'pictures')
    mkdirSync(root)
    writeFileSync(join(root, 'a.jpg'), await picture({ seed: 1 }))
    const server = await serving(data)
    const token = await registerAndSignIn(server)
    expect((await runCommand(['--data', data, 'scan', root])).code).toBe(0)
    const list = await fetch(`${server.address}/v1/item/list/0`, { headers: { authorization: `Bearer ${token}` } })
    expect(JSON.parse(await list.text())._meta.total_records).toBe(1)
  })

  test('a killed worker is replaced, and the scan completes', async () => {
    const directory = temporaryDirectory()
    const root = join(directory, 'pictures')
    mkdirSync(root)
    for (let n = 0; n < 120; n++) writeFileSync(join(root, `${n}.jpg`), await picture({ seed: n }))
    const server = await serving(join(directory, 'data'), [root])
    const token = await registerAndSignIn(server)
    const fetchJson = async (path: string) => {
      const response = await fetch(server.address + path, { headers: { authorization: `Bearer ${token}` } })
      return JSON.parse(await response.text())
    }
    await waitUntil(async () => ((await fetchJson('/v1/item/list/0'))._meta.total_records > 0 ? true : null))
    const workers = Bun.spawnSync(['pgrep', '-P', String(server.child.pid)])
      .stdout.toString()
      .trim()
      .split('\n')
      .filter(Boolean)
    for (const pid of workers) process.kill(Number(pid), 'SIGKILL')
    await waitUntil(async () => ((await fetchJson('/v1/item/list/0'))._meta.total_records === 120 ? true : null))
  })
})
