/** Reads the last lines of the logs, and notifies when lines are added. */
import { closeSync, type FSWatcher, fstatSync, openSync, readSync, watch } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { logLevels } from '../../core/kernel/log.ts'

const sources = ['server', 'keepsake'] as const

const tailBytes = 512 * 1024

const logRecord = z.looseObject({ time: z.string(), level: z.enum(logLevels), message: z.string() })

export type LogTail = ReturnType<typeof createLogTail>
export type LogLine = NonNullable<ReturnType<typeof parse>>

/** The end of a file as text; '' if it does not exist. The first line may be incomplete. */
function readTail(path: string): string {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return ''
  }
  try {
    const { size } = fstatSync(file)
    const from = Math.max(0, size - tailBytes)
    const bytes = Buffer.alloc(size - from)
    const read = readSync(file, bytes, 0, bytes.length, from)
    return bytes.subarray(0, read).toString('utf8')
  } finally {
    closeSync(file)
  }
}

/** `source`: which log the text is from. */
function parse(text: string, source: (typeof sources)[number]) {
  if (!text.startsWith('{')) return null
  try {
    const found = logRecord.safeParse(JSON.parse(text))
    if (!found.success) return null
    const { time, level, message, ...fields } = found.data
    return { at: Date.parse(time), level, message, source, fields }
  } catch {
    // The line is incomplete: it is still being written.
    return null
  }
}

/** Logs of the server and of commands in this data directory. */
export function createLogTail(data: string) {
  const directory = join(data, 'logs')
  return {
    /** Returns the last `maxLines` lines, oldest first. */
    tail(maxLines: number) {
      return sources
        .flatMap(source =>
          readTail(join(directory, `${source}.log`))
            .split('\n')
            .map(line => parse(line, source)),
        )
        .filter(line => line !== null)
        .sort((a, b) => a.at - b.at)
        .slice(-maxLines)
    },
    follow(listener: () => void): () => void {
      let watcher: FSWatcher | null = null
      try {
        watcher = watch(directory, () => listener())
        watcher.on('error', () => watcher?.close())
      } catch {
        // The disk does not support notifications, so the log is read when it is shown.
      }
      return () => watcher?.close()
    },
  }
}
