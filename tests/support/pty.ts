/** Runs a shell line in a pseudo-terminal and returns the text that it wrote there. */
import { temporaryDirectory } from './temporary.ts'

export const hasPty = Bun.which('script') !== null

export async function runInTerminal(line: string, environment: Record<string, string>): Promise<string> {
  const child = Bun.spawn(['script', '--quiet', '--return', '--command', line, '/dev/null'], {
    cwd: temporaryDirectory(),
    env: { ...environment, TERM: 'xterm-256color', SHELL: '/bin/bash' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const text = await new Response(child.stdout).text()
  await child.exited
  // The terminal has translated the line ends; this reverts it.
  return text.replace(/\r+\n/g, '\n')
}
