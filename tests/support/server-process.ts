/** The real server in its own process, for tests over the network. */
import { cleanEnvironment, programCommand } from './command.ts'

export interface RunningServer {
  address: string
  /** The set-up link; null once there is an account. */
  setup: string | null
  child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  stop(): Promise<void>
}

/** Starts a server, on a free port unless `listen` names one, and waits for its address. */
export async function startServer(
  data: string,
  dirs: readonly string[] = [],
  listen = '127.0.0.1:0',
): Promise<RunningServer> {
  const child = Bun.spawn([...programCommand(), '--data', data, 'serve', ...dirs, '--listen', listen, '--json'], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: cleanEnvironment(),
  })
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  reader.releaseLock()
  if (value === undefined) throw new Error(`the server did not start: ${await new Response(child.stderr).text()}`)
  const report: { addresses: string[]; setup: string | null } = JSON.parse(new TextDecoder().decode(value))
  return {
    address: report.addresses[0] ?? '',
    setup: report.setup,
    child,
    async stop() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** Polls until the result is not null; fails after 80 seconds, as tests of videos are slow on a busy machine. */
export async function waitUntil<T>(poll: () => Promise<T | null>): Promise<T> {
  for (const end = performance.now() + 80_000; performance.now() < end; await Bun.sleep(50)) {
    const result = await poll()
    if (result !== null) return result
  }
  throw new Error('it did not happen within 80 seconds')
}

/** Waits for the scans of the served directories: while a collection is scanned, the file manager changes nothing in it. */
export async function waitForScans({ address }: Pick<RunningServer, 'address'>, token: string): Promise<void> {
  await waitUntil(async () => {
    const response = await fetch(`${address}/v1/job?state=all`, { headers: { authorization: `Bearer ${token}` } })
    const jobs: { kind: string; finished: number | null }[] = JSON.parse(await response.text())
    const scans = jobs.filter(({ kind }) => kind === 'scan')
    return (scans.length > 0 && scans.every(({ finished }) => finished !== null)) || null
  })
}

/** The key of the set-up link, which creating the first account requires. */
export function setupKey({ setup }: Pick<RunningServer, 'setup'>): string | undefined {
  return setup === null ? undefined : (new URL(setup).searchParams.get('setup') ?? undefined)
}

/** Registers the first account and signs in; returns the token. */
export async function registerAndSignIn({ address, setup }: Pick<RunningServer, 'address' | 'setup'>): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: address }
  const account = { username: 'ines', name: 'Inés', email: 'a@b', password: 'secret', unlockPin: '1234' }
  const first = { ...account, setup: setupKey({ setup }) }
  await fetch(`${address}/v1/users/register`, { method: 'POST', headers, body: JSON.stringify(first) })
  const login = await fetch(`${address}/v1/users/login`, { method: 'POST', headers, body: JSON.stringify(account) })
  const { token }: { token: string } = JSON.parse(await login.text())
  return token
}
