/** Output of commands: data on standard output, messages on standard error, both made safe for a terminal. */
import { forTerminal, linesForTerminal, type TextFormat } from '../core/kernel/terminal-text.ts'
import { Failure, type FailureCode, reasonOf } from '../schema/errors.ts'
import { asFailure } from './as-failure.ts'
import { closedOutputError, outputFailureOf } from './standard-output.ts'

/** A name as typed in a command, quoted if a shell needs it. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_@%+=:,./][\p{L}\p{N}_@%+=:,./-]*$/u.test(text)
    ? text
    : `'${forTerminal(text).replaceAll("'", "'\\''")}'`
}

/** Whether standard error is a terminal. Progress is only shown there. */
export function isTerminal(): boolean {
  return process.stderr.isTTY === true && process.env.TERM !== 'dumb'
}

/** Texts for standard output; the first `takenCount` of them have been passed on. */
let queue: string[] = []
let takenCount = 0
let isWriting = false
/** Whether the last message was written. Nothing is printed after it. */
let closed = false
/** The first error of standard output. */
let outputError: Error | null = null
/** The failure for `outputError`, always the same object, so that `endWith` prints it only once. */
let outputFailure: Failure | null = null
/** Whether the command continues after its reader has stopped, because the work matters more than the output. */
let ignoresClosedPipe = false
/** Called when everything has been written. */
const waiting: (() => void)[] = []

/** Lets the command continue although nobody reads its output. */
export function ignoreClosedPipe(): void {
  ignoresClosedPipe = true
}

/** Whether the reader of standard output has stopped (`| head`). */
export function readerIsGone(): boolean {
  return outputError !== null && 'code' in outputError && outputError.code === 'EPIPE'
}

/** About this many UTF-16 units are written to standard output at once, so that an interrupted output ends soon. */
const pieceLength = 32 * 1024

function drop(): void {
  queue = []
  takenCount = 0
}

/** Writes the queue to standard output, piece by piece. */
function writeNext(): void {
  if (queue.length === 0 || readerIsGone()) {
    drop()
    for (const go of waiting.splice(0)) go()
    return
  }
  let piece = ''
  while (takenCount < queue.length && piece.length < pieceLength) piece += queue[takenCount++] ?? ''
  // Texts are removed all at once, because the queue may hold millions of lines.
  if (takenCount === queue.length) drop()
  isWriting = true
  process.stdout.write(piece, error => {
    isWriting = false
    if (error instanceof Error) outputError ??= error
    writeNext()
  })
}

/**
 * Queues whole lines for standard output; `flushOutput` waits until they are written. On a terminal, they are escaped
 * according to their format; files and pipes get them byte for byte.
 */
export function writeOut(text: string, format: TextFormat = 'text'): void {
  if (closed || readerIsGone()) return
  outputError ??= closedOutputError()
  queue.push(process.stdout.isTTY === true ? linesForTerminal(text, format) : text)
  if (!isWriting) writeNext()
}

/** Drops unwritten output, calls `say` to write the last message, and waits until that is written. */
export function endOutputWith(say: () => void): Promise<void> {
  drop()
  say()
  closed = true
  return flushOutput()
}

/** Waits until standard output has accepted everything. Fails if data were lost, for example on a full disk. */
export async function flushOutput(): Promise<void> {
  if (isWriting || queue.length > 0) await new Promise<void>(resolve => waiting.push(resolve))
  if (outputError === null) return
  if (readerIsGone()) {
    if (!ignoresClosedPipe) process.exit(0)
    return
  }
  outputFailure ??= outputFailureOf(outputError)
  throw outputFailure
}

export function writeWords(text: string): void {
  process.stderr.write(process.stderr.isTTY === true ? linesForTerminal(text) : text)
}

export type Output = ReturnType<typeof createOutput>

/** Version of the summary that ends `--json`; increased when a field changes its meaning. */
export const summarySchema = 1

export function createOutput(options: { json?: boolean; quiet?: boolean }) {
  process.stdout.on('error', error => {
    // Any other error is reported at the end of the command.
    outputError ??= error
    if (readerIsGone() && !ignoresClosedPipe) process.exit(0)
  })
  // Messages that cannot be printed must not end the command.
  process.stderr.on('error', () => {})
  const json = options.json === true
  const quiet = options.quiet === true
  return {
    json,
    quiet,
    line: (text: string) => writeOut(`${text}\n`),
    /** Rows in aligned columns; the last column may be of any length. */
    table(rows: readonly (readonly string[])[], heading?: readonly string[]) {
      for (const line of table(heading === undefined ? rows : [heading, ...rows])) writeOut(`${line}\n`)
    },
    /** Prints an object of `--json`, one per line. */
    object: (value: object) => writeOut(`${JSON.stringify(value)}\n`, 'json'),
    /** Prints a message for the user, unless `--quiet` or `--json`. */
    say(text: string) {
      if (!quiet && !json) writeWords(`${text}\n`)
    },
    /** A message that is printed even with `--quiet`. */
    warn: (text: string) => writeWords(`${text}\n`),
    /** Prints the last object of `--json`, whose `state` is 'done' by default, or else the last message. */
    end(fields: object, words?: string) {
      if (json)
        writeOut(`${JSON.stringify({ type: 'summary', schema: summarySchema, state: 'done', ...fields })}\n`, 'json')
      else if (words !== undefined && !quiet) writeWords(`${words}\n`)
    },
  }
}

const states: Partial<Record<FailureCode, string>> = {
  interrupted: 'interrupted',
  busy: 'busy',
  tooMany: 'busy',
  safetyStop: 'stopped',
}

function stateOf(error: unknown): string {
  return (error instanceof Failure ? states[error.code] : undefined) ?? 'failed'
}

/** Runs a command's work so that `--json` always ends with a summary; rethrows the error for `endWith`. */
export async function runWithSummary(output: Output, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (thrown) {
    const error = await asFailure(thrown)
    if (output.json) output.end({ state: stateOf(error), error: reasonOf(error) })
    throw error
  }
}

/** Rows in aligned columns, safe for a terminal. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const safe = rows.map(row => row.map(forTerminal))
  const widths: number[] = []
  for (const row of safe) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(cell))
  }
  return safe.map(row =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell)),
      )
      .join('  ')
      .trimEnd(),
  )
}

/** Formats seconds as '2019-06-02' in UTC. */
export function dayOf(seconds: number | null, never = ''): string {
  return seconds === null ? never : new Date(seconds * 1000).toISOString().slice(0, 10)
}

/** Prints a list: objects of `type` and their number, or a table. `none`: the message if the list is empty. */
export function printList<T extends object>(
  output: Output,
  all: readonly T[],
  {
    type,
    countName,
    heading,
    row,
    none,
  }: {
    type: string
    /** The noun in the summary, such as 'people'. */
    countName: string
    heading: readonly string[]
    row(one: T): string[]
    none: string
  },
): number {
  if (output.json) for (const one of all) output.object({ type, ...one })
  else if (all.length > 0) output.table(all.map(row), heading)
  output.end({ [countName]: all.length }, all.length === 0 ? none : undefined)
  return 0
}
