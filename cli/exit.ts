/** How a command ends: an expected failure as a sentence with its exit code, any other error as an internal error. */

import { forTerminal, linesForTerminal } from '../core/kernel/terminal-text.ts'
import { Failure, reasonOf } from '../schema/errors.ts'
import { asFailure } from './as-failure.ts'
import { endOutputWith, flushOutput, ignoreClosedPipe, summarySchema, writeWords } from './output.ts'
import { writeAtOnce } from './standard-output.ts'

/** A failure's message; a second and third line mark a place in the typed text with a caret. */
function messageText(message: string): string {
  return message.split('\n').map(forTerminal).join('\n')
}

/** Prints an error on standard error; returns the exit code. */
function printError(error: unknown): number {
  if (error instanceof Failure) {
    process.stderr.write(`keepsake: ${messageText(error.message)}\n`)
    return error.exit
  }
  process.stderr.write(`keepsake: unexpected error: ${forTerminal(reasonOf(error))}\n`)
  if (error instanceof Error && process.env.KEEPSAKE_LOG_LEVEL === 'debug') writeWords(`${error.stack ?? ''}\n`)
  return 1
}

/** Prints the summary of `--json`, if requested, for a wrong command line or environment. No `Output` exists then. */
export function printRefusalSummary(error: string): void {
  const wantsJson = process.argv.includes('--json') || /^(1|true|yes|on)$/i.test(process.env.KEEPSAKE_JSON ?? '')
  if (!wantsJson) return
  const summary = { type: 'summary', schema: summarySchema, state: 'failed', error }
  const text = `${JSON.stringify(summary)}\n`
  const lost = writeAtOnce(process.stdout.isTTY === true ? linesForTerminal(text, 'json') : text)
  if (lost !== null) printError(lost)
}

/** Prints output that needs no command (help, the version); ends the process if it cannot be written. */
export function writeHelp(text: string): void {
  const lost = writeAtOnce(text)
  if (lost !== null) process.exit(printError(lost))
}

/** Ends the process because its environment is wrong. */
export function endRefused(error: unknown): Promise<never> {
  printRefusalSummary(reasonOf(error))
  return endWith(() => Promise.reject(error))
}

/** Whether a signal is ending this process, so that the result of its work is no longer printed. */
let isEnding = false

/** Runs a command's work and ends the process with the code it returns. */
export async function endWith(work: () => Promise<number>): Promise<never> {
  let code: number
  let printedError: unknown = null
  try {
    code = await work()
  } catch (error) {
    printedError = await asFailure(error)
    code = printError(printedError)
  }
  // The signal's handler ends the process.
  if (isEnding) return new Promise<never>(() => {})
  // Pending output must be written before the process ends.
  try {
    await flushOutput()
  } catch (error) {
    const lost = error === printedError ? code : printError(await asFailure(error))
    if (code === 0 || code === 3) code = lost
  }
  process.exit(code)
}

/**
 * Returns an AbortSignal that Ctrl-C, SIGTERM or a closed terminal aborts, so that the work finishes cleanly. A second
 * Ctrl-C or SIGTERM ends the process at once, which is safe too: the next run continues.
 */
export function interruption(): AbortSignal {
  const abort = new AbortController()
  ignoreClosedPipe()
  const requestStop = () => {
    if (abort.signal.aborted) process.exit(130)
    abort.abort(new Failure('interrupted', 'Interrupted'))
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, requestStop)
  return abort.signal
}

/** Time after Ctrl-C to write the rest of a line and the summary. */
const finalOutputMs = 2_000

/** For quick or read-only commands: a signal ends the process after the current line; SQLite rolls back. */
export function endAtOnceOnSignal(end: () => void = () => {}): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      const exit = () => process.exit(130)
      if (isEnding) exit()
      isEnding = true
      setTimeout(exit, finalOutputMs)
      endOutputWith(end).then(exit, exit)
    })
}
