/** Passwords, which are never arguments of a command: other users of the machine could read them there. */

import { Failure } from '../schema/errors.ts'

/** Asks for a line without showing what is typed; without a terminal, reads the next line of standard input. */
export async function readSecret(question: string): Promise<string> {
  const { createInterface } = await import('node:readline')
  const { Writable } = await import('node:stream')
  const isTerminal = process.stdin.isTTY === true
  if (isTerminal) process.stderr.write(question)
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silence, terminal: isTerminal })
  const line = await new Promise<string>(resolve => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
    lines.once('SIGINT', () => process.exit(130))
  })
  lines.close()
  if (isTerminal) process.stderr.write('\n')
  return line
}

/** The first line of a file. */
export async function readSecretFile(path: string): Promise<string> {
  try {
    return (await Bun.file(path).text()).split(/\r?\n/)[0] ?? ''
  } catch (cause) {
    throw new Failure('invalid', `'${path}' cannot be read.`, { cause })
  }
}
