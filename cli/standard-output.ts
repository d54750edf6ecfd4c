/** Standard output itself: whether there is one, what it refused, and texts that it must take at once. */
import { readFileSync, readlinkSync, writeSync } from 'node:fs'
import { codeOf, diskError } from '../core/files/disk-error.ts'
import { Failure, reasonOf } from '../schema/errors.ts'

/** O_CLOEXEC, as /proc tells a descriptor's flags. */
const closeOnExec = 0o2000000

/**
 * Was this process started without a standard output (`>&-`)? Bun then opens /dev/null in its place, which takes everything;
 * what it opens by itself is closed for programs that it starts, and nothing that was handed down is. False where the system
 * does not tell (no /proc).
 */
function isClosed(): boolean {
  try {
    if (readlinkSync('/proc/self/fd/1') !== '/dev/null') return false
    const [, flags = '0'] = /^flags:\s*(\d+)$/m.exec(readFileSync('/proc/self/fdinfo/1', 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0
  } catch {
    return false
  }
}

let known: Error | null | undefined

/** What is wrong with standard output before anything is written; null where nothing is. */
export function closedOutput(): Error | null {
  if (known === undefined) known = isClosed() ? new Error('It is closed') : null
  return known
}

/** Data that were to go to standard output, and are lost. */
export function lostOutput(refused: unknown): Failure {
  const reason = reasonOf(diskError(refused, ''))
  const code = codeOf(refused) === null ? 'conflict' : 'noSpace'
  return new Failure(code, `Standard output cannot be written: ${reason}`, { cause: refused })
}

/** Writes a text before the process ends; returns what standard output refused, or null. A reader who is gone refuses nothing. */
export function writeAtOnce(text: string): Failure | null {
  const closed = closedOutput()
  if (closed !== null) return lostOutput(closed)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EPIPE') return null
      if (code !== 'EAGAIN') return lostOutput(error)
      // Its reader has had it made so that a write does not wait.
      Bun.sleepSync(5)
    }
  }
  return null
}
