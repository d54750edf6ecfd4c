/** Confirmation of irreversible commands. */

import { forTerminal } from '../core/kernel/terminal-text.ts'
import { Failure } from '../schema/errors.ts'

/** Asks on the terminal. Unless the answer is yes, throws a failure that says how to skip the question. */
export async function requireYes(question: string): Promise<void> {
  if (process.stdin.isTTY === true) {
    const { createInterface } = await import('node:readline/promises')
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    const answer = await lines.question(`${forTerminal(question)} [y/N] `)
    lines.close()
    if (/^y(es)?$/i.test(answer.trim())) return
  }
  throw new Failure('invalid', 'Nothing was changed. To skip the question: --yes')
}
