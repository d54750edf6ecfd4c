/** Standard output itself: whether it exists, its errors, and synchronous writes. */
import { readFileSync, readlinkSync, writeSync } from 'node:fs'
import { codeOf, diskError } from '../core/files/disk-error.ts'
import { Failure, reasonOf } from '../schema/errors.ts'

/** O_CLOEXEC, as /proc prints a descriptor's flags. */
const closeOnExec = 0o2000000

/**
 * Whether this process was started without a standard output (`>&-`). Bun then opens /dev/null instead, with
 * close-on-exec; an inherited /dev/null does not have that flag. False on systems without /proc.
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

let closedError: Error | null | undefined

/** The error if standard output was closed when the process started, else null. */
export function closedOutputError(): Error | null {
  if (closedError === undefined) closedError = isClosed() ? new Error('It is closed') : null
  return closedError
}

export function outputFailureOf(refused: unknown): Failure {
  const reason = reasonOf(diskError(refused, ''))
  const code = codeOf(refused) === null ? 'conflict' : 'noSpace'
  return new Failure(code, `Standard output cannot be written: ${reason}`, { cause: refused })
}

/** Writes a text before the process ends; returns the error, or null. A closed pipe is no error. */
export function writeAtOnce(text: string): Failure | null {
  const closed = closedOutputError()
  if (closed !== null) return outputFailureOf(closed)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EPIPE') return null
      if (code !== 'EAGAIN') return outputFailureOf(error)
      // The reader has set the descriptor to non-blocking.
      Bun.sleepSync(5)
    }
  }
  return null
}
