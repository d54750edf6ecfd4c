/** Runs this program's commands in separate processes, as users and scripts do. */
import { join } from 'node:path'

/** The command that starts Keepsake: the executable that TESTED_PROGRAM names (in full test runs), or else the source. */
export function programCommand(): string[] {
  const binary = process.env.TESTED_PROGRAM
  return binary === undefined || binary === ''
    ? [process.execPath, join(import.meta.dir, '../../cli/main.ts')]
    : [binary]
}

export interface CommandResult {
  code: number
  out: string
  err: string
  /** Lines of `--json` as objects. */
  objects: Record<string, unknown>[]
}

/** The environment without settings of the user who runs the tests. */
export function cleanEnvironment(more: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('KEEPSAKE_'))
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])), ...more }
}

/** Runs a command to its end. */
export async function runCommand(
  args: string[],
  options: { input?: string; environment?: Record<string, string> } = {},
): Promise<CommandResult> {
  const child = Bun.spawn([...programCommand(), ...args], {
    stdin: options.input === undefined ? 'ignore' : Buffer.from(options.input),
    stdout: 'pipe',
    stderr: 'pipe',
    env: cleanEnvironment(options.environment),
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const objects = out
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
  return { code, out, err, objects }
}
