import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { cleanEnvironment } from '../support/command.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const root = join(import.meta.dir, '../..')

test('`npm run dev` creates pictures and an account, and serves pages with hot reload beside the API', async () => {
  const home = temporaryDirectory()
  const options = ['--data', join(home, 'dev'), 'serve', join(home, 'dev-pictures'), '--listen', '127.0.0.1:0']
  const child = Bun.spawn([process.execPath, '--preload', './build/dev.ts', 'cli/main.ts', ...options], {
    cwd: root,
    env: cleanEnvironment({ DEV_DIRECTORY: home }),
    stdout: 'ignore',
    stderr: 'pipe',
  })
  let output = ''
  let address: string | undefined
  for await (const piece of child.stderr) {
    output += new TextDecoder().decode(piece)
    address = /serves (http:\S+)/.exec(output)?.[1]
    if (address !== undefined) break
  }
  try {
    const page = await (await fetch(`${address}/`)).text()
    expect(page).toContain('/_bun/client/')
    expect(page).toContain('href="/favicon.svg"')
    expect((await fetch(`${address}/dev/cluster-worker.js`)).status).toBe(200)
    const body = JSON.stringify({ username: 'dev', password: 'keepsake' })
    const headers = { 'content-type': 'application/json', origin: address ?? '' }
    expect((await fetch(`${address}/v1/users/login`, { method: 'POST', body, headers })).status).toBe(200)
  } finally {
    child.kill()
    await child.exited
  }
})
