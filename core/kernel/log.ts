/** The structured log: one JSON object per line in a file, and readable lines on standard error. */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from './clock.ts'
import { linesForTerminal } from './terminal-text.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

type LogFields = Record<string, unknown>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  with(fields: LogFields): Log
}

/** A larger log file is renamed to `.1` before the next line, so that logs never fill a disk. */
const rotateAt = 10 * 1024 * 1024

/** A value for JSON, which cannot represent an Error: its name, message, stack and causes are written instead. */
function jsonValue(value: unknown, depth = 0): unknown {
  if (value instanceof Error) {
    return {
      name: value.name,
      message: value.message,
      stack: value.stack,
      ...(value.cause !== undefined && depth < 4 ? { cause: jsonValue(value.cause, depth + 1) } : {}),
    }
  }
  if (typeof value === 'bigint') return value.toString()
  return value
}

/**
 * A log that appends to `directory/name.log` (created if missing) and, from `stderrLevel` on, writes a readable line to
 * standard error. If the file cannot be written, work continues, and warnings and errors go to standard error.
 */
export function createLog(options: {
  directory: string | null
  name: string
  clock: Clock
  level?: LogLevel
  stderrLevel?: LogLevel | 'none'
}): Log {
  const minRank = logLevels.indexOf(options.level ?? 'info')
  const minRankOnTerminal = options.stderrLevel === 'none' ? 99 : logLevels.indexOf(options.stderrLevel ?? 'warn')
  const file = options.directory === null ? null : join(options.directory, `${options.name}.log`)
  if (options.directory !== null) mkdirSync(options.directory, { recursive: true, mode: 0o700 })

  function append(line: string): boolean {
    if (file === null) return false
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > rotateAt) renameSync(file, `${file}.1`)
      appendFileSync(file, line, { mode: 0o600 })
      return true
    } catch {
      // The disk is full or read-only, so only the terminal is left.
      return false
    }
  }

  function write(level: LogLevel, message: string, fields: LogFields) {
    const rank = logLevels.indexOf(level)
    if (rank < minRank) return
    const record: LogFields = { time: new Date(options.clock.now()).toISOString(), level, message }
    for (const [key, value] of Object.entries(fields)) record[key] = jsonValue(value)
    const written = append(`${JSON.stringify(record)}\n`)
    if (rank >= minRankOnTerminal || (!written && file !== null && rank >= 2)) {
      const { error } = fields
      const because = error instanceof Error ? `: ${error.message}` : ''
      const line = `${level === 'info' ? '' : `${level}: `}${message}${because}\n`
      process.stderr.write(process.stderr.isTTY === true ? linesForTerminal(line) : line)
    }
  }

  function make(bound: LogFields): Log {
    return {
      debug: (message, fields) => write('debug', message, { ...bound, ...fields }),
      info: (message, fields) => write('info', message, { ...bound, ...fields }),
      warn: (message, fields) => write('warn', message, { ...bound, ...fields }),
      error: (message, fields) => write('error', message, { ...bound, ...fields }),
      with: fields => make({ ...bound, ...fields }),
    }
  }
  return make({})
}

/** A log that writes nothing. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => silentLog,
}
