/** The real server in its own process, and its client. */
import { z } from 'zod'
import { createClient } from '../schema/client.ts'
import { cleanEnvironment, linesOf } from './measure.ts'

export interface Server {
  pid: number
  port: number
  /** Seconds until it reported that it serves. */
  start: number
  /** Seconds until the first page was received. */
  firstPage: number
  stop(): Promise<void>
}

const servingMessage = z.object({ type: z.literal('serving'), addresses: z.array(z.string()).min(1) })

/** Starts `keepsake serve` on a free port of this machine; directories become collections that it scans. */
export async function startServer(product: readonly string[], data: string, ...directories: string[]): Promise<Server> {
  const startedAt = performance.now()
  const child = Bun.spawn([...product, '--data', data, 'serve', ...directories, '--listen', '127.0.0.1:0', '--json'], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    env: cleanEnvironment(),
  })
  for await (const line of linesOf(child.stdout)) {
    const { addresses } = servingMessage.parse(JSON.parse(line))
    const start = (performance.now() - startedAt) / 1000
    const address = addresses[0] ?? ''
    await (await fetch(address)).text()
    return {
      pid: child.pid,
      port: Number(new URL(address).port),
      start,
      firstPage: (performance.now() - startedAt) / 1000,
      async stop() {
        child.kill('SIGTERM')
        await child.exited
      },
    }
  }
  throw new Error('the server did not start')
}

/** The typed client of a server on this machine, as a visitor or with a session's token. */
export function clientOf(port: number, token: string | null) {
  const base = `http://127.0.0.1:${port}`
  return createClient(({ method, url, body }) =>
    fetch(base + url, {
      method,
      body,
      headers: {
        Origin: base,
        'Content-Type': 'application/json',
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      },
    }),
  )
}
